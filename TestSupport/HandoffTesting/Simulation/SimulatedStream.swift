// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
package import HandoffWire

/// One app's end of a simulated stream: sends in uneven pieces, and records what it receives.
package final class SimulatedStream {
    package enum Incoming: Hashable, Sendable {
        case underWay
        /// The daemon has reported the end, and all bytes are here.
        case whole
        case cut
    }

    package let continuation: ContinuationID
    package let sends: [UInt8]
    /// The reason why there is no stream.
    package private(set) var refusal: Failure?
    package private(set) var incoming = Incoming.underWay
    /// Also true if all bytes had arrived before.
    package private(set) var heardOfCut = false
    /// The number of answers to its opening.
    package private(set) var answers = 0
    package private(set) var ticket: StreamTicket?
    package private(set) var stream: TestStream?

    private let time: VirtualTime
    private var random: Randomness
    private weak var client: TestClient?
    private var sent = 0
    private var word: StreamEnd?

    init(continuation: ContinuationID, sends: [UInt8], time: VirtualTime, random: Randomness) {
        self.continuation = continuation
        self.sends = sends
        self.time = time
        self.random = random
    }

    package var received: [UInt8] { stream?.received ?? [] }
    /// Received exactly these bytes, and the stream is complete.
    package func got(_ bytes: [UInt8]) -> Bool { incoming == .whole && received == bytes }
    /// For failed tests.
    package var summary: String {
        let (said, count) = (word.map { "\($0.byteCount)" } ?? "nothing", received.count)
        return "\(incoming), \(count) bytes of \(said), sent \(sent) of \(sends.count), \(refusal?.reason ?? "open")"
    }
    package var wasOpen: Bool { stream?.answer == .ready }
    /// Nothing more can happen at this end.
    package var isOver: Bool { refusal != nil || incoming == .cut || (incoming == .whole && sent == sends.count) }

    func attach(_ ticket: StreamTicket, by client: TestClient) {
        guard self.ticket == nil else { return }
        self.ticket = ticket
        self.client = client
        stream = client.attach(ticket.token)
        stream?.onChange = { [weak self] in self?.changed() }
    }

    func refused(_ failure: Failure) {
        answers += 1
        refusal = refusal ?? failure
    }

    func heard(_ end: StreamEnd) {
        guard end.stream == ticket?.stream else { return }
        if end.failure != nil {
            cut()
        } else {
            word = end
            changed()
        }
    }

    /// The daemon or this app is gone.
    func lineLost() {
        if wasOpen { cut() } else { refusal = refusal ?? Failure(.connectionUnavailable, "the daemon has stopped") }
        stream?.close()
    }

    private func changed() {
        guard let stream, refusal == nil else { return }
        if answers == 0 {
            switch stream.answer {
            case .none: return
            case .ready:
                answers += 1
                sendSome()
            case .refused(let failure): return refused(failure)
            }
        }
        if stream.isCut { return cut() }
        guard incoming == .underWay, stream.hasEnded, let word else { return }
        if word.byteCount == UInt64(stream.received.count) {
            incoming = .whole
        } else {
            cut()
        }
    }

    private func cut() {
        heardOfCut = true
        if incoming == .underWay { incoming = .cut }
    }

    private func sendSome() {
        guard let stream, !stream.isCut, !heardOfCut else { return }
        let count = min(sends.count - sent, Int.random(in: 0...30_000, using: &random))
        stream.send(Array(sends[sent..<sent + count]))
        sent += count
        guard sent < sends.count else {
            if let ticket { client?.finish(stream, ticket.stream) }
            return
        }
        let pause = Duration.microseconds(Int64.random(in: 0...2000, using: &random))
        time.schedule(after: pause) { [weak self] in self?.sendSome() }
    }
}
