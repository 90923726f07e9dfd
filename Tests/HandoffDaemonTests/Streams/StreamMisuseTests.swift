// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

/// Invalid tokens and connections, on whole daemons.
@Suite struct StreamMisuseTests {
    private let pair: StreamPair
    private var simulation: Simulation { pair.simulation }
    private let notAllowed = TestStream.Answer.refused(Failure(.notAllowed, ""))

    init() throws { pair = try StreamPair.made(streamed: StreamPair.bytes(1000)) }

    private func attach(_ token: StreamToken, process: Int32, on device: SimulatedDevice) -> TestStream {
        device.listener.attach(token, processID: process)
    }

    @Test func appTokenIsValidOnceAndForItsProcessOnly() throws {
        let near = pair.open()
        #expect(simulation.time.run(until: { near.ticket != nil }, within: .seconds(2)))
        let token = try #require(near.ticket?.token)
        let process = try #require(near.stream?.processID)
        let stranger = attach(token, process: process + 1, on: pair.receiver)
        let second = attach(token, process: process, on: pair.receiver)
        // The origin's daemon did not issue this token.
        let elsewhere = attach(token, process: process, on: pair.origin)
        #expect(pair.finish())
        for stream in [stranger, second, elsewhere] { #expect(stream.answer == notAllowed) }
        let isWhole = near.got(pair.editor.streamed ?? [])
        #expect(isWhole, "\(near.summary)")
        let later = attach(token, process: process, on: pair.receiver)
        simulation.time.advance(by: .milliseconds(5))
        #expect(later.answer == notAllowed)
    }

    @Test func guessedTokensAreWorthNothing() {
        var random = Randomness.seeded(9)
        let guesses = (0..<200).map { _ in
            attach(.random(using: &random), process: 1, on: pair.origin)
        }
        simulation.time.advance(by: .milliseconds(5))
        #expect(guesses.allSatisfy { $0.answer == notAllowed })
        #expect(pair.daemonsAreIdle)
    }

    @Test func tokenThatIsTooOldIsRefused() throws {
        // An app that receives its ticket and waits.
        let client = SlowViewer(pair)
        let ticket = try client.ticket()
        simulation.time.advance(by: .seconds(10))
        let late = attach(ticket.token, process: client.client.processID, on: pair.receiver)
        simulation.time.advance(by: .seconds(1))
        #expect(late.answer == notAllowed)
        #expect(pair.daemonsAreIdle)
        // The other end, which may have been ready, was notified.
        let other = try #require(pair.editor.streams.last)
        #expect(other.refusal != nil || other.heardOfCut)
    }

    /// The third device, also a member, has learned a token.
    @Test func deviceTokenIsBoundToDeviceActivityAndContinuation() throws {
        let thief = simulation.devices[2]
        var spied: (hello: StreamHello, acceptor: MemoryNetwork.Host)?
        simulation.network.interceptsStream = { hello, acceptor in
            spied = (hello, acceptor)
            return .unanswered
        }
        let client = SlowViewer(pair)
        _ = try client.ticket()
        #expect(simulation.time.run(until: { spied != nil }, within: .seconds(1)))
        simulation.network.interceptsStream = nil
        let (right, host) = try #require(spied)
        let (acceptor, owner) =
            host == pair.origin.host ? (pair.origin, pair.receiver) : (pair.receiver, pair.origin)
        var otherActivity = right
        otherActivity.activity = ActivityID(uncheckedBytes: Array(repeating: 1, count: 16))
        var otherContinuation = right
        otherContinuation.continuation = ContinuationID(uncheckedBytes: Array(repeating: 1, count: 16))
        var guessed = right
        guessed.token = StreamToken(uncheckedBytes: Array(repeating: 1, count: 32))
        for (dialler, hello) in [
            (thief, right), (owner, otherActivity), (owner, otherContinuation), (owner, guessed),
        ] {
            #expect(try dial(acceptor, from: dialler.host, hello) == Failure(.notAllowed, ""))
        }
        // None of this used the token up; its owner does, and it is valid once.
        let first = try dial(acceptor, from: owner.host, right)
        #expect(first?.code != .notAllowed)
        #expect(try dial(acceptor, from: owner.host, right) == Failure(.notAllowed, ""))
    }

    private func dial(_ acceptor: SimulatedDevice, from host: String, _ hello: StreamHello) throws -> Failure? {
        let target = try #require(simulation.network.node(at: acceptor.host))
        let device = try #require(acceptor.device)
        var result: Result<any StreamLink, Failure>?
        simulation.network.node(at: host)?.network.dialStream(.address(target.address), expecting: device, hello: hello)
        {
            result = $0
        }
        #expect(simulation.time.run(until: { result != nil }, within: .seconds(11)))
        guard case .failure(let failure)? = result else { return nil }
        return failure
    }

    @Test func bytesBeforeTheAnswerCutTheirConnection() throws {
        let client = SlowViewer(pair)
        let ticket = try client.ticket()
        let stream = attach(ticket.token, process: client.client.processID, on: pair.receiver)
        stream.sendAtOnce([1, 2, 3])
        simulation.time.advance(by: .seconds(30))
        #expect(stream.isCut || stream.answer != .ready)
        #expect(stream.received.isEmpty && pair.daemonsAreIdle)
    }

    @Test func anAppHasSoManyStreamsAtATime() throws {
        let client = SlowViewer(pair)
        var streams: [TestStream] = []
        for _ in 0..<192 {
            let ticket = try client.ticket()
            streams.append(attach(ticket.token, process: client.client.processID, on: pair.receiver))
        }
        simulation.time.advance(by: .seconds(1))
        #expect(streams.allSatisfy { $0.answer == .ready && !$0.isCut } && pair.receiver.streamCount == 192)
        let request = client.client.request(.streams(.openStream(client.continuation)))
        simulation.time.advance(by: .seconds(1))
        guard case .failure(let failure)? = client.client.answers(to: request).first else {
            Issue.record("\(client.client.answers(to: request))")
            return
        }
        #expect(failure.code == .limitReached && failure.reason.contains("192"))
        // An ended stream makes room.
        streams[0].close()
        simulation.time.advance(by: .seconds(1))
        let ticket = try client.ticket()
        let next = attach(ticket.token, process: client.client.processID, on: pair.receiver)
        simulation.time.advance(by: .seconds(1))
        #expect(next.answer == .ready)
    }

    @Test func tenThousandOpensAreHeldToALimitAndGoneTenSecondsLater() throws {
        let client = SlowViewer(pair)
        let requests = (0..<10_000).map { _ in client.client.request(.streams(.openStream(client.continuation))) }
        simulation.time.advance(by: .seconds(5))
        var answers: [UInt64: [LocalMessage]] = [:]
        for frame in client.client.received where frame.answer != 0 {
            answers[frame.answer, default: []].append(frame.message)
        }
        var tickets = 0
        var limits = 0
        for request in requests {
            let answer = answers[request] ?? []
            #expect(answer.count == 1, "an opening got \(answer.count) answers")
            switch answer.first {
            case .streams(.streamTicket)?: tickets += 1
            case .failure(let failure)? where failure.code == .limitReached && failure.reason.contains("128"):
                limits += 1
            default: Issue.record("an opening got another answer")
            }
        }
        #expect(tickets == 128 && limits == 10_000 - 128)
        #expect(pair.receiver.streamCount <= 128 && pair.origin.streamCount <= 128)
        simulation.time.advance(by: .seconds(12))
        #expect(pair.daemonsAreIdle && simulation.network.openStreams == 0)
        // Another app's streams work throughout, and its own again now.
        let near = pair.open()
        #expect(pair.finish())
        #expect(near.incoming == .whole)
    }
}

/// A script that continued the pair's activity, and attaches on the test's request.
private final class SlowViewer {
    let client: TestClient
    private(set) var continuation: ContinuationID
    private let pair: StreamPair

