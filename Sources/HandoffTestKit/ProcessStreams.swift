// SPDX-License-Identifier: Apache-2.0

internal import HandoffTesting
internal import HandoffWire

@MainActor final class ProcessStreams {
    private let line: SimulatedLine
    private let meeting: StreamMeeting
    /// Tickets from the daemon that the app has not used.
    private var tickets: [StreamToken: StreamID] = [:]
    /// In order, so that runs are reproducible.
    private var streams: [StreamInMemory] = []

    init(_ line: SimulatedLine, meeting: StreamMeeting) {
        self.line = line
        self.meeting = meeting
    }

    /// With the other app.
    var areBeingOpened: Bool { streams.contains { $0.isBeingOpened } }

    /// True if the app must not get the message.
    func heard(_ message: LocalMessage) -> Bool {
        switch message {
        case .streams(.streamTicket(let ticket)): tickets[ticket.token] = ticket.stream
        case .streams(.streamWanted(let wanted)): tickets[wanted.ticket.token] = wanted.ticket.stream
        case .streams(.streamEnded(let end)):
            // The other app has already reported an orderly end.
            if let failure = end.failure { stream(end.stream)?.cut(failure) }
            return true
        default: break
        }
        return false
    }

    func attach(_ token: StreamToken, through client: TestClient?, answer: @escaping SimulatedLine.StreamAnswer) {
        guard let client, let id = tickets.removeValue(forKey: token), let carried = client.attach(token) else {
            return answer(.failure(Failure(.connectionUnavailable, "the connection to the daemon ended")))
        }
        streams.append(StreamInMemory(id, carried, of: client, line, meeting: meeting, answer: answer))
    }

    func written(_ id: StreamID) { stream(id)?.written() }

    func look() {
        for stream in streams { stream.look() }
        streams.removeAll { $0.isOver }
    }

    /// The connection to the daemon ended.
    func cutAll(_ failure: Failure) {
        for stream in streams where !stream.isOver { stream.cut(failure) }
        (streams, tickets) = ([], [:])
    }

    private func stream(_ id: StreamID) -> StreamInMemory? { streams.first { $0.id == id } }
}
