// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Logging
import Testing

@testable import HandoffDaemon

/// The policy switches, on boards and lists.
@Suite struct PolicyServiceTests {
    private let editor = DeviceFixture.app("editor")
    private let viewer = DeviceFixture.app("viewer")
    private let laptop: DeviceFixture
    private let desktop: DeviceFixture

    init() throws {
        laptop = try DeviceFixture("laptop", apps: [editor, viewer])
        desktop = try DeviceFixture("desktop", number: 2, time: laptop.time, apps: [editor, viewer])
        laptop.join(desktop)
    }

    @discardableResult
    private func set(
        _ direction: HandoffDirection, of app: InstalledApp? = nil, off: Bool, for time: Duration? = nil,
        on fixture: DeviceFixture
    ) -> LocalMessage? {
        fixture.answer(
            fixture.script(),
            .policy(
                .setPolicy(
                    PolicyChange(
                        PolicySubject(direction, of: app?.bundle), isOff: off,
                        until: time.map(fixture.time.wallTime.advanced(by:))))))
    }

    private func policy(of fixture: DeviceFixture) -> PolicySummary? {
        guard case .policy(.policy(let policy))? = fixture.answer(fixture.script(), .policy(.showPolicy())) else {
            return nil
        }
        return policy
    }

    // Shows P01.
    @Test func switchedOffAdvertisingHidesAllActivities() {
        let app = laptop.run(editor)
        laptop.publish(1, by: app)
        #expect(desktop.list().activities == [DeviceFixture.activity(1)])
        set(.advertising, off: true, on: laptop)
        #expect(desktop.list(all: true).isEmpty, "what was shown is withdrawn at once")
        #expect(laptop.publish(2, by: app) == .done(accepted: true), "an app need not know")
        #expect(desktop.list(all: true).isEmpty)
        set(.advertising, off: false, on: laptop)
        #expect(desktop.list().activities == [DeviceFixture.activity(2)], "what is current comes back by itself")
    }

    // Shows G03.
    @Test func oneAppIsNotAdvertisedWhileTheOthersAre() {
        laptop.publish(1, by: laptop.run(editor))
        laptop.publish(2, by: laptop.run(viewer))
        set(.advertising, of: editor, off: true, on: laptop)
        #expect(desktop.list(all: true).activities == [DeviceFixture.activity(2)])
    }

    // Shows B22, P01.
    @Test func switchedOffReceivingHidesOffersOfOtherDevices() throws {
        laptop.publish(1, by: laptop.run(editor))
        set(.receiving, off: true, on: desktop)
        #expect(desktop.list().isEmpty)
        let shown = try #require(desktop.list(all: true).first)
        #expect(shown.target == .nothing("receiving is switched off on this device"))
        #expect(laptop.list().isEmpty)
        laptop.publish(2, by: laptop.run(viewer))
        set(.receiving, off: false, on: desktop)
        #expect(Set(desktop.list().activities) == [DeviceFixture.activity(1), DeviceFixture.activity(2)])
    }

    // Shows G03.
    @Test func appThatIsToReceiveNothingIsNotChosen() throws {
        laptop.publish(1, by: laptop.run(editor))
        #expect(desktop.list().first?.target == .app(editor.bundle))
        set(.receiving, of: editor, off: true, on: desktop)
        #expect(desktop.list().first?.target == .app(viewer.bundle))
        set(.receiving, of: viewer, off: true, on: desktop)
        let shown = try #require(desktop.list(all: true).first)
        #expect(shown.target == .nothing("receiving is switched off for com.example.editor"))
    }

    @Test func scriptIsToldThatNothingIsAdvertised() {
        set(.advertising, off: true, on: laptop)
        #expect(laptop.publish(1, by: laptop.script()) == .failure(Failure(.notAllowed, "")))
    }

    @Test func watchersSeeASwitchImmediately() {
        laptop.publish(1, by: laptop.run(editor))
        let lists = desktop.watch()
        set(.receiving, off: true, on: desktop)
        #expect(lists().map(\.activities) == [[DeviceFixture.activity(1)], []])
    }

