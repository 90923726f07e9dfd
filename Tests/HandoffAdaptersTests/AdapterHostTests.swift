// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffWire
import TestBuses
import Testing

@testable import HandoffAdapters

/// The adapter host between players and `handoff-bus`, on a real bus.
@Suite(.timeLimit(.minutes(1))) struct AdapterHostTests {
    /// Executables by unique name. All programs of a test are one process.
    private final class OtherPrograms { var files: [String: String] = [:] }

    private func start(
        on fixture: isolated BusFixture, at address: String, rest: Duration = AdapterHost.rest,
        program: String = "mpv", others: OtherPrograms = OtherPrograms(),
        end: @escaping (CInt) -> Void = { _ in }
    ) -> AdapterHost {
        let host = AdapterHost(
            environment: ["HOME": "/nonexistent"], address: address, rest: rest,
            programName: { _, name in others.files[name.text] ?? program },
            on: fixture.loop, end: end)
        host.start()
        return host
    }

    /// With a player whose media "A" is offered.
    private func offered(
        on fixture: isolated BusFixture, at address: String, others: OtherPrograms = OtherPrograms()
    ) async throws -> (BusHandoff, AdapterHost, BusPlayer) {
        let handoff = try await BusHandoff(on: fixture, at: address)
        let host = start(on: fixture, at: address, others: others)
        let player = try await BusPlayer(on: fixture, at: address)
        try await handoff.wait(isolation: fixture) { $0 == ["A"] }
        return (handoff, host, player)
    }

    // Shows M02.
    @Test func playerIsOfferedUntilItLeaves() async throws {
        try await withPrivateBus { fixture, bus in
            let (handoff, host, player) = try await offered(on: fixture, at: bus.address)
            let published = try #require(handoff.guest.heard.last?[0]?.properties)
            #expect(published["type"] == .string("org.handoff.program.media"))
            #expect(published["web-page-url"] == .string(BusPlayer.film))
            player.leave()
            try await handoff.wait(isolation: fixture) { $0 == ["A", "-"] }
            withExtendedLifetime(host) {}
        }
    }

    // Shows M02: the desktop reports the focus.
    @Test func focusedProgramBecomesCurrent() async throws {
        try await withPrivateBus { fixture, bus in
            let (handoff, host, player) = try await offered(on: fixture, at: bus.address)
            let focused = { (process: Int32) in
                BusCall(
                    HandoffNames.adapters, HandoffNames.adaptersPath, FocusWatch.interface, "Focused", [.int32(process)]
                )
            }
            // Another program, the player twice, and nonsense.
            for process in [1, getpid(), getpid(), 0, -1, .max] {
                _ = try await player.guest.call(focused(process), isolation: fixture).get()
            }
            try await handoff.guest.wait(isolation: fixture) { _ in handoff.calls.contains("Update") }
            let update = try #require(handoff.guest.heard.last { $0.member == "Update" })
            #expect(update[1]?.properties == [:])
            #expect(handoff.titles == ["A"])
            withExtendedLifetime(host) {}
        }
    }

    // Shows M02.
    @Test func savedStateHasThePlayersPositionAtThatMoment() async throws {
        try await withPrivateBus { fixture, bus in
            let (handoff, host, player) = try await offered(on: fixture, at: bus.address)
            player.position = 75_250_000
            let save = BusCall(
                handoff.adapter, HandoffNames.adaptersPath, HandoffNames.app, "Save", [.string("1")])
            let answer = try await handoff.guest.call(save, isolation: fixture).get()
            let state = try ProgramState(answer[0]?.properties ?? [:])
            #expect(state == ProgramState(source: .page(BusPlayer.film), place: .time(75.25), isPlaying: true))
            withExtendedLifetime(host) {}
        }
    }

    // Otherwise each save would be followed by another.
    @Test func readingTheStateReportsNoMove() async throws {
        try await withPrivateBus { fixture, bus in
            let player = try await BusPlayer(on: fixture, at: bus.address)
            let adapter = try await fixture.connect(to: bus.address)
            let tools = try FollowTools.of(adapter, on: fixture)
            let followed = try FollowedPlayer(InstanceName(player.uniqueName), tools)
            var moves = 0
            followed.moved = {
                moves += 1
                player.guest.hears(BusMessage(member: "moved"))
            }
            for _ in 0..<3 {
                let state = await withCheckedContinuation { done in followed.state { done.resume(returning: $0) } }
                #expect(state?.seconds == 61.5)
            }
            #expect(moves == 0)
            player.change(["PlaybackStatus": .string("Paused")])
            try await player.guest.wait(isolation: fixture) { _ in moves == 1 }
        }
    }

    @Test func onlyHandoffBusMayAskForTheState() async throws {
        try await withPrivateBus { fixture, bus in
            let (handoff, host, player) = try await offered(on: fixture, at: bus.address)
            let stranger = try await fixture.connect(to: bus.address)
            for (member, body) in [
                ("Save", [BusValue.string("1")]), ("WasContinued", [.string("1"), .string("desktop")]),
                ("Continue", [.string("1"), .properties([:]), .array(of: .array(.entry(.string, .variant)), [])]),
            ] {
                let call = BusCall(handoff.adapter, HandoffNames.adaptersPath, HandoffNames.app, member, body)
                guard case .failure(let failure) = await stranger.call(call, isolation: fixture) else {
                    Issue.record("\(member) was answered")
                    continue
                }
                #expect(failure.name == BusFailure.accessDenied)
            }
            #expect(!player.guest.heard.contains { $0.member == "Pause" })
            withExtendedLifetime(host) {}
        }
    }

    // Shows M01.
    @Test func nothingIsReadOfAPlayerThatIsOff() async throws {
        try await withPrivateBus { fixture, bus in
            let handoff = try await BusHandoff(on: fixture, at: bus.address)
            let others = OtherPrograms()
            let other = try await BusPlayer(on: fixture, at: bus.address, name: "vlc", playing: "B")
            others.files[other.uniqueName] = "vlc"
            let host = start(on: fixture, at: bus.address, others: others)
            let player = try await BusPlayer(on: fixture, at: bus.address)
            try await handoff.wait(isolation: fixture) { $0 == ["A"] }
            #expect(other.guest.heard.isEmpty)
            handoff.switchOn([])
            try await handoff.wait(isolation: fixture) { $0 == ["A"] }
            // With the player that runs already.
            handoff.switchOn(["system:mpv"])
            try await handoff.wait(isolation: fixture) { $0 == ["A", "A"] }
            withExtendedLifetime((host, player)) {}
        }
    }

    /// As playerctld does.
    @Test func programThatOnlySpeaksForAPlayerIsNotRead() async throws {
        try await withPrivateBus { fixture, bus in
            let handoff = try await BusHandoff(on: fixture, at: bus.address)
            let host = start(on: fixture, at: bus.address, program: "playerctld")
            let proxy = try await BusPlayer(on: fixture, at: bus.address, name: "playerctld")
            for _ in 0..<5 { _ = await proxy.guest.call(.bus("GetId", []), isolation: fixture) }
            #expect(proxy.guest.heard.isEmpty)
            #expect(handoff.titles.isEmpty)
            withExtendedLifetime(host) {}
        }
    }

    @Test func playerThatHangsHoldsUpNoOther() async throws {
        try await withPrivateBus { fixture, bus in
            let handoff = try await BusHandoff(on: fixture, at: bus.address)
            let silent = try await BusPlayer(
                on: fixture, at: bus.address, name: "mpv.instance1", playing: "B", hangs: true)
            let host = start(on: fixture, at: bus.address)
            let player = try await BusPlayer(on: fixture, at: bus.address)
            try await handoff.wait(.seconds(2), isolation: fixture) { $0 == ["A"] }
            withExtendedLifetime((host, silent, player)) {}
        }
    }

    @Test func floodOfChangesCausesFewMessagesAndTheLastIsSent() async throws {
        try await withPrivateBus { fixture, bus in
            let (handoff, host, player) = try await offered(on: fixture, at: bus.address)
            let start = ContinuousClock.now
            for number in 0..<2000 {
                player.change(["Metadata": BusPlayer.metadata("\(number)", "https://films.example/\(number % 2)")])
            }
            player.metadata = BusPlayer.metadata("last", "https://films.example/last")
            player.change(["Metadata": player.metadata])
            try await handoff.wait(isolation: fixture) { $0.last == "last" }
            let periods = start.duration(to: .now) / OfferStateMachine.period
            #expect(Double(handoff.calls.count - 2) <= 2 * periods + 2)
            withExtendedLifetime(host) {}
        }
    }

    @Test func silentPlayersLeaveRoomForOthersAfterAWhile() async throws {
        try await withPrivateBus { fixture, bus in
            let handoff = try await BusHandoff(on: fixture, at: bus.address)
            let silent = try await BusPlayer(
                on: fixture, at: bus.address, name: "mpv.instance0", playing: "B", hangs: true)
            for number in 1..<ProgramOffers.maximum {
                silent.more.append(
                    try await BusPlayer(
                        on: fixture, at: bus.address, name: "mpv.instance\(number)", playing: "B", hangs: true))
            }
            let host = start(on: fixture, at: bus.address)
            let player = try await BusPlayer(on: fixture, at: bus.address)
            // Once the questions to the others have expired, the next appearance is identified.
            let late = fixture.loop.after(BusPrograms.patience + .seconds(1)) {
                player.leave()
                player.guest.connection?.requestName("org.mpris.MediaPlayer2.mpv") { _ in }
            }
            try await handoff.wait(isolation: fixture) { $0 == ["A"] }
            withExtendedLifetime((host, silent, late)) {}
        }
    }

    // A viewer reads a large file before it answers.
    @Test func programThatAnswersLateIsFollowed() async throws {
        try await withPrivateBus { fixture, bus in
            let handoff = try await BusHandoff(on: fixture, at: bus.address)
            let player = try await BusPlayer(on: fixture, at: bus.address, hangs: true)
            let host = start(on: fixture, at: bus.address)
            let late = fixture.loop.after(BusPrograms.patience + .seconds(1)) { player.answer() }
            try await handoff.wait(isolation: fixture) { $0 == ["A"] }
            withExtendedLifetime((host, late)) {}
        }
    }

    @Test func nameThatAnotherProgramTakesOverIsIdentifiedAgain() async throws {
        try await withPrivateBus { fixture, bus in
            let others = OtherPrograms()
            let (handoff, host, player) = try await offered(on: fixture, at: bus.address, others: others)
            player.leave()
            let other = try await BusPlayer(on: fixture, at: bus.address, name: nil, playing: "B")
            others.files[other.uniqueName] = "other"
            try await other.own("mpv", isolation: fixture)
            try await handoff.wait(isolation: fixture) { $0 == ["A", "-"] }
            // Its signals come from a program that is not followed.
            player.change(["Metadata": BusPlayer.metadata("C")])
            other.change(["Metadata": BusPlayer.metadata("D")])
            for _ in 0..<3 { _ = await other.guest.call(.bus("GetId", []), isolation: fixture) }
            #expect(handoff.titles == ["A", "-"])
            withExtendedLifetime(host) {}
        }
    }

    // Shows M02.
    @Test func playingInstanceIsOffered() async throws {
        try await withPrivateBus { fixture, bus in
            let handoff = try await BusHandoff(on: fixture, at: bus.address)
            let host = start(on: fixture, at: bus.address)
            let first = try await BusPlayer(on: fixture, at: bus.address)
            try await handoff.wait(isolation: fixture) { $0 == ["A"] }
            let second = try await BusPlayer(on: fixture, at: bus.address, name: "mpv.instance2", playing: "B")
            try await handoff.wait(isolation: fixture) { $0 == ["A", "B"] }
            second.change(["PlaybackStatus": .string("Paused")])
            try await handoff.wait(isolation: fixture) { $0 == ["A", "B", "A"] }
            withExtendedLifetime((host, first)) {}
        }
    }

    @Test func newHandoffBusReceivesTheOfferAgain() async throws {
        try await withPrivateBus { fixture, bus in
            let (handoff, host, player) = try await offered(on: fixture, at: bus.address)
            handoff.vanish()
            let next = try await BusHandoff(on: fixture, at: bus.address)
            try await next.wait(isolation: fixture) { $0 == ["A"] }
            #expect(next.calls.first == "Register")
            withExtendedLifetime((host, player)) {}
        }
    }

    @Test func hostEndsWhenItHasNothingToWatch() async throws {
        try await withPrivateBus { fixture, bus in
            let handoff = try await BusHandoff(on: fixture, at: bus.address)
            var status: CInt?
            let guest = handoff.guest
            // Longer than it takes to find the player.
            let host = start(on: fixture, at: bus.address, rest: .seconds(2)) {
                status = $0
                guest.hears(BusMessage(member: "end"))
            }
            let player = try await BusPlayer(on: fixture, at: bus.address)
            try await handoff.wait(isolation: fixture) { $0 == ["A"] }
            #expect(status == nil)
            player.leave()
            try await handoff.guest.wait(isolation: fixture) { $0.heard.last?.member == "end" }
            #expect(status == 0)
            withExtendedLifetime(host) {}
        }
    }
}
