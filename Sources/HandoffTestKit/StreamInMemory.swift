// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffClient
internal import HandoffTesting
internal import HandoffWire

/// One app's end of a stream. The daemons set it up and cut it, in simulated time, but its bytes use a socket pair, so
/// that the apps' threads and tasks can wait for each other while time stops.
@MainActor final class StreamInMemory {
    let id: StreamID
    private let line: SimulatedLine
    private let carried: TestStream
    private let client: TestClient
    private let meeting: StreamMeeting
    /// Nil once called.
    private var answer: SimulatedLine.StreamAnswer?
    /// While the app holds one of its directions.
    private weak var attached: AttachedStream?
    private var isWritten = false
    private var isCut = false

    init(
        _ id: StreamID, _ carried: TestStream, of client: TestClient, _ line: SimulatedLine, meeting: StreamMeeting,
        answer: @escaping SimulatedLine.StreamAnswer
    ) {
        self.id = id
        self.carried = carried
        self.client = client
        self.line = line
        self.meeting = meeting
        self.answer = answer
        carried.onChange = { [weak self] in self?.changed() }
    }

    var isBeingOpened: Bool { answer != nil }

    private func changed() {
        guard isBeingOpened else { return }
        switch carried.answer {
        case .none: break
        case .refused(let failure): cut(failure)
        case .ready where carried.isCut: cut(Failure(.streamCut, "the stream was interrupted before it opened"))
        case .ready:
            meeting.waits(self)
            if carried.sentCount == 0 { carried.send(id.bytes) }
            guard let other = try? StreamID(bytes: carried.received.prefix(id.bytes.count)) else { return }
            meeting.join(self, with: other)
        }
    }

    func join(_ other: StreamInMemory) {
        do throws(Failure) {
            let (here, there) = try AttachedStream.pair()
            line.join(id, with: SimulatedLine.Partner(line: other.line, stream: other.id))
            other.line.join(other.id, with: SimulatedLine.Partner(line: line, stream: id))
            attach(here)
            other.attach(there)
        } catch {
            cut(error)
            other.cut(error)
        }
    }

    private func attach(_ attached: AttachedStream) {
        self.attached = attached
        answer.take()?(.success(attached))
    }

    /// Also tells the daemons, so that they see an orderly end.
    func written() {
        isWritten = true
        client.finish(carried, id)
    }

    /// By the daemon, or at the end of this process.
    func cut(_ failure: Failure) {
        guard !isCut else { return }
        isCut = true
        meeting.leaves(id)
        line.part(id)
        carried.close()
        if let answer = answer.take() { return answer(.failure(failure)) }
        attached?.socket.cut()
        line.events?.received(
            .streams(.streamEnded(StreamEnd(stream: id, byteCount: 0, failure: failure))), ticket: nil)
    }

    var isOver: Bool { isCut || (isWritten && carried.hasEnded) }

    /// Cuts a stream that the app released without ending it.
    func look() {
        // In this order: an app reports the end before it releases the stream.
        guard !isBeingOpened, attached == nil, line.isJoined(id) else { return }
        cut(Failure(.streamCut, "the app released the stream"))
    }
}

@MainActor final class StreamMeeting {
    private var waiting: [StreamID: StreamInMemory] = [:]

    func waits(_ stream: StreamInMemory) { waiting[stream.id] = stream }
    func leaves(_ stream: StreamID) { waiting[stream] = nil }

    /// The first end that knows the other's id joins both.
    func join(_ stream: StreamInMemory, with other: StreamID) {
        guard let other = waiting[other] else { return }
        leaves(stream.id)
        leaves(other.id)
        stream.join(other)
    }
}

extension AttachedStream {
    fileprivate static func pair() throws(Failure) -> (AttachedStream, AttachedStream) {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            let reason = String(cString: strerror(errno))
            throw Failure(.limitReached, "this process cannot have another stream: \(reason)")
        }
        return (
            AttachedStream(StreamSocket(adopting: ends[0])), AttachedStream(StreamSocket(adopting: ends[1]))
        )
    }
}