    // Shows P03.
    @Test func timedSwitchTurnsBackOnSoonAfterASleep() {
        let app = laptop.run(editor)
        set(.advertising, off: true, for: .seconds(3600), on: laptop)
        laptop.publish(1, by: app)
        laptop.time.advance(by: .seconds(60))
        laptop.time.machineSleeps(for: .seconds(7200))
        laptop.time.advance(by: Instant.longestWait)
        #expect(desktop.list().activities == [DeviceFixture.activity(1)])
    }

    // Shows P03.
    @Test func timedSwitchTurnsBackOnAutomatically() {
        let app = laptop.run(editor)
        set(.advertising, off: true, for: .seconds(7200), on: laptop)
        laptop.publish(1, by: app)
        laptop.time.advance(by: .seconds(7100))
        #expect(desktop.list(all: true).isEmpty)
        laptop.time.advance(by: .seconds(100))
        #expect(desktop.list().activities == [DeviceFixture.activity(1)])
        #expect(policy(of: laptop)?.off.isEmpty == true)
    }

    @Test func appCannotSwitchAnythingOn() {
        set(.advertising, off: true, on: laptop)
        let app = laptop.run(editor)
        let wish = LocalMessage.policy(.setPolicy(PolicyChange(PolicySubject(.advertising), isOff: false)))
        #expect(laptop.answer(app, wish) == .failure(Failure(.notAllowed, "")))
        #expect(policy(of: laptop)?.off.count == 1)
    }

    // Shows P02.
    @Test func administratorIsNotOverruled() {
        laptop.publish(1, by: laptop.run(editor))
        laptop.rules.policy = AdministratorPolicy(off: [PolicySubject(.advertising)])
        #expect(desktop.list(all: true).isEmpty, "the ruling counts at once")
        #expect(set(.advertising, off: false, on: laptop) == .failure(Failure(.notAllowed, "")))
        #expect(set(.advertising, of: editor, off: false, on: laptop) == .failure(Failure(.notAllowed, "")))
        #expect(desktop.list(all: true).isEmpty)
        #expect(policy(of: laptop)?.off == [PolicySwitch(PolicySubject(.advertising), isByAdministrator: true)])
        laptop.rules.policy = AdministratorPolicy()
        #expect(desktop.list().activities == [DeviceFixture.activity(1)])
    }

    @Test func unreadablePolicyIsReported() {
        laptop.rules.policy = AdministratorPolicy(problem: "policy.json cannot be used")
        #expect(policy(of: laptop)?.problem == "policy.json cannot be used")
        #expect(policy(of: laptop)?.off.count == HandoffDirection.allCases.count)
    }

    // MARK: Restarts

    private func restarted(_ store: MemoryStateStore) throws -> PolicyService {
        let service = PolicyService(
            store: store, rules: MemoryAdministratorRules(), time: laptop.time,
            log: Logger(label: "policy") { _ in SwiftLogNoOpLogHandler() })
        try service.start()
        return service
    }

    // Shows P01.
    @Test func switchesSurviveARestart() throws {
        set(.advertising, off: true, on: laptop)
        set(.receiving, of: editor, off: true, for: .seconds(60), on: laptop)
        let service = try restarted(laptop.store)
        #expect(service.summary == policy(of: laptop))
        #expect(service.obstacle(to: .advertising, of: nil) != nil)
        laptop.time.advance(by: .seconds(60))
        #expect(service.obstacle(to: .receiving, of: editor.bundle) == nil)
    }

    @Test func damagedFileSwitchesEverythingOffUntilTheUserSpeaks() throws {
        let store = MemoryStateStore()
        try store.write(Array("advertising off".utf8), to: PolicyService.file)
        let service = try restarted(store)
        #expect(service.summary.off.count == HandoffDirection.allCases.count)
        #expect(service.summary.problem?.contains("handoff policy on") == true)
    }

    @Test func switchThatTheDiskRefusesDidNotHappen() {
        laptop.store.writeFailure = Failure(.stateNotWritable, "the disk is full")
        #expect(set(.advertising, off: true, on: laptop) == .failure(Failure(.stateNotWritable, "")))
        #expect(policy(of: laptop)?.off.isEmpty == true)
    }
}