    init(_ pair: StreamPair) {
        self.pair = pair
        // A newer process of the installed app that accepts continuations.
        let app = pair.viewer.app
        client = pair.receiver.listener.connect(executable: app.executable)
        client.hello(LocalHello(role: .app, bundle: app.bundle, name: app.name, receives: true))
        continuation = pair.continuation
        client.onFrame = { [weak client] frame in
            switch frame.message {
            case .continuation(.willContinue), .continuation(.continueActivity):
                client?.answer(frame.request, .done(accepted: true))
            default: break
            }
        }
        pair.simulation.time.advance(by: .milliseconds(5))
        let wish = pair.receiver.wish(for: pair.activity)
        _ = pair.simulation.time.run(until: { !wish.ends.isEmpty }, within: .seconds(5))
        for case .continuation(.continueActivity(let id, _, _)) in client.messages { continuation = id }
    }

    func ticket() throws -> StreamTicket {
        let request = client.request(.streams(.openStream(continuation)))
        _ = pair.simulation.time.run(until: { !client.answers(to: request).isEmpty }, within: .seconds(5))
        guard case .streams(.streamTicket(let ticket))? = client.answers(to: request).first else {
            throw Failure(.internal, "no ticket: \(client.answers(to: request))")
        }
        return ticket
    }
}
