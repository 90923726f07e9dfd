// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import HandoffClient

@Suite struct DaemonConnectionTests {
    private func connection(to laptop: Laptop) -> (DaemonConnection, Listener) {
        // Slow, so that these tests depend on events and not on the timer.
        var timings = DaemonConnection.Timings()
        timings.schedule.fallback = .seconds(3600)
        let listener = Listener()
        let connection = DaemonConnection(locations: laptop.locations, timings: timings)
        connection.start(listener)
        return (connection, listener)
    }

    @Test func requestsAreAnswered() async throws {
        let laptop = try Laptop()
        let (connection, listener) = connection(to: laptop)
        #expect(try await listener.events.next() == "connected")
        let answers = Mailbox<Result<LocalMessage, Failure>>()
        connection.request(.status(.getStatus)) { answers.post($0) }
        connection.request(.identity(.showAccount)) { answers.post($0) }
        let first = try await laptop.daemon.frames.next()
        let second = try await laptop.daemon.frames.next()
        laptop.daemon.send(LocalFrame(.failure(Failure(.noAccount, "none")), answer: second.request))
        laptop.daemon.send(LocalFrame(.done(accepted: true), answer: first.request))
        #expect(try await answers.next() == .failure(Failure(.noAccount, "none")))
        #expect(try await answers.next() == .success(.done(accepted: true)))
        connection.close()
        #expect(try await listener.events.next() == "disconnected")
    }

