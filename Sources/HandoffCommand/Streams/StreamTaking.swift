// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffCore
internal import HandoffWire

/// Completely or not at all.
struct StreamTaking {
    /// Longer than every deadline of the daemon.
    private static let timeout = Duration.seconds(60)

    let target: StreamTarget
    let replacing: Bool
    let client: BlockingClient
    let locations: Locations
    let output: Output

    /// Notifies the other device once the bytes are on disk. `announced`: the expected bytes.
    func take(_ continuation: ContinuationID, announced: Int64?) throws(CommandFailure) -> TakenStream {
        ignoreSignalsOfWrites()
        let interruption = Interruption()
        let sink = try target.open(replacing: replacing, byteCount: announced)
        do {
            let ticket = try client.ask(.streams(.openStream(continuation)), timeout: Self.timeout) {
                if case .streams(.streamTicket(let ticket)) = $0 { ticket } else { nil }
            }
            return try take(ticket, into: sink, announced: announced, interruption)
        } catch {
            let failure = CommandFailure(endOfStream: error)
            guard sink.discard() else { throw failure }
            throw CommandFailure(
                failure.status, code: failure.code, "\(failure.reason); nothing was kept", advice: failure.advice)
        }
    }

    private func take(
        _ ticket: StreamTicket, into sink: StreamSink, announced: Int64?, _ interruption: Interruption
    ) throws -> TakenStream {
        let events = StreamEvents()
        let bytes = StreamTransfer(ticket: ticket, locations: locations, events: events)
        // A progress line must not be mixed with a stream on a terminal.
        var progress = ProgressLine("receiving", output, isWanted: !sink.isTerminal)
        defer { progress.clear() }
        bytes.receive(into: sink)
        var end = OtherEnd(stream: ticket.stream)
        do {
            while try !end.isComplete() {
                let patience = end.patience ?? (progress.isWanted ? ProgressLine.pause : nil)
                let frame = try client.receive(unless: interruption.descriptor, events.descriptor, timeout: patience)
                if case .streams(.streamEnded(let word))? = frame?.message { end.wordCame(word) }
                for event in events.take() { try end.take(event) }
                progress.reached(bytes.moved.value, of: announced)
                guard !interruption.wait(.zero) else {
                    throw CommandFailure(.failed, code: "interrupted", "interrupted")
                }
            }
            progress.clear()
            if let announced, end.byteCount != UInt64(announced) {
                throw CommandFailure(
                    .failed, code: "wrongSize", "\(announced) bytes were announced, but \(end.byteCount) arrived")
            }
            try sink.finish()
        } catch {
            refuse(ticket, end)
            throw error
        }
        try confirm(ticket, end)
        return TakenStream(bytes: end.byteCount, seconds: end.began.duration(to: .now).inSeconds, file: sink.path)
    }

    /// The cut notifies the other device that the stream was not received.
    private func refuse(_ ticket: StreamTicket, _ end: OtherEnd) {
        guard let attached = end.attached else { return }
        let word = Failure(.streamCut, "the data could not be stored")
        try? client.send(
            LocalFrame(.streams(.streamEnded(StreamEnd(stream: ticket.stream, byteCount: 0, failure: word)))))
        // Any answer shows that the daemon has read the reason, which the cut would overtake.
        _ = try? client.call(.status(.getStatus), timeout: .seconds(2))
        attached.socket.cut()
    }

    /// Confirms to the other device by ending a direction without bytes.
    private func confirm(_ ticket: StreamTicket, _ end: OtherEnd) throws {
        try client.send(LocalFrame(.streams(.streamEnded(StreamEnd(stream: ticket.stream, byteCount: 0)))))
        end.attached?.socket.endWriting()
        // Any answer shows that the daemon has read the message, so this process may end.
        _ = try client.call(.status(.getStatus))
    }
}

private struct OtherEnd {
    let stream: StreamID
    private(set) var attached: AttachedStream?
    private(set) var began = ContinuousClock.now
    private var end = AwaitedEnd()

    init(stream: StreamID) { self.stream = stream }

    var byteCount: UInt64 { end.byteCount }
    var patience: Duration? { end.patience }

    mutating func wordCame(_ word: StreamEnd) {
        if word.stream == stream { end.wordCame(word) }
    }

    /// Throws a local error.
    mutating func take(_ event: StreamEvent) throws(CommandFailure) {
        switch event {
        case .attached(_, let stream, _): (attached, began) = (stream, .now)
        case .inputEnded(_, let byteCount): end.bytesEnded(after: byteCount)
        case .failed(_, let failure): throw failure
        case .sent, .notTaken: break
        }
    }

    mutating func isComplete() throws(Failure) -> Bool {
        switch end.ending() {
        case nil: return false
        case .complete?: return true
        case .cut(let failure)?: throw failure
        }
    }
}

struct TakenStream: Encodable {
    let bytes: UInt64
    let seconds: Double
    let file: String?

    var words: String {
        let size = Int64(clamping: bytes)
        let rate = seconds > 0 ? ", \(Int64(Double(bytes) / seconds).inBytes)/s" : ""
        return (file.map { "\($0): " } ?? "") + "\(size.inBytes) in \(Duration.seconds(seconds).inBrief)\(rate)"
    }
}

extension CommandFailure {
    init(endOfStream error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let failure as Failure: self.init(failure)
        default: self.init(.failed, code: "internal", "\(error)")
        }
    }
}
