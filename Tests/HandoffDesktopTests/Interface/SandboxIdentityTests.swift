// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HandoffBus
import HandoffWire
import TestBuses
import Testing

@testable import HandoffDesktop

/// Which sandbox a program is in, from recorded entries of processes in /proc.
// Shows L16, T09.
@Suite(.timeLimit(.minutes(1))) struct SandboxIdentityTests {
    /// As Flatpak 1.14.10 wrote it into the root of the proxy.
    private static let recorded = """
        [Application]
        name=com.example.pynotes
        runtime=runtime/org.example.Platform/x86_64/1

        [Instance]
        instance-id=2861476031
        instance-path=/home/anna/.var/app/com.example.pynotes
        flatpak-version=1.14.10
        session-bus-proxy=true

        [Session Bus Policy]
        org.handoff.Participant1=talk

        """
    private static let proxy = "/usr/bin/xdg-dbus-proxy"

    /// A /proc with process 7.
    private final class Proc {
        let path = NSTemporaryDirectory() + "handoff-proc-" + UUID().uuidString

        init(exe: String = proxy, label: String = "unconfined", mounts: String = "mnt:[2]", info: String? = nil) throws
        {
            for folder in ["self/ns", "7/ns", "7/attr", "7/root"] {
                try FileManager.default.createDirectory(atPath: path + "/" + folder, withIntermediateDirectories: true)
            }
            for (file, text) in [("comm", "notes"), ("cgroup", "0::/"), ("attr/current", label)] {
                try (text + "\n").write(toFile: path + "/7/" + file, atomically: false, encoding: .utf8)
            }
            for (link, target) in [("7/exe", exe), ("7/ns/mnt", mounts), ("self/ns/mnt", "mnt:[1]")] {
                try FileManager.default.createSymbolicLink(atPath: "\(path)/\(link)", withDestinationPath: target)
            }
            try info?.write(toFile: self.info, atomically: false, encoding: .utf8)
        }

        var info: String { path + "/7/root/.flatpak-info" }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private func identify(
        _ proc: Proc, _ peer: BusPeer = BusPeer(processID: 7, userID: 1000)
    ) async throws -> Result<Sandbox?, BusFailure> {
        let fixture = try BusFixture()
        let found = await fixture.identify(peer, in: proc.path)
        await fixture.stop()
        return found
    }

    private func expectRefused(_ proc: Proc) async throws {
        guard case .failure(let failure) = try await identify(proc) else {
            Issue.record("identified")
            return
        }
        #expect(failure.name == BusFailure.accessDenied)
        #expect(failure.sentence.contains("cannot be identified"))
    }

    private func flatpak(_ name: String) throws -> Sandbox { .flatpak(try BundleID(name)) }

    @Test func proxyIsTheFlatpakThatItsRootNames() async throws {
        let found = try await identify(Proc(info: Self.recorded))
        #expect(try found.get() == flatpak("com.example.pynotes"))
    }

    @Test func flatpakThatReachesTheBusWithoutAProxyIsKnownToo() async throws {
        let found = try await identify(Proc(exe: "/app/bin/notes", info: Self.recorded))
        #expect(try found.get() == flatpak("com.example.pynotes"))
    }

    @Test func proxyWithoutAnAppIsRefused() async throws { try await expectRefused(Proc()) }

    @Test(arguments: [
        "", "[Application]\n", "name=com.example.notes\n", "[Runtime]\nname=org.example.Platform\n",
        "[Application]\nname=com.example.notes\nname=com.example.bank\n",
        "[Application]\nname=com.example.notes\n[Instance]\n[Application]\nname=com.example.bank\n",
        "[Application]\nname=com..notes\n", "[Application]\nname=system:mpv\n",
        "[Application]\nname= com.example.notes\n",
        "[Instance]\nname=com.example.notes\n", String(repeating: "#\n", count: FlatpakInfo.bytes),
    ])
    func fileThatNamesNotExactlyOneAppIsRefused(text: String) async throws {
        try await expectRefused(Proc(info: text))
        try await expectRefused(Proc(exe: "/app/bin/notes", info: text))
    }

    @Test func linkOrPipeInPlaceOfTheFileIsRefused() async throws {
        let link = try Proc()
        try Self.recorded.write(toFile: link.path + "/other", atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: link.info, withDestinationPath: link.path + "/other")
        try await expectRefused(link)
        let pipe = try Proc()
        try #require(mkfifo(pipe.info, 0o600) == 0)
        try await expectRefused(pipe)
    }

    @Test func containerOfAnotherKindIsNotASandbox() async throws {
        #expect(try await identify(Proc(exe: "/usr/bin/notes")).get() == nil)
        #expect(try await identify(Proc(exe: "/usr/bin/notes", mounts: "mnt:[1]", info: Self.recorded)).get() == nil)
    }

    @Test(arguments: [
        ("snap.notes.notes (enforce)", "notes"), ("snap.notes_two.daemon (enforce)", "notes_two"),
        ("snap.notes.hook.configure (enforce)", "notes"),
    ])
    func snapIsIdentifiedByItsLabel(label: String, name: String) async throws {
        let snap = Sandbox.snap(try BundleID(name))
        #expect(try await identify(Proc(exe: "/snap/notes/1/notes", label: label)).get() == snap)
        // The bus reports the label at the time of the connection, which takes precedence.
        let peer = BusPeer(processID: 7, userID: 1000, securityLabel: label)
        #expect(
            try await identify(Proc(exe: "/snap/bank/1/bank", label: "snap.bank.bank (enforce)"), peer).get() == snap)
    }

    @Test func labelThatConfinesNothingOrNamesNoSnapIdentifiesNone() async throws {
        let free = try Proc(exe: "/snap/notes/1/notes", label: "snap.notes.notes (complain)", mounts: "mnt:[1]")
        #expect(try await identify(free).get() == nil)
        for label in ["snap. (enforce)", "snap..notes (enforce)", "snap.notes (enforce)"] {
            try await expectRefused(Proc(exe: "/snap/notes/1/notes", label: label))
        }
    }
}

extension BusFixture {
    fileprivate func identify(_ peer: BusPeer, in proc: String) async -> Result<Sandbox?, BusFailure> {
        let sandboxes = SandboxGuard(Locations(root: "/nowhere"), signs: SandboxSigns(proc: proc), on: loop)
        return await withCheckedContinuation { done in
            sandboxes.identify(peer) { answer in withExtendedLifetime(sandboxes) { done.resume(returning: answer) } }
        }
    }
}
