// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffCore
internal import HandoffWire

/// Serves several devices, also at the same time. Used only on the thread that talks to the daemon.
final class StreamServing {
    enum Report {
        case began(deviceName: String, byteCount: Int64?)
        /// The device has confirmed that it received everything.
        case delivered(deviceName: String, byteCount: UInt64, duration: Duration)
        case failed(deviceName: String, byteCount: Int64, CommandFailure)
    }

    private struct Transfer {
        let bytes: StreamTransfer
        let deviceName: String
        var end = AwaitedEnd()
        var attached: AttachedStream?
        var began = ContinuousClock.now
        var total: Int64?
        var sent: UInt64?
    }

    let source: StreamSource
    private let locations: Locations
    private let events = StreamEvents()
    private var transfers: [StreamID: Transfer] = [:]
    /// For standard input: a device gets it, or got a part of it.
    private var isTaken = false
    private var progress: ProgressLine
    private var over: (done: Int64, total: Int64) = (0, 0)
    private let output: Output

    init(source: StreamSource, locations: Locations, output: Output) {
        self.source = source
        self.locations = locations
        self.output = output
        progress = ProgressLine("sending", output)
    }

    var descriptor: CInt { events.descriptor }
    var isIdle: Bool { transfers.isEmpty }
    /// A part of standard input was consumed, so no other device can get all of it.
    private(set) var isSpent = false

    /// The longest time until the next call of `reports`.
    var patience: Duration? {
        let left = transfers.values.compactMap(\.end.patience).min()
        guard progress.isWanted, transfers.values.contains(where: { $0.attached != nil }) else { return left }
        return min(left ?? ProgressLine.pause, ProgressLine.pause)
    }

    func answer(_ wanted: StreamWanted) -> LocalMessage {
        if source.isStandardInput {
            guard !isTaken else {
                return .failure(
                    Failure(.noStreams, "this activity's stream is for one device only, and another device has it"))
            }
            isTaken = true
        }
        if transfers.isEmpty {
            progress = ProgressLine("sending", output)
            over = (0, 0)
        }
        let bytes = StreamTransfer(ticket: wanted.ticket, locations: locations, events: events)
        transfers[wanted.ticket.stream] = Transfer(bytes: bytes, deviceName: wanted.deviceName.text)
        bytes.send(source)
        return .done(accepted: true)
    }

    func wordCame(_ end: StreamEnd) { transfers[end.stream]?.end.wordCame(end) }

    func connectionLost(_ failure: Failure) {
        for stream in transfers.keys { transfers[stream]?.end.wordLost(Failure(.streamCut, failure.reason)) }
    }

    /// Since the last call. `say` sends to the daemon.
    func reports(_ say: (LocalMessage) throws(Failure) -> Void) throws(Failure) -> [Report] {
        var reports: [Report] = []
        for event in events.take() { try take(event, &reports, say) }
        for stream in transfers.keys { settle(stream, &reports) }
        if transfers.isEmpty || !reports.isEmpty { clearProgress() } else { showProgress() }
        return reports
    }

    /// Before other output.
    func clearProgress() { progress.clear() }

    private func showProgress() {
        let done = transfers.values.reduce(over.done) { $0 + $1.bytes.moved.value }
        let totals = transfers.values.map(\.total)
        progress.reached(done, of: totals.contains(nil) ? nil : totals.reduce(over.total) { $0 + ($1 ?? 0) })
    }

    private func take(
        _ event: StreamEvent, _ reports: inout [Report], _ say: (LocalMessage) throws(Failure) -> Void
    ) throws(Failure) {
        switch event {
        case .attached(let stream, let attached, let byteCount):
            guard var transfer = transfers[stream] else { return attached.socket.cut() }
            transfer.attached = attached
            transfer.began = .now
            transfer.total = byteCount
            transfers[stream] = transfer
            isSpent = source.isStandardInput
            reports.append(.began(deviceName: transfer.deviceName, byteCount: byteCount))
        case .sent(let stream, let byteCount):
            guard let attached = transfers[stream]?.attached else { return }
            transfers[stream]?.sent = byteCount
            // Before the end of the bytes; otherwise the receiver would treat the stream as cut.
            try say(.streams(.streamEnded(StreamEnd(stream: stream, byteCount: byteCount))))
            attached.socket.endWriting()
        case .inputEnded(let stream, let byteCount):
            transfers[stream]?.end.bytesEnded(after: byteCount)
        case .notTaken(let stream):
            transfers[stream]?.end.bytesEnded()
        case .failed(let stream, let failure):
            guard let transfer = transfers[stream] else { return }
            let word = Failure(.streamCut, "the data to stream cannot be read")
            if transfer.attached != nil {
                try say(.streams(.streamEnded(StreamEnd(stream: stream, byteCount: 0, failure: word))))
            } else if !isSpent {
                // Nothing was read, so the next device may have it.
                isTaken = false
            }
            end(stream, failure, &reports)
        }
    }

    private func settle(_ stream: StreamID, _ reports: inout [Report]) {
        guard let ending = transfers[stream]?.end.ending(), let transfer = transfers[stream] else { return }
        switch ending {
        case .cut(let failure): end(stream, CommandFailure(failure), &reports)
        case .complete:
            guard let sent = transfer.sent else {
                let count = transfer.bytes.moved.value.inBytes
                let failure = Failure(.streamCut, "\(transfer.deviceName) stopped reading after \(count)")
                return end(stream, CommandFailure(failure), &reports)
            }
            remove(stream)
            let duration = transfer.began.duration(to: .now)
            reports.append(.delivered(deviceName: transfer.deviceName, byteCount: sent, duration: duration))
        }
    }

    private func end(_ stream: StreamID, _ failure: CommandFailure, _ reports: inout [Report]) {
        guard let transfer = remove(stream) else { return }
        transfer.attached?.socket.cut()
        reports.append(
            .failed(deviceName: transfer.deviceName, byteCount: transfer.bytes.moved.value, failure))
    }

    @discardableResult
    private func remove(_ stream: StreamID) -> Transfer? {
        guard let transfer = transfers.removeValue(forKey: stream) else { return nil }
        over.done += transfer.bytes.moved.value
        over.total += transfer.total ?? 0
        return transfer
    }
}

extension StreamSource {
    var isStandardInput: Bool {
        if case .standardInput = self { true } else { false }
    }
}
