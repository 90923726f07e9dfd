// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// To an app or to another device.
package final class MemoryStreamLink: StreamAdapter {
    /// Decides the messages before the bytes.
    enum Kind {
        /// `answer` is the number of the app's request.
        case app(answer: UInt64)
        case accepted
        case dialled
    }

    package weak var observer: (any StreamLinkObserver)?
    package var place: StreamPlace?

    private let end: MemoryWireEnd
    private let kind: Kind
    /// Waits for room on the wire; at most one piece.
    private var unsent: ArraySlice<UInt8> = []
    private var isShutting = false
    private var isGone = false
    private lazy var alarm = end.time.makeAlarm { [weak self] in self?.deadlineReached() }

    init(_ end: MemoryWireEnd, _ kind: Kind) {
        self.end = end
        self.kind = kind
        end.owner = self
        switch kind {
        case .app: begin(.app, isReady: false)
        case .accepted: begin(.device, isReady: false)
        case .dialled: begin(.device, isReady: true)
        }
        readingWanted()
    }

    // MARK: Calls from the stream

    package var now: Instant { end.time.now }
    package func later(_ work: @escaping () -> Void) { end.later(work) }
    package func wake(at instant: Instant?) { alarm.set(instant) }
    package func share(_ budget: StreamBudget) {}
    /// The wire reports a lost device.
    package func watch() {}
    package func sayReady() { say(nil) }

    package func sayNo(_ failure: Failure) {
        say(failure)
        end.sendEnd()
    }

    private func say(_ failure: Failure?) {
        do {
            switch kind {
            case .app(let answer):
                let message = failure.map { LocalMessage.failure($0) } ?? .done(accepted: true)
                end.sendFrame(try LocalFrame(message, answer: answer).encoded())
            case .accepted:
                let message = failure.map { StreamMessage.failure($0) }
                end.sendFrame(try (message ?? .ready(version: ProtocolVersion.stream.upperBound)).encoded())
            case .dialled: break
            }
        } catch {
            broke(Failure(.internal, "an answer could not be written: \(error)"))
        }
    }

    package func read() { end.takesBytes = true }

    package func write(_ piece: any StreamPiece) {
        unsent += piece.bytes
        send()
    }

    package func flush() {}

    package func shutWriting() {
        isShutting = true
        send()
    }

    /// This wire cannot shut reading alone; the end of the stream does it.
    package func shutReading() {}
    package func close() { leave() }
    package func closeDelivered() { leave() }
    package func cut() { end.cut(Failure(.streamCut, "the stream was interrupted")) }

    private func send() {
        let count = end.send(unsent)
        unsent = unsent.dropFirst(count)
        if count > 0 { written(count) }
        guard isShutting, unsent.isEmpty else { return }
        isShutting = false
        end.sendEnd()
        writingShut(nil)
    }

    private func leave() {
        end.leave()
        later { [self] in gone() }
    }

    private func gone() {
        guard !isGone else { return }
        isGone = true
        alarm.set(nil)
        closed()
    }
}

// MARK: - Events of the wire

extension MemoryStreamLink: MemoryWireOwner {
    func arrived(_ parcel: MemoryWire.Parcel, at end: MemoryWireEnd) {
        guard !isGone else { return }
        switch parcel {
        case .frame: broke(Failure(.malformed, "a message where bytes are due"))
        case .bytes(let bytes):
            end.takesBytes = false
            received(bytes)
            receivedAll()
            readingWanted()
        case .end:
            inputEnded()
            // Both directions have ended.
            if end.isOver { gone() }
        case .cut(let failure):
            broke(failure)
            gone()
        }
    }

    func roomMade(at end: MemoryWireEnd) { send() }
    func bytesWait(at end: MemoryWireEnd) {}
}
