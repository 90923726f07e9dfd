// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffClient
import HandoffWire
import Testing

@Suite struct BlockingClientTests {
    let hello = LocalHello(role: .control, name: DisplayText(cleaning: "handoff"))

    private func outcome<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async -> Swift.Result<Result, any Error> {
        do { return .success(try await blocking(body)) } catch { return .failure(error) }
    }

    private func failure(connectingTo locations: Locations, timeout: Duration = .seconds(30)) async -> Failure? {
        do {
            let hello = hello
            try await blocking { _ = try BlockingClient.connect(to: locations, hello: hello, timeout: timeout) }
            return nil
        } catch {
            return error as? Failure
        }
    }

    /// Retains the laptop, and so its daemon, until the client has finished.
    private func failure(connectingTo laptop: Laptop, timeout: Duration = .seconds(30)) async -> Failure? {
        let failure = await failure(connectingTo: laptop.locations, timeout: timeout)
        return withExtendedLifetime(laptop) { failure }
    }

    @Test func asksAndIsAnswered() async throws {
        let laptop = try Laptop()
        let (locations, hello) = (laptop.locations, hello)
        async let answer = blocking {
            let client = try BlockingClient.connect(to: locations, hello: hello, timeout: .seconds(30))
            let answer = try client.call(.status(.getStatus))
            return (client.welcome.deviceName.text, answer, try client.receive(timeout: .seconds(30)).message)
        }
        #expect(try await laptop.daemon.hellos.next().role == .control)
        let question = try await laptop.daemon.frames.next()
        // Another message arrives first and is kept.
        laptop.daemon.send(.advertising(.activityList([])))
        laptop.daemon.send(LocalFrame(.done(accepted: true), answer: question.request))
        let (name, first, kept) = try await answer
        #expect(name == "laptop")
        #expect(first == .done(accepted: true))
        #expect(kept == .advertising(.activityList([])))
    }

    @Test func answeredFailureIsThrown() async throws {
        let laptop = try Laptop()
        let (locations, hello) = (laptop.locations, hello)
        async let answer = outcome {
            let client = try BlockingClient.connect(to: locations, hello: hello, timeout: .seconds(30))
            return try client.call(.identity(.showAccount))
        }
        let question = try await laptop.daemon.frames.next()
        laptop.daemon.send(LocalFrame(.failure(Failure(.noAccount, "none yet")), answer: question.request))
        let result = await answer
        #expect(throws: Failure(.noAccount, "")) { try result.get() }
    }

    @Test func missingDaemonIsReported() async throws {
        let laptop = try Laptop(startingDaemon: false)
        let failure = await failure(connectingTo: laptop)
        #expect(failure?.code == .connectionUnavailable)
        #expect(failure?.reason == "Handoff is not running")
        #expect(failure?.detail.hasPrefix("the socket /tmp/") == true)
    }

    @Test func killedDaemonIsReported() async throws {
        let laptop = try Laptop()
        laptop.daemon.kill()
        let failure = await failure(connectingTo: laptop)
        #expect(failure?.detail.hasPrefix("nothing listens at") == true)
    }

    @Test func pathOverTheSystemsLimitIsReported() async throws {
        let failure = await failure(connectingTo: Locations(root: "/" + String(repeating: "a", count: 200)))
        #expect(failure?.reason.contains("too long") == true)
    }

    @Test func refusedHelloIsThrown() async throws {
        var manners = FakeDaemon.Manners()
        manners.answersHello = .failure(Failure(.versionUnsupported, "this daemon speaks 7 to 9"))
        let laptop = try Laptop(manners: manners)
        #expect(await failure(connectingTo: laptop)?.code == .versionUnsupported)
    }

    @Test func strangeAnswerToTheHelloIsRefused() async throws {
        var manners = FakeDaemon.Manners()
        manners.answersHello = .status(.getStatus)
        let laptop = try Laptop(manners: manners)
        #expect(await failure(connectingTo: laptop)?.code == .malformed)
    }

    @Test func silentDaemonIsGivenUp() async throws {
        var manners = FakeDaemon.Manners()
        manners.answersHello = nil
        let laptop = try Laptop(manners: manners)
        let failure = await failure(connectingTo: laptop, timeout: .milliseconds(30))
        #expect(failure?.reason == "the daemon did not answer in time")
    }

    @Test(arguments: [[255, 255, 255, 255], [0, 0, 0, 0], [0, 0, 0, 1, 255]] as [[UInt8]])
    func malformedFrameIsRefused(bytes: [UInt8]) async throws {
        let laptop = try Laptop()
        let (locations, hello) = (laptop.locations, hello)
        async let answer = outcome {
            let client = try BlockingClient.connect(to: locations, hello: hello, timeout: .seconds(30))
            return try client.call(.status(.getStatus))
        }
        _ = try await laptop.daemon.frames.next()
        laptop.daemon.sendRaw(bytes)
        let result = await answer
        #expect(throws: Failure(.malformed, "")) { try result.get() }
    }

    @Test func stoppedDaemonIsReported() async throws {
        let laptop = try Laptop()
        let (locations, hello) = (laptop.locations, hello)
        async let answer = outcome {
            let client = try BlockingClient.connect(to: locations, hello: hello, timeout: .seconds(30))
            return try client.receive()
        }
        // Stops in any case, because the client waits while the daemon runs.
        let greeting = try? await laptop.daemon.hellos.next()
        laptop.daemon.stop()
        let result = await answer
        #expect(greeting != nil)
        #expect(throws: Failure(.connectionUnavailable, "")) { try result.get() }
    }
}
