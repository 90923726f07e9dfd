// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffClient
import HandoffWire

/// The program gets the stream's connection to the daemon, so the bytes bypass this process.
struct ParticipantStreams {
    /// For streams being attached.
    private var early: [StreamID: [StreamEnd]] = [:]

    /// False: too many.
    mutating func begin(_ stream: StreamID) -> Bool {
        guard early.count < InterfaceLimits.openingStreams else { return false }
        early[stream] = []
        return true
    }

    mutating func finish(_ stream: StreamID) -> [StreamEnd] { early.removeValue(forKey: stream) ?? [] }

    /// False: the program has the stream, and must be notified.
    mutating func hold(_ end: StreamEnd) -> Bool {
        guard early[end.stream] != nil else { return false }
        // One for each side.
        if early[end.stream]?.count ?? 0 < 2 { early[end.stream]?.append(end) }
        return true
    }

    mutating func lost() { early = [:] }

    init() {}
}

extension Participant {
    typealias Opened = (Result<(StreamID, SharedDescriptor), Failure>) -> Void

    func openStream(of continuation: ContinuationID, then: @escaping Opened) {
        daemon.request(.streams(.openStream(continuation))) { [weak self] result in
            switch result {
            case .success(.streams(.streamTicket(let ticket))): self?.attach(ticket, then: then)
            case .success: then(.failure(Failure(.malformed, "the daemon gave no stream")))
            case .failure(let failure): then(.failure(failure))
            }
        }
    }

    func streamWanted(_ wanted: StreamWanted, _ ticket: AnswerTicket?) {
        guard let offered = activity, offered.id == wanted.activity, offered.state.supportsStreams else {
            return answer(ticket, .failure(.streamsNotSupported))
        }
        answer(ticket, .done(accepted: true))
        attach(wanted.ticket) { [weak self] result in
            // The other app receives the failure; this program did not ask.
            guard let self, case .success(let (stream, descriptor)) = result else { return }
            app.tell(
                "StreamOpened", [.string(wanted.activity.hex), .string(stream.hex), .descriptor(descriptor)])
        }
    }

    private func attach(_ ticket: StreamTicket, then: @escaping Opened) {
        guard streams.begin(ticket.stream) else {
            return then(
                .failure(
                    Failure(.limitReached, "\(InterfaceLimits.openingStreams) streams are already being opened")))
        }
        daemon.attach(ticket.token) { [weak self] result in
            guard let self else { return }
            let held = streams.finish(ticket.stream)
            then(result.flatMap { Self.handedOver($0).map { (ticket.stream, $0) } })
            for end in held { streamEnded(end) }
        }
    }

    private static func handedOver(_ stream: AttachedStream) -> Result<SharedDescriptor, Failure> {
        guard let descriptor = SharedDescriptor(duplicating: stream.socket.descriptor) else {
            return .failure(Failure(.limitReached, "handoff-bus cannot open more files"))
        }
        stream.passOn()
        return .success(descriptor)
    }

    func streamEnded(_ end: StreamEnd) {
        guard !streams.hold(end) else { return }
        app.tell(
            "StreamEnded",
            [.string(end.stream.hex), .uint64(end.byteCount), end.failure?.busDetails ?? .properties([:])])
    }
}
