// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import TestPrograms
import Testing

@testable import HandoffHost

// Shows Y06.
@Suite(.timeLimit(.minutes(1))) struct MachineExaminationTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "handoff-doctor-\(UUID())")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func write(_ name: String, _ script: String) throws {
        try Program.write("#!/bin/sh\n\(script)\n", to: folder.appending(path: name).path)
    }

    private func firewalls(nft script: String, systemctl: String = "exit 3") throws -> [Observations.Firewall] {
        try write("nft", script)
        try write("systemctl", systemctl)
        // With a user's rights it would ask for a password.
        try write("firewall-cmd", "touch \(folder.path)/asked")
        return MachineExamination.firewalls(on: ["eth0"], environment: ["PATH": folder.path + ":/usr/bin:/bin"])
    }

    @Test(arguments: [("echo active", true), ("exec sleep 600", false), ("exit 3", false)])
    func firewalldIsNoticedWithoutRights(script: String, isNoticed: Bool) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let found = try firewalls(nft: "exit 1", systemctl: script)
        #expect(found.map(\.name).contains("firewalld") == isNoticed)
        let wasAsked = FileManager.default.fileExists(atPath: folder.appending(path: "asked").path)
        #expect(!wasAsked)
    }

    /// It hangs, refuses, answers with something else, and with too much.
    @Test(arguments: ["exec sleep 600", "exit 1", "echo nonsense", "exec yes"])
    func firewallToolThatDoesNotHelpIsReported(script: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let firewall = try #require(try firewalls(nft: script).first)
        #expect(firewall.name == "nftables")
        guard case .unreadable = firewall.verdict else {
            Issue.record("\(firewall.verdict)")
            return
        }
    }

    @Test func rulesAreJudged() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let firewall = try #require(try firewalls(nft: #"echo '{"nftables":[]}'"#).first)
        guard case .allows = firewall.verdict else {
            Issue.record("\(firewall.verdict)")
            return
        }
    }

    @Test func folderThatCannotBeWrittenHasAProblem() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let own = MachineExamination.storage(folder.path)
        #expect(own.problem == nil)
        #expect((own.free ?? 0) > 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left.isEmpty)
        #expect(MachineExamination.storage(folder.path + "/missing").problem == "No such file or directory")
        let file = folder.appending(path: "file")
        try Data().write(to: file)
        #expect(MachineExamination.storage(file.path).problem == "Not a directory")
    }

    @Test func hostNamesAreNotCalled() {
        #expect(DeviceReach.of([NetworkAddress(host: "desktop.example", port: 47474)]) == [nil])
        #expect(DeviceReach.of([]) == [])
    }

    @Test func portWithoutAProgramRefuses() {
        #expect(DeviceReach.of([NetworkAddress(host: "127.0.0.1", port: 1)]).map(\.?.reach) == [.refuses])
        #expect(DeviceReach.of([NetworkAddress(host: "::1", port: 1)]).count == 1)
    }

    @Test func listenersOfAPortAreFoundInTheKernelsTable() {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 00000000:B972 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 8771 1 0 100 0 0 10 0
               1: 0100007F:B972 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 8772 1 0 100 0 0 10 0
               2: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 8773 1 0 100 0 0 10 0
               3: B972
            """
        #expect(PortHolder.listeners(at: 0xB972, in: table) == ["8771"])
        #expect(PortHolder.listeners(at: 0xB972, in: "heading\nnonsense").isEmpty)
    }
}
