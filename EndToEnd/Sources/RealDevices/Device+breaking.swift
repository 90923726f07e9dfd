// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Device {
    /// Adds a rule, as `nft` takes it, for what arrives.
    package func filter(_ rule: String) throws {
        try run(
            "nft",
            "add table inet filter; add chain inet filter input { type filter hook input priority 0; }; "
                + "add rule inet filter input \(rule)")
    }

    /// With a system bus and settings of its own.
    package func startFirewalld() throws {
        let folder = root.appending(path: "firewalld")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = try Desktop.bus(on: stage, in: folder)
        _ = try start(
            program: ["/usr/sbin/firewalld", "--nofork", "--nopid", "--system-config", folder.path], name: "firewalld")
        try run("gdbus", "wait", "--system", "--timeout", "20", "org.fedoraproject.FirewallD1")
    }

    private static let fakeTimeLibrary = "/usr/lib/\(machine)-linux-gnu/faketime/libfaketimeMT.so.1"

    private static var machine: String {
        #if arch(arm64)
        "aarch64"
        #else
        "x86_64"
        #endif
    }

    package static var canFakeTime: Bool { FileManager.default.fileExists(atPath: fakeTimeLibrary) }

    /// For programs that start from now on. `difference`: as `faketime` takes it.
    package func fakeTime(_ difference: String) {
        environment["LD_PRELOAD"] = Self.fakeTimeLibrary
        environment["FAKETIME"] = difference
        environment["FAKETIME_DONT_FAKE_MONOTONIC"] = "1"
    }

    /// Starts a program that has Handoff's port of TCP.
    package func holdPort() throws {
        let holder = try start(program: ["python3", "-u", "-m", "http.server", "47474"], name: "holder")
        try holder.output.next(starting: "Serving")
    }
}
