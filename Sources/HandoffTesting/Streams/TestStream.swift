// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
package import HandoffWire

/// An app's end of a stream's connection to its daemon, driven by a test. That its bytes are over the app says on its
/// own connection: `TestClient.finish`.
package final class TestStream {
    package enum Answer: Equatable {
        case none
        /// Both ends are there.
        case ready
        case refused(Failure)
    }

    package let processID: Int32
    package private(set) var answer = Answer.none
    package private(set) var received: [UInt8] = []
    /// No more bytes come. Whether that was meant, the daemon says on the app's own connection.
    package private(set) var hasEnded = false
    package private(set) var isCut = false
    /// Called after each thing that happened here.
    package var onChange: (() -> Void)?
    /// False: what comes stays where it is.
    package var isReading = true { didSet { end.takesBytes = isReading && answer == .ready } }

    private let end: MemoryWireEnd
    private var queue: [UInt8] = []
    private var queueStart = 0
    private var isFinishing = false
    /// That the connection took from the app.
    package private(set) var sentCount: UInt64 = 0

    init(end: MemoryWireEnd, processID: Int32) {
        self.end = end
        self.processID = processID
        end.owner = self
    }

    /// Still with the app: there was no room.
    package var unsent: Int { queue.count - queueStart }

    /// Go as there is room, once both ends are there.
    package func send(_ bytes: [UInt8]) {
        queue += bytes
        flush()
    }

    /// No answer is waited for.
    package func sendAtOnce(_ bytes: [UInt8]) { _ = end.send(bytes[...]) }

    /// Ends what it sends, after all of it. Without a word to the daemon that is as if the process had died.
    package func shut() {
        isFinishing = true
        flush()
    }

    /// Lets go of it.
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
        default: refused(Failure(.malformed, "an answer that is none"))
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
