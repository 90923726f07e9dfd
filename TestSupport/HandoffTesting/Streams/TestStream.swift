// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
package import HandoffWire

/// An app's end, driven by a test. `TestClient.finish` reports the end of its bytes on the app's own connection.
package final class TestStream {
    package enum Answer: Equatable {
        case none
        case ready
        case refused(Failure)
    }

    package let processID: Int32
    package private(set) var answer = Answer.none
    package private(set) var received: [UInt8] = []
    /// The daemon reports on the app's own connection whether the stream was complete.
    package private(set) var hasEnded = false
    package private(set) var isCut = false
    package var onChange: (() -> Void)?
    /// False: bytes wait.
    package var isReading = true { didSet { end.takesBytes = isReading && answer == .ready } }

    private let end: MemoryWireEnd
    private var queue: [UInt8] = []
    private var queueStart = 0
    private var isFinishing = false
    package private(set) var sentCount: UInt64 = 0

    init(end: MemoryWireEnd, processID: Int32) {
        self.end = end
        self.processID = processID
        end.owner = self
    }

    /// Bytes without room.
    package var unsent: Int { queue.count - queueStart }

    /// Sends as there is room, once both ends are connected.
    package func send(_ bytes: [UInt8]) {
        queue += bytes
        flush()
    }

    /// Does not wait for the answer.
    package func sendAtOnce(_ bytes: [UInt8]) { _ = end.send(bytes[...]) }

    /// Without a report to the daemon, this looks like a crash.
    package func shut() {
        isFinishing = true
        flush()
    }

    package func close() {
        queue = []
        queueStart = 0
        end.cut(Failure(.connectionUnavailable, "the app closed the connection"))
    }

    private func flush() {
        guard answer == .ready, !isCut else { return }
        let taken = end.send(queue[queueStart...])
        queueStart += taken
        sentCount += UInt64(taken)
        if queueStart == queue.count {
            queue = []
            queueStart = 0
            if isFinishing { end.sendEnd() }
        }
    }

    private func answered(_ message: LocalMessage?) {
        guard answer == .none else { return }
        switch message {
        case .done:
            answer = .ready
            end.takesBytes = isReading
            flush()
        case .failure(let failure): refused(failure)
        default: refused(Failure(.malformed, "an unexpected answer"))
        }
    }

    private func refused(_ failure: Failure) {
        answer = .refused(failure)
        end.takesBytes = true
        end.sendEnd()
    }
}

extension TestStream: MemoryWireOwner {
    func arrived(_ parcel: MemoryWire.Parcel, at end: MemoryWireEnd) {
        switch parcel {
        case .frame(let bytes): answered((try? LocalFrame(encoded: bytes))?.message)
        case .bytes(let bytes): received += bytes
        case .end: hasEnded = true
        case .cut(let failure):
            isCut = true
            if answer == .none { answer = .refused(failure) }
        }
        onChange?()
    }

    func roomMade(at end: MemoryWireEnd) {
        flush()
        onChange?()
    }

    func bytesWait(at end: MemoryWireEnd) {}
}
