// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import Testing

@testable import HandoffDesktop

/// The entries of processes in /proc, inside and outside sandboxes.
@Suite struct SandboxSignsTests {
    /// A /proc with one process.
    private final class Proc {
        let path = NSTemporaryDirectory() + "handoff-proc-" + UUID().uuidString

        init(
            exe: String = "/usr/bin/notes", comm: String = "notes", cgroup: String = "0::/user.slice/app.slice/x.scope",
            label: String = "unconfined", mounts: String = "mnt:[1]"
        ) throws {
            for folder in ["self/ns", "7/ns", "7/attr", "7/root"] {
                try FileManager.default.createDirectory(atPath: path + "/" + folder, withIntermediateDirectories: true)
            }
            for (file, text) in [("comm", comm), ("cgroup", cgroup), ("attr/current", label)] {
                try (text + "\n").write(toFile: path + "/7/" + file, atomically: false, encoding: .utf8)
            }
            try FileManager.default.createSymbolicLink(atPath: path + "/7/exe", withDestinationPath: exe)
            try FileManager.default.createSymbolicLink(atPath: path + "/7/ns/mnt", withDestinationPath: mounts)
            try FileManager.default.createSymbolicLink(atPath: path + "/self/ns/mnt", withDestinationPath: "mnt:[1]")
        }

        func finding(_ peer: BusPeer = BusPeer(processID: 7, userID: 1000)) -> SandboxSigns.Finding {
            withExtendedLifetime(self) { SandboxSigns(proc: path).finding(of: peer) }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test func aProgramOfTheSameMountsIsFree() throws {
        #expect(try Proc().finding() == .isFree)
    }

    @Test(arguments: ["/usr/bin/xdg-dbus-proxy", "/usr/bin/xdg-dbus-proxy (deleted)"])
    func flatpaksProxyIsConfined(exe: String) throws {
        #expect(try Proc(exe: exe).finding() == .isConfined)
    }

    @Test func aProxyWhoseFileCannotBeReadIsConfined() throws {
        #expect(try Proc(comm: "xdg-dbus-proxy").finding() == .isConfined)
    }

    @Test func aProgramInFlatpaksScopeIsConfined() throws {
        let scope = "0::/user.slice/user-1000.slice/app.slice/app-flatpak-com.example.Notes-42.scope"
        #expect(try Proc(cgroup: scope).finding() == .isConfined)
    }

    @Test(arguments: [
        ("snap.notes.notes (enforce)", true), ("snap.code.code (complain)", false), ("unconfined", false),
    ])
    func snapsLabelConfinesIfItIsEnforced(label: String, isConfined: Bool) throws {
        let finding = isConfined ? SandboxSigns.Finding.isConfined : .isFree
        #expect(try Proc(label: label).finding() == finding)
        let labelled = BusPeer(processID: 7, userID: 1000, securityLabel: label)
        #expect(try Proc().finding(labelled) == finding)
    }

    @Test func withoutLabelsSnapsScopeConfines() throws {
        let scope = "0::/user.slice/app.slice/snap.notes.notes-42.scope"
        #expect(try Proc(cgroup: scope, label: "").finding() == .isConfined)
    }

    @Test func aProgramWithOtherMountsIsLookedAt() throws {
        #expect(try Proc(mounts: "mnt:[2]").finding() == .hasOtherMounts)
        let proc = try Proc()
        #expect(!SandboxSigns.hasFlatpakRoot(7, proc: proc.path))
        try "".write(toFile: proc.path + "/7/root/.flatpak-info", atomically: false, encoding: .utf8)
        #expect(SandboxSigns.hasFlatpakRoot(7, proc: proc.path))
    }

    @Test func endedProcessHasNoSandboxFinding() throws {
        #expect(try Proc().finding(BusPeer(processID: 8, userID: 1000)) == .hasEnded)
        #expect(try Proc().finding(BusPeer(processID: nil, userID: 1000)) == .hasEnded)
    }
}
