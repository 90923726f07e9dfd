// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// An activity ID proves nothing: any member may offer or send an activity with another device's ID.
@Suite final class ActivityClaimTests {
    private let laptop: DeviceFixture
    private let tablet: DeviceFixture
    private let desktop: DeviceFixture
    private let editor = DeviceFixture.app("editor")
    private var running: [TestClient] = []

    init() throws {
        laptop = try DeviceFixture("laptop", apps: [editor])
        tablet = try DeviceFixture("tablet", number: 2, time: laptop.time, apps: [editor])
        desktop = try DeviceFixture("desktop", number: 3, time: laptop.time, apps: [editor])
        laptop.join(desktop)
        tablet.join(desktop)
    }

    private func start(_ activity: ActivityID, of device: DeviceID? = nil) -> LocalMessage? {
        let client = desktop.script()
        let request = client.request(
            .continuation(.startContinuation(StartContinuation(activity: activity, device: device))))
        desktop.time.advance(by: .seconds(1))
        return client.answers(to: request).last
    }

    private func failure(_ answer: LocalMessage?) -> Failure? {
        if case .failure(let failure)? = answer { failure } else { nil }
    }

    private func isContinued(_ answer: LocalMessage?) -> Bool {
        if case .continuation(.outcome)? = answer { true } else { false }
    }

    private var sentHere: [ListedActivity] { desktop.list(all: true).filter(\.isSent) }

    private func runSaving(on fixture: DeviceFixture) -> TestClient {
        running.append(fixture.runSaving(editor))
        return running[running.count - 1]
    }

    private func runReader() {
        let reader = desktop.run(editor)
        running.append(reader)
        reader.onFrame = { [weak reader] frame in
            switch frame.message {
            case .continuation(.willContinue), .continuation(.continueActivity):
                reader?.answer(frame.request, .done(accepted: true))
            default: break
            }
        }
    }

    @Test func offersOfOneIDByTwoDevicesNeedTheDevice() throws {
        runReader()
        laptop.publish(1, by: runSaving(on: laptop))
        laptop.time.advance(by: .seconds(5))
        tablet.publish(1, by: runSaving(on: tablet))
        let refused = try #require(failure(start(DeviceFixture.activity(1))))
        #expect(refused.code == .severalDevices)
        #expect(refused.reason == "several devices have an activity with this id: name the device")
        #expect(isContinued(start(DeviceFixture.activity(1), of: laptop.member.device)))
        #expect(isContinued(start(DeviceFixture.activity(1), of: tablet.member.device)))
    }

    @Test func aSentActivityDoesNotReplaceAnOfferOfItsID() throws {
        runReader()
        laptop.publish(1, by: runSaving(on: laptop))
        _ = laptop.answer(laptop.script(), .sending(.sendActivity(DeviceFixture.activity(1), to: "desktop")))
        let sent = try #require(sentHere.first).offer.activity
        _ = tablet.answer(
            runSaving(on: tablet),
            .advertising(
                .publish(
                    Publication(activity: sent, type: DeviceFixture.editing))))
        #expect(failure(start(sent))?.code == .severalDevices)
        #expect(isContinued(start(sent, of: tablet.member.device)))
        #expect(!sentHere.isEmpty)
        #expect(isContinued(start(sent, of: laptop.member.device)))
        #expect(sentHere.isEmpty)
    }

    private func dismiss(_ activity: ActivityID, of device: DeviceID? = nil) -> LocalMessage? {
        desktop.answer(desktop.script(), .sending(.dismissSent(activity, from: device)))
    }

    /// A member's choice of an ID never dismisses another device's activity.
    @Test func activitiesOfOneIDThatTwoDevicesSentNeedTheDevice() throws {
        let offer = Offer(
            activity: DeviceFixture.activity(1), type: DeviceFixture.editing, appName: DisplayText(cleaning: "Notes"),
            team: DeviceFixture.personal,
            since: laptop.time.wallTime)
        let sent = SentActivity(offer: offer, state: try CarriedState(ActivityState(type: DeviceFixture.editing)))
        for fixture in [laptop, tablet] {
            fixture.sessions.request(.sending(.sent(sent)), to: desktop.member.device, deadline: .seconds(1)) { _ in }
        }
        desktop.time.advance(by: .seconds(1))
        #expect(sentHere.count == 2)
        #expect(failure(dismiss(DeviceFixture.activity(1)))?.code == .severalDevices)
        #expect(sentHere.count == 2)
        #expect(dismiss(DeviceFixture.activity(1), of: tablet.member.device) == .done(accepted: true))
        #expect(sentHere.map(\.device) == [laptop.member.device])
        #expect(dismiss(DeviceFixture.activity(1)) == .done(accepted: true))
        #expect(sentHere.isEmpty)
        #expect(failure(dismiss(DeviceFixture.activity(1)))?.code == .activityGone)
    }

    @Test func anIDOfOneDeviceNeedsNoDevice() {
        runReader()
        laptop.publish(1, by: runSaving(on: laptop))
        tablet.publish(2, by: runSaving(on: tablet))
        #expect(isContinued(start(DeviceFixture.activity(1))))
    }
}
