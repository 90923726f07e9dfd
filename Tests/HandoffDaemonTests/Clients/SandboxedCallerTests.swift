// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Programs in a sandbox on the user's bus, which are identified by their package alone.
// Shows L16, T09.
@Suite struct SandboxedCallerTests {
    private let fixture: DeviceFixture
    private let notes: InstalledApp
    private let bank = DeviceFixture.entry("bank")
    private let snapped: InstalledApp

    init() throws {
        var notes = DeviceFixture.entry("notes")
        notes.sandbox = .flatpak(notes.bundle)
        var snapped = DeviceFixture.entry("snapped")
        snapped.sandbox = .snap(try BundleID("snapped"))
        (self.notes, self.snapped) = (notes, snapped)
        fixture = try DeviceFixture("laptop", apps: [notes, bank, snapped])
    }

    /// `names`: what it owns on the bus.
    private func answer(
        in sandbox: Sandbox?, claiming app: BundleID?, names: [String] = [], token: LaunchToken? = nil
    ) -> LocalMessage? {
        let client = fixture.listener.connect(executable: DeviceFixture.busDoor)
        let caller = BusCaller(processID: 7, file: nil, names: names, sandbox: sandbox)
        let request = client.hello(
            LocalHello(
                role: .app, bundle: app, name: notes.name, launchToken: token, receives: true, caller: caller))
        fixture.settle()
        return client.answers(to: request).first
    }

    private func expectRefused(_ answer: LocalMessage?, _ words: String) {
        guard case .failure(let failure)? = answer else {
            Issue.record("taken")
            return
        }
        #expect(failure.code == .notAllowed)
        #expect(failure.reason.contains(words), "\(failure.reason)")
    }

    private var identified: [BundleID?] { fixture.clients.clients.map(\.bundle) }

    @Test func flatpakIsTheAppOfItsExportedEntry() {
        _ = answer(in: notes.sandbox, claiming: notes.bundle)
        _ = answer(in: notes.sandbox, claiming: nil)
        #expect(identified == [notes.bundle, notes.bundle])
        #expect(fixture.clients.clients.map(\.receives) == [true, true])
    }

    @Test func flatpakCannotClaimAnotherAppByItsBusName() throws {
        expectRefused(
            answer(in: notes.sandbox, claiming: bank.bundle, names: [bank.bundle.name]),
            "runs in the Flatpak com.example.notes, not in the app it claims to be")
        let mpv = try BundleID(systemProgram: "mpv")
        expectRefused(answer(in: notes.sandbox, claiming: mpv), "not in the app it claims to be")
        #expect(identified.isEmpty)
    }

    @Test func flatpakWithTheIdentifierOfAnotherProgramIsNotThatProgram() {
        expectRefused(
            answer(in: .flatpak(bank.bundle), claiming: bank.bundle, names: [bank.bundle.name]),
            "is not the one that this package has exported")
        _ = answer(in: .flatpak(bank.bundle), claiming: nil, names: [bank.bundle.name])
        #expect(identified == [nil])
    }

    @Test func flatpakWithoutAnEntryIsAScript() throws {
        let other = try BundleID("com.example.other")
        _ = answer(in: .flatpak(other), claiming: other)
        _ = answer(in: .flatpak(other), claiming: nil, names: [bank.bundle.name])
        #expect(fixture.clients.clients.map(\.audience) == [.script, .script])
    }

    @Test func programOutsideTheSandboxIsNotItsApp() {
        expectRefused(answer(in: nil, claiming: notes.bundle, names: [notes.bundle.name]), "cannot prove")
        expectRefused(answer(in: snapped.sandbox, claiming: notes.bundle), "is not the one")
    }

    /// A program that the daemon started may start a Flatpak, which inherits its environment.
    @Test func inheritedTokenDoesNotMakeAFlatpakAnotherApp() throws {
        fixture.launcher.standard = .silent
        fixture.launching.ensureRunning(
            bank.bundle, for: DeviceFixture.editing, activation: nil, deadline: .seconds(10)
        ) { _ in }
        let token = try #require(fixture.launcher.launches.first?.token)
        _ = answer(in: notes.sandbox, claiming: nil, token: token)
        #expect(identified == [notes.bundle])
        #expect(fixture.clients.clients.first?.launchToken == nil)
    }

    @Test func startOfAFlatpakEndsWhenItRegistersWithItsToken() throws {
        fixture.launcher.standard = .silent
        var started: [BundleID?] = []
        fixture.launching.ensureRunning(
            notes.bundle, for: DeviceFixture.editing, activation: nil, deadline: .seconds(10)
        ) {
            started.append(try? $0.get().bundle)
        }
        let token = try #require(fixture.launcher.launches.first?.token)
        _ = answer(in: notes.sandbox, claiming: notes.bundle, token: token)
        #expect(started == [notes.bundle])
        #expect(fixture.clients.clients.first?.launchToken == token)
    }

    @Test func snapIsAnAppOfItsOwnEntriesOnly() {
        _ = answer(in: snapped.sandbox, claiming: snapped.bundle)
        #expect(identified == [snapped.bundle])
        expectRefused(
            answer(in: snapped.sandbox, claiming: bank.bundle, names: [bank.bundle.name]), "is not the one")
        _ = answer(in: snapped.sandbox, claiming: nil, names: [bank.bundle.name])
        #expect(fixture.clients.clients.map(\.audience) == [.app, .script])
    }
}
