// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Programs that the system installed, whose adapters take part for them over the bus.
@Suite struct SystemProgramTests {
    private let mpv = DeviceFixture.mpv
    private let vlc: InstalledApp
    private let player = DeviceFixture.app("player", types: [.playingMedia])
    private let laptop: DeviceFixture
    private let desktop: DeviceFixture

    init() throws {
        var vlc = DeviceFixture.mpv
        (vlc.bundle, vlc.name) = (try BundleID(systemProgram: "vlc"), DisplayText(cleaning: "VLC"))
        self.vlc = vlc
        laptop = try DeviceFixture("laptop", apps: [mpv, player])
        desktop = try DeviceFixture("desktop", number: 2, time: laptop.time, apps: [mpv, vlc, player])
        laptop.join(desktop)
    }

    private func hello(_ program: BundleID, over bus: Bool = true, token: LaunchToken? = nil) -> LocalHello {
        LocalHello(
            role: .app, bundle: program, name: mpv.name, launchToken: token, receives: false,
            caller: bus ? BusCaller(processID: 4711, file: nil) : nil)
    }

    private func switchOn(_ program: BundleID, off: Bool = false, on device: DeviceFixture) {
        let change = PolicyChange(PolicySubject(.advertising, of: program), isOff: off)
        _ = device.answer(device.script(), .policy(.setPolicy(change)))
    }

    private func adapter(of program: BundleID, on device: DeviceFixture) -> TestClient {
        let client = device.listener.connect(executable: DeviceFixture.busDoor)
        client.hello(hello(program))
        device.settle()
        return client
    }

    // Shows M01.
    @Test func adapterOnTheBusSpeaksForAnInstalledProgram() {
        _ = adapter(of: mpv.bundle, on: laptop)
        #expect(laptop.clients.clients.map(\.bundle) == [mpv.bundle])
        #expect(laptop.clients.clients.first?.team?.isOfSystemPrograms == true)
    }

    // Shows M01.
    @Test func programThatTheSystemHasNotInstalledIsRefused() throws {
        let client = laptop.listener.connect(executable: DeviceFixture.busDoor)
        let request = client.hello(hello(try BundleID(systemProgram: "vlc")))
        laptop.settle()
        #expect(client.answers(to: request).first == .failure(Failure(.notAllowed, "")))
    }

    // Shows M01.
    @Test func programBesidesTheBusSpeaksForNoSystemProgram() {
        let client = laptop.listener.connect(executable: "/usr/bin/python3")
        let request = client.hello(hello(mpv.bundle, over: false))
        laptop.settle()
        #expect(client.answers(to: request).first == .failure(Failure(.notAllowed, "")))
    }

    // Shows M01.
    @Test func adapterThatTheDaemonDidNotStartReceivesNothing() {
        var hello = hello(mpv.bundle)
        hello.receives = true
        let client = laptop.listener.connect(executable: DeviceFixture.busDoor)
        client.hello(hello)
        laptop.settle()
        #expect(laptop.clients.clients.map(\.receives) == [false])
    }

    // Shows M01.
    @Test func nothingIsOfferedUntilItsUserSwitchesItOn() {
        let adapter = adapter(of: mpv.bundle, on: laptop)
        laptop.publish(1, by: adapter, type: .playingMedia)
        #expect(desktop.list(all: true).isEmpty)
        switchOn(mpv.bundle, on: laptop)
        #expect(desktop.list().activities == [DeviceFixture.activity(1)])
        switchOn(mpv.bundle, off: true, on: laptop)
        #expect(desktop.list(all: true).isEmpty)
    }

    // Shows M01.
    @Test func sameProgramContinuesItElseAnotherOfItsKind() throws {
        switchOn(mpv.bundle, on: laptop)
        laptop.publish(1, by: adapter(of: mpv.bundle, on: laptop), type: .playingMedia)
        let listed = try #require(desktop.list().first)
        #expect(listed.target == .app(mpv.bundle))
        desktop.catalog.installed = [vlc, player]
        _ = desktop.answer(desktop.script(), .launching(.reloadApps))
        #expect(desktop.list().first?.target == .app(vlc.bundle))
    }

    // Shows M01.
    @Test func signedAppAndSystemProgramDoNotMeet() throws {
        switchOn(mpv.bundle, on: laptop)
        laptop.publish(1, by: adapter(of: mpv.bundle, on: laptop), type: .playingMedia)
        laptop.publish(2, by: laptop.run(player), type: .playingMedia)
        desktop.catalog.installed = [player]
        _ = desktop.answer(desktop.script(), .launching(.reloadApps))
        let targets = Dictionary(
            uniqueKeysWithValues: desktop.list(all: true).map { ($0.offer.activity, $0.target) })
        #expect(targets[DeviceFixture.activity(2)] == .app(player.bundle))
        guard case .nothing? = targets[DeviceFixture.activity(1)] else {
            Issue.record("continued by \(String(describing: targets[DeviceFixture.activity(1)]))")
            return
        }
        desktop.catalog.installed = [mpv]
        _ = desktop.answer(desktop.script(), .launching(.reloadApps))
        guard
            case .nothing? = desktop.list(all: true).first(where: { $0.offer.activity == DeviceFixture.activity(2) })?
                .target
        else {
            Issue.record("a system program continues a signed app's activity")
            return
        }
    }

    @Test func policyIsWatched() {
        let tool = laptop.script()
        let request = tool.request(.policy(.showPolicy(watch: true)))
        laptop.settle()
        switchOn(mpv.bundle, on: laptop)
        switchOn(mpv.bundle, on: laptop)
        let programs = tool.answers(to: request).map { answer -> [BundleID]? in
            if case .policy(.policy(let policy)) = answer { policy.programs } else { nil }
        }
        #expect(programs == [[], [mpv.bundle]])
    }
}