    @Test func followedRequestReceivesRepeatedAnswers() async throws {
        let laptop = try Laptop()
        let (connection, listener) = connection(to: laptop)
        _ = try await listener.events.next()
        let answers = Mailbox<Result<LocalMessage, Failure>>()
        connection.follow(.advertising(.listActivities(watch: true, all: false))) { result in
            answers.post(result)
            return true
        }
        let watch = try await laptop.daemon.frames.next()
        let steps = Mailbox<Result<LocalMessage, Failure>>()
        connection.follow(.status(.getStatus)) { result in
            steps.post(result)
            return false
        }
        let status = try await laptop.daemon.frames.next()
        for _ in 1...3 {
            laptop.daemon.send(LocalFrame(.advertising(.activityList([])), answer: watch.request))
            laptop.daemon.send(LocalFrame(.status(.status(DaemonStatus())), answer: status.request))
        }
        for _ in 1...3 { #expect(try await answers.next() == .success(.advertising(.activityList([])))) }
        laptop.daemon.stop()
        #expect(try await answers.next() == .failure(Failure(.connectionUnavailable, "")))
        #expect(try await steps.next() == .success(.status(.status(DaemonStatus()))))
        #expect(steps.waiting.isEmpty, "it wanted one")
        connection.close()
    }

    @Test func lostConnectionAnswersWhatIsOpen() async throws {
        let laptop = try Laptop()
        let (connection, listener) = connection(to: laptop)
        _ = try await listener.events.next()
        let answers = Mailbox<Result<LocalMessage, Failure>>()
        connection.request(.status(.getStatus)) { answers.post($0) }
        _ = try await laptop.daemon.frames.next()
        laptop.daemon.stop()
        #expect(try await answers.next() == .failure(Failure(.connectionUnavailable, "")))
        #expect(try await listener.events.next() == "disconnected")
        #expect(!connection.send(.status(.getStatus)))
        #expect(!connection.request(.status(.getStatus)) { _ in Issue.record("there is no connection") })
        connection.close()
    }

    @Test func daemonThatComesIsSeenAtOnce() async throws {
        // Not even the socket's folder exists.
        let laptop = try Laptop(startingDaemon: false)
        let (connection, listener) = connection(to: laptop)
        #expect(try await listener.events.next() == "unavailable")
        try laptop.daemon.start()
        // The quick retries after the first may also have been too early.
        while try await listener.events.next() != "connected" {}
        for _ in 1...3 {
            laptop.daemon.stop()
            #expect(try await listener.events.next() == "disconnected")
            try laptop.daemon.start()
            while try await listener.events.next() != "connected" {}
        }
        connection.close()
    }

    @Test func largeMessagesGoThroughWhole() async throws {
        let laptop = try Laptop()
        let (connection, listener) = connection(to: laptop)
        _ = try await listener.events.next()
        let state = ActivityState(
            type: try ActivityType("com.example.a"), userInfo: Array(repeating: 7, count: Limits.userInfoBytes))
        for _ in 1...20 { #expect(connection.send(.advertising(.saved(state, saving: .zero)))) }
        for _ in 1...20 {
            #expect(try await laptop.daemon.frames.next().message == .advertising(.saved(state, saving: .zero)))
        }
        connection.close()
    }

    /// The connection's thread sends the rest of what the socket does not accept at once; later messages wait.
    @Test func orderIsKeptWhereTheSocketTakesOnlyAPart() async throws {
        let daemon = DeafDaemon()
        let laptop = try Laptop(startingDaemon: false)
        try daemon.start(at: laptop.locations)
        let (connection, listener) = connection(to: laptop)
        #expect(try await listener.events.next() == "connected")
        let large = ActivityState(
            type: try ActivityType("com.example.a"), userInfo: Array(repeating: 7, count: Limits.userInfoBytes))
        var said: [LocalMessage] = []
        for number in 0..<12 {
            said.append(.advertising(.saved(large, saving: .microseconds(number))))
            said.append(.advertising(.withdraw(ActivityID(uncheckedBytes: Array(repeating: UInt8(number), count: 16)))))
        }
        for message in said {
            let isTaken = connection.send(message)
            #expect(isTaken)
        }
        daemon.listen()
        for message in said { #expect(try await daemon.frames.next().message == message) }
        connection.close()
        daemon.stop()
    }

    /// The rest of a frame that was cut off must not begin the next connection.
    @Test func halfAFrameIsNotGoneOnWithOnTheNextConnection() async throws {
        let deaf = DeafDaemon()
        let laptop = try Laptop(startingDaemon: false)
        try deaf.start(at: laptop.locations)
        let (connection, listener) = connection(to: laptop)
        #expect(try await listener.events.next() == "connected")
        let large = ActivityState(
            type: try ActivityType("com.example.a"), userInfo: Array(repeating: 7, count: Limits.userInfoBytes))
        for _ in 0..<8 { connection.send(.advertising(.saved(large, saving: .zero))) }
        deaf.stop()
        try laptop.daemon.start()
        deaf.hangUp()
        #expect(try await listener.events.next() == "disconnected")
        while try await listener.events.next() != "connected" {}
        #expect(connection.send(.status(.getStatus)))
        #expect(try await laptop.daemon.frames.next().message == .status(.getStatus))
        connection.close()
    }

    @Test func daemonThatDoesNotReadIsGivenUp() async throws {
        let daemon = DeafDaemon()
        let laptop = try Laptop(startingDaemon: false)
        try daemon.start(at: laptop.locations)
        let (connection, listener) = connection(to: laptop)
        #expect(try await listener.events.next() == "connected")
        let state = ActivityState(
            type: try ActivityType("com.example.a"), userInfo: Array(repeating: 7, count: Limits.userInfoBytes))
        // More than the socket and the queue hold; never blocks.
        while connection.send(.advertising(.saved(state, saving: .zero))) {}
        #expect(try await listener.events.next() == "disconnected")
        connection.close()
        daemon.stop()
    }

    @Test func messageOfANewerDaemonIsAnswered() async throws {
        let laptop = try Laptop()
        let (connection, listener) = connection(to: laptop)
        _ = try await listener.events.next()
        #expect(try await laptop.daemon.request(.unknown) == .failure(Failure(.unimplemented, "")))
        connection.close()
    }

    @Test func brokenDaemonIsLeft() async throws {
        let laptop = try Laptop()
        let (connection, listener) = connection(to: laptop)
        _ = try await listener.events.next()
        laptop.daemon.sendRaw([255, 255, 255, 255])
        #expect(try await listener.events.next() == "disconnected")
        connection.close()
    }

    @Test func wakingRunsOnTheConnectionsThread() async throws {
        let laptop = try Laptop(startingDaemon: false)
        let (connection, listener) = connection(to: laptop)
        _ = try await listener.events.next()
        connection.wake()
        while try await listener.events.next() != "woken" {}
        connection.close()
    }

    @Test func connectionEndsWithItsOwner() async throws {
        let laptop = try Laptop()
        var (connection, listener): (DaemonConnection?, Listener?) = connection(to: laptop)
        let events = try #require(listener?.events)
        #expect(try await events.next() == "connected")
        weak let before = connection
        listener = nil
        connection?.close()
        connection = nil
        // The daemon notices the end.
        #expect(await soon { before == nil })
    }
}

private final class Listener: DaemonConnectionEvents {
    let events = Mailbox<String>()

    func hello() -> LocalHello { LocalHello(role: .app, name: DisplayText(cleaning: "Reader")) }
    func connected(_ welcome: Welcome) { events.post("connected") }
    func disconnected(_ failure: Failure) { events.post("disconnected") }
    func unavailable(_ failure: Failure) { events.post("unavailable") }
    func received(_ message: LocalMessage, ticket: AnswerTicket?) { events.post("received") }
    func woken() { events.post("woken") }
}

@Suite struct OutboxTests {
    @Test func keepsTheOrderAndTheLimit() {
        var outbox = Outbox()
        var fits = [outbox.append([1, 2, 3])]
        outbox.removeFirst(1)
        fits.append(outbox.append([4]))
        #expect(Array(outbox.pending) == [2, 3, 4])
        fits.append(outbox.append(Array(repeating: 0, count: Outbox.limit)))
        outbox.removeFirst(3)
        #expect(outbox.isEmpty)
        fits.append(outbox.append(Array(repeating: 0, count: Outbox.limit)))
        #expect(fits == [true, true, false, true])
    }
}

@Suite struct ReconnectScheduleTests {
    @Test func triesQuicklyThenSlowlyAndQuicklyAgain() {
        var schedule = ReconnectSchedule()
        schedule.quick = [.milliseconds(1), .milliseconds(2)]
        schedule.fallback = .seconds(30)
        var waits: [Duration] = []
        for _ in 1...4 { waits.append(schedule.failed()) }
        #expect(waits == [.milliseconds(1), .milliseconds(2), .seconds(30), .seconds(30)])
        let blind = schedule.failed(isBlind: true)
        #expect(blind == .seconds(2))
        schedule.restarted()
        let afterRestart = schedule.failed()
        #expect(afterRestart == .milliseconds(1))
    }
}
