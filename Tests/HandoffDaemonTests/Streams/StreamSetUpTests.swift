// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct StreamSetUpTests {
    private let id = StreamFixture.stream(1)
    private let token = StreamFixture.token(1)
    private let entry = StreamFixture.entry(1)
    private let pass = StreamFixture.pass()
    private let desktop = StreamFixture.desktop

    // Shows C02.
    @Test func receiverAsksAndItsAppGetsATokenOfItsOwn() {
        var machine = Streams()
        let opened = machine.opened(id, by: "viewer", for: pass, at: .zero)
        #expect(opened == [.askDevice(id, pass)])
        let agreed = machine.agreed(id, token: token, way: .awaitDial, entry: entry, at: .zero)
        #expect(agreed == [.grant(id, entry.token)])
        let again = machine.agreed(id, token: token, way: .awaitDial, entry: entry, at: .zero)
        #expect(again.isEmpty)
    }

    @Test func originAsksItsAppAndTheDeviceGetsTheToken() {
        var machine = Streams()
        let origin = StreamFixture.pass(1, .advertising)
        let wanted = machine.wanted(id, of: "editor", entry: entry, for: origin, at: .zero)
        #expect(wanted == [.askClient("editor", StreamTicket(stream: id, token: entry.token), origin)])
        let agreed = machine.agreed(id, token: token, way: .dial, at: .zero)
        #expect(agreed == [.grant(id, token), .dial(id, desktop, StreamFixture.hello(token))])
    }

    // Shows C01.
    @Test func refusalIsTheAnswerAndNothingStays() {
        var machine = Streams()
        _ = machine.opened(id, by: "viewer", for: pass, at: .zero)
        let refused = machine.refused(id, .any(.noStreams))
        #expect(refused == [.fail(id, .any(.noStreams))])
        let (count, deadline) = (machine.count, machine.nextDeadline)
        #expect(count == 0 && deadline == nil)
    }

    enum Event: CaseIterable { case near, far }

    @Test(arguments: Event.allCases, StreamWay.all)
    func sidesComeInEitherOrder(first: Event, way: StreamWay) {
        var machine = Streams()
        _ = machine.open(1, way: way)
        var actions: [[StreamsAction]] = []
        for event in first == .near ? [Event.near, .far] : [.far, .near] {
            switch (event, way) {
            case (.near, _): actions.append(machine.attach(1, link: 1))
            case (.far, .dial): actions.append(machine.dialled(id, .success(2)))
            case (.far, .awaitDial):
                actions.append(machine.offered(StreamFixture.hello(token), by: desktop, link: 2, at: .zero))
            }
        }
        #expect(actions == [[], [.join(near: 1, far: 2)]])
        let (setUps, count, deadline) = (machine.setUps, machine.count, machine.nextDeadline)
        #expect(setUps == 0 && count == 1 && deadline == nil)
    }

    @Test func originsAppMayAttachBeforeItAnswers() {
        var machine = Streams()
        _ = machine.wanted(id, of: "editor", entry: entry, for: pass, at: .zero)
        let attached = machine.attach(1, link: 1)
        #expect(attached.isEmpty)
        _ = machine.agreed(id, token: token, way: .dial, at: .zero)
        let joined = machine.dialled(id, .success(2))
        #expect(joined == [.join(near: 1, far: 2)])
    }

    // MARK: Tokens

    private func asked() -> Streams {
        var machine = Streams()
        _ = machine.opened(StreamFixture.stream(1), by: "viewer", for: StreamFixture.pass(), at: .zero)
        return machine
    }

    private func arrive(_ number: Int, link: Int, at machine: inout Streams) -> [StreamsAction] {
        machine.offered(StreamFixture.hello(StreamFixture.token(number)), by: desktop, link: link, at: .zero)
    }

    private func agree(_ machine: inout Streams) -> [StreamsAction] {
        machine.agreed(StreamFixture.stream(1), token: token, way: .awaitDial, entry: entry, at: .zero)
    }

    @Test func aConnectionThatOvertakesItsAnswerIsJoined() {
        var machine = asked()
        let arrived = arrive(1, link: 2, at: &machine)
        #expect(arrived == [])
        let agreed = agree(&machine)
        #expect(agreed == [.grant(StreamFixture.stream(1), entry.token)])
        let joined = machine.attach(1, link: 1)
        #expect(joined == [.join(near: 1, far: 2)])
    }

    @Test func anEarlyConnectionWithAnotherTokenIsRefused() {
        var machine = asked()
        let arrived = arrive(7, link: 2, at: &machine)
        #expect(arrived == [])
        let agreed = agree(&machine)
        #expect(agreed == [.grant(StreamFixture.stream(1), entry.token), .refuse(2, .any(.notAllowed))])
    }

    @Test func anEarlyConnectionIsRefusedWithItsStream() {
        var machine = asked()
        _ = arrive(1, link: 2, at: &machine)
        let refused = machine.refused(StreamFixture.stream(1), .any(.appGone))
        #expect(refused == [.fail(StreamFixture.stream(1), .any(.appGone)), .refuse(2, .any(.notAllowed))])
    }

    @Test func asManyConnectionsMayBeEarlyAsStreamsAreAskedFor() {
        var machine = asked()
        _ = arrive(1, link: 2, at: &machine)
        let second = arrive(1, link: 3, at: &machine)
        #expect(second == [.refuse(3, .any(.notAllowed))])
        let closed = machine.closed(2, nil)
        #expect(closed == [])
        let third = arrive(1, link: 4, at: &machine)
        #expect(third == [])
    }

    @Test func appsTokenIsValidOnce() {
        var machine = Streams()
        _ = machine.open(1, way: .dial)
        _ = machine.attach(1, link: 1)
        let again = machine.attach(1, link: 3)
        #expect(again == [.refuse(3, .any(.notAllowed))])
        _ = machine.dialled(id, .success(2))
        let later = machine.attach(1, link: 4)
        #expect(later == [.refuse(4, .any(.notAllowed))])
    }

    @Test func devicesTokenIsValidOnce() {
        var machine = Streams()
        _ = machine.open(1, way: .awaitDial)
        _ = machine.offered(StreamFixture.hello(token), by: desktop, link: 2, at: .zero)
        let again = machine.offered(StreamFixture.hello(token), by: desktop, link: 3, at: .zero)
        #expect(again == [.refuse(3, .any(.notAllowed))])
        let joined = machine.attach(1, link: 1)
        #expect(joined == [.join(near: 1, far: 2)])
    }

    @Test func tokensAreBoundToWhatTheyWereGivenFor() {
        var machine = Streams()
        _ = machine.open(1, way: .awaitDial)
        let unknown: StreamsAction = .refuse(9, .any(.notAllowed))
        let guessed = machine.attached(StreamFixture.token(77), by: 100, link: 9, at: .zero)
        #expect(guessed == [unknown])
        let otherProcess = machine.attach(1, process: 101, link: 9)
        #expect(otherProcess == [unknown])
        let guessedByDevice = machine.offered(
            StreamFixture.hello(StreamFixture.token(77)), by: desktop, link: 9, at: .zero)
        #expect(guessedByDevice == [unknown])
        let otherDevice = machine.offered(
            StreamFixture.hello(token), by: StreamFixture.tablet, link: 9, at: .zero)
        #expect(otherDevice == [unknown])
        let otherActivity = machine.offered(
            StreamFixture.hello(token, activity: 2), by: desktop, link: 9, at: .zero)
        #expect(otherActivity == [unknown])
        let otherContinuation = machine.offered(
            StreamFixture.hello(token, continuation: 2), by: desktop, link: 9, at: .zero)
        #expect(otherContinuation == [unknown])
        // An app's token is not valid between devices, and the reverse.
        let swapped = machine.offered(StreamFixture.hello(entry.token), by: desktop, link: 9, at: .zero)
        #expect(swapped == [unknown])
        let swappedBack = machine.attached(token, by: 100, link: 9, at: .zero)
        #expect(swappedBack == [unknown])
        // None of these attempts used up the valid tokens.
        _ = machine.attach(1, link: 1)
        let joined = machine.offered(StreamFixture.hello(token), by: desktop, link: 2, at: .zero)
        #expect(joined == [.join(near: 1, far: 2)])
    }

    @Test func diallingSideRefusesIncomingLink() {
        var machine = Streams()
        _ = machine.open(1, way: .dial)
        let offered = machine.offered(StreamFixture.hello(token), by: desktop, link: 9, at: .zero)
        #expect(offered == [.refuse(9, .any(.notAllowed))])
    }

    @Test func tokensLiveTenSeconds() {
        for (age, counts) in [(Duration.milliseconds(9999), true), (.seconds(10), false)] {
            var machine = Streams()
            _ = machine.open(1, way: .awaitDial)
            let offered = machine.offered(StreamFixture.hello(token), by: desktop, link: 2, at: .at(age))
            #expect(offered == (counts ? [] : [.refuse(2, .any(.notAllowed))]))
            let attached = machine.attach(1, link: 1, at: .at(age))
            #expect(attached == (counts ? [.join(near: 1, far: 2)] : [.refuse(1, .any(.notAllowed))]))
        }
    }

    // MARK: One side is missing

    @Test func waitingAppIsRefusedIfDeviceDoesNotConnect() {
        var machine = Streams()
        _ = machine.open(1, way: .awaitDial)
        _ = machine.attach(1, link: 1, at: .at(.seconds(1)))
        let deadline = machine.nextDeadline
        #expect(deadline == .at(.seconds(10)))
        let actions = machine.deadlineReached(at: .at(.seconds(10)))
        #expect(actions == [.refuse(1, .any(.connectionUnavailable))])
        let count = machine.count
        #expect(count == 0)
    }

    @Test func waitingDeviceIsRefusedIfAppDoesNotAttach() {
        var machine = Streams()
        _ = machine.open(1, way: .awaitDial)
        _ = machine.open(2, way: .dial)
        _ = machine.offered(StreamFixture.hello(token), by: desktop, link: 2, at: .zero)
        _ = machine.dialled(StreamFixture.stream(2), .success(3))
        let actions = machine.deadlineReached(at: .at(.seconds(10)))
        #expect(actions == [.cut(3, .any(.appTimedOut)), .refuse(2, .any(.appTimedOut))])
        let (count, deadline) = (machine.count, machine.nextDeadline)
        #expect(count == 0 && deadline == nil)
    }

    @Test func failureBeforeAttachingIsTheAnswer() {
        var machine = Streams()
        _ = machine.open(1, way: .dial)
        let failed = machine.dialled(id, .failure(.any(.connectionUnavailable)))
        #expect(failed == [.tellDevice(desktop, token, .any(.connectionUnavailable))])
        let attached = machine.attach(1, link: 1)
        #expect(attached == [.refuse(1, .any(.connectionUnavailable))])
        let count = machine.count
        #expect(count == 0)
    }

    @Test func dialFailureAfterAttachingIsReportedAtOnce() {
        var machine = Streams()
        _ = machine.open(1, way: .dial)
        _ = machine.attach(1, link: 1)
        let failed = machine.dialled(id, .failure(.any(.connectionUnavailable)))
        let unavailable = Failure.any(.connectionUnavailable)
        #expect(failed == [.tellDevice(desktop, token, unavailable), .refuse(1, unavailable)])
    }

    // A side that waits for a dial is notified of its failure, before any deadline.
    @Test(arguments: [true, false]) func failedDialIsReportedToTheWaitingSide(attachesFirst: Bool) {
        var machine = Streams()
        _ = machine.open(1, way: .awaitDial)
        if attachesFirst { _ = machine.attach(1, link: 1) }
        let lost = machine.lost(token, by: desktop, .any(.connectionUnavailable))
        let refused: [StreamsAction] = [.refuse(1, .any(.connectionUnavailable))]
        #expect(lost == (attachesFirst ? refused : []))
        if !attachesFirst {
            let attached = machine.attach(1, link: 1)
            #expect(attached == refused)
        }
        let (count, deadline) = (machine.count, machine.nextDeadline)
        #expect(count == 0 && deadline == nil)
        // A dial that succeeds later is too late.
        let late = machine.offered(StreamFixture.hello(token), by: desktop, link: 2, at: .zero)
        #expect(late == [.refuse(2, .any(.notAllowed))])
    }

    @Test func onlyTheDeviceThatIsWaitedForGivesUpItsDial() {
        var machine = Streams()
        _ = machine.open(1, way: .awaitDial)
        _ = machine.open(2, way: .dial)
        for (token, device) in [
            (token, StreamFixture.tablet), (StreamFixture.token(77), desktop), (StreamFixture.token(2), desktop),
            (entry.token, desktop),
        ] {
            let lost = machine.lost(token, by: device, .any(.connectionUnavailable))
            #expect(lost.isEmpty)
        }
        _ = machine.attach(1, link: 1)
        let joined = machine.offered(StreamFixture.hello(token), by: desktop, link: 2, at: .zero)
        #expect(joined == [.join(near: 1, far: 2)])
        let after = machine.lost(token, by: desktop, .any(.connectionUnavailable))
        #expect(after.isEmpty)
    }

    @Test func appLeavingDuringTheDialIsReportedToTheWaitingDevice() {
        var machine = Streams()
        _ = machine.open(1, way: .dial)
        let actions = machine.clientClosed("viewer")
        #expect(actions == [.tellDevice(desktop, token, .any(.appGone))])
        let failed = machine.dialled(id, .failure(.any(.connectionUnavailable)))
        #expect(failed.isEmpty)
    }

    @Test func dialThatIsAnsweredTooLateIsCut() {
        var machine = Streams()
        _ = machine.open(1, way: .dial)
        _ = machine.clientClosed("viewer")
        let late = machine.dialled(id, .success(2))
        #expect(late == [.cut(2, .any(.cancelled))])
    }

    @Test func sideThatLeavesWhileItWaitsTakesTheOtherAlong() {
        var machine = Streams()
        _ = machine.open(1, way: .dial)
        _ = machine.attach(1, link: 1)
        let left = machine.closed(1, nil)
        #expect(left == [.tellDevice(desktop, token, .any(.appGone))])
        let late = machine.dialled(id, .success(2))
        #expect(late == [.cut(2, .any(.cancelled))])

        _ = machine.open(2, way: .awaitDial)
        _ = machine.offered(StreamFixture.hello(StreamFixture.token(2)), by: desktop, link: 3, at: .zero)
        let gone = machine.closed(3, .any(.connectionUnavailable))
        #expect(gone.isEmpty)
        let attached = machine.attach(2, link: 4)
        #expect(attached == [.refuse(4, .any(.streamCut))])
        let count = machine.count
        #expect(count == 0)
    }

    @Test func appThatQuitsEndsWhatItAskedFor() {
        var machine = Streams()
        _ = machine.wanted(id, of: "editor", entry: entry, for: pass, at: .zero)
        _ = machine.attach(1, link: 1)
        let actions = machine.clientClosed("editor")
        #expect(actions == [.fail(id, .any(.appGone)), .refuse(1, .any(.appGone))])
    }

    @Test func sessionThatEndsTakesOnlyWhatIsBeingAsked() {
        var machine = Streams()
        _ = machine.open(1, way: .awaitDial)
        _ = machine.opened(StreamFixture.stream(2), by: "viewer", for: pass, at: .zero)
        _ = machine.opened(
            StreamFixture.stream(3), by: "viewer", for: StreamFixture.pass(of: StreamFixture.tablet), at: .zero)
        let actions = machine.sessionClosed(desktop)
        #expect(actions == [.fail(StreamFixture.stream(2), .any(.deviceLost))])
        let count = machine.count
        #expect(count == 2)
    }

    @Test func appThatEndsItsBytesBeforeTheStreamIsThereGetsNone() {
        var machine = Streams()
        _ = machine.open(1, way: .dial)
        _ = machine.attach(1, link: 1)
        let actions = machine.said(StreamEnd(stream: id, byteCount: 0), by: "viewer")
        let malformed = Failure.any(.malformed)
        #expect(actions == [.tellDevice(desktop, token, malformed), .refuse(1, malformed)])
    }
}

extension StreamWay {
    static let all: [StreamWay] = [.dial, .awaitDial]
}
