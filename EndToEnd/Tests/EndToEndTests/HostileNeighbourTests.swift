// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Attacks from a device outside the account on the same network, as seen in similar programs; see
/// docs/threat-model.md. `endure` checks after each that no message between the two devices is lost, the daemon
/// responds, uses bounded memory and descriptors and releases them, trust is unchanged, and a restarted device
/// reconnects in its usual time. Shows X08.
@Suite(.serialized, .needsNamespaces, .timeLimit(.minutes(2))) struct HostileNeighbourTests {
    // Shows X08. CVE-2020-26164: a stranger used up sockets, memory and time before any authentication.
    @Test func connectionsThatSayNothing() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage)
            let report = try shared.endure("idle", count: 500)
            #expect(report["opened"]?.number == 500)
        }
    }

    // Shows X08. In another program, 44 incomplete handshakes locked out a trusted device until a restart.
    @Test func handshakesThatStopAnywhere() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage)
            let report = try shared.endure("stopping", count: 500)
            #expect(report["opened"]?.number == 500)
        }
    }

    // Shows X08. CVE-2020-26164, and an unbounded line: a record's size limits what is read before TLS.
    @Test func noiseAndLinesWithoutAnEnd() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage)
            let noise = try shared.endure("garbage", count: 100)
            #expect(noise["opened"] == noise["closed"])
            let line = try shared.endure("line", count: 1)
            #expect(line["cut"]?.number == 4)
            // Most of it is in the kernels' buffers.
            #expect(try #require(line["taken"]?.number) < 32 * 1024 * 1024)
        }
    }

    // Shows X08. CVE-2025-32901: an odd device id crashed the app. CVE-2026-44296: one bad hello blocked every device.
    @Test func bytesThatTripParsersElsewhere() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage)
            let report = try shared.endure("malformed", count: 20)
            #expect(report["sent"]?.number == 320)
        }
    }

    // Shows X07, X08. Another program listed every visitor as a device; here, devices missing in the roster are
    // ignored.
    @Test func strangersWithCertificatesOfTheirOwn() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage)
            let report = try shared.endure("strangers", count: 100)
            #expect(report["refused"]?.number == 100)
        }
    }

    // Shows X08, T02. CVE-2021-21404: a negative length. Strangers get no further than usual while a device joins.
    @Test func wrongLengthsAndMalformedCallsCloseTheConnection() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage)
            let invitation = try shared.laptop.invite()
            let report = try shared.endure("lengths", count: 2)
            #expect(report["tried"]?.number == 22)
            #expect(report["closed"] == report["tried"])
            // The invite is still valid.
            let phone = try Device("phone", on: stage, network: shared.network)
            try phone.startDaemon()
            try phone.join(invitation.code)
        }
    }

    // Shows X06, X07, T02. CVE-2025-32898: a short code could be guessed. Here, a device without the code does not even
    // reach TLS.
    @Test func guessesAtAnInvitesCode() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage)
            let invitation = try shared.laptop.invite()
            let report = try shared.endure("strangers", count: 100)
            #expect(report["refused"]?.number == 100)
            // The attacker could neither use the invite nor invalidate it.
            let phone = try Device("phone", on: stage, network: shared.network)
            try phone.startDaemon()
            try phone.join(invitation.code, at: invitation.address)
        }
    }

    // Shows X06, T02. Another program of this machine read the code, and used it first.
    @Test func deviceWithAStolenCodeIsNotAdmitted() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage)
            let devices = try shared.laptop.json("device", "list")
            let (invitation, inviting) = try shared.laptop.inviteAsking()
            let (thief, phone) = try (
                Device("thief", on: stage, network: shared.network), Device("phone", on: stage, network: shared.network)
            )
            for device in [thief, phone] { try device.startDaemon() }
            let (stealing, number) = try thief.joinShowingNumber(invitation.code, at: invitation.address)
            #expect(try inviting.asked() == number)
            let late = try phone.tryToJoin(invitation.code, at: invitation.address)
            #expect(late.code != 0 && late.errors.contains("used up"))
            // The phone shows a different number.
            try inviting.say("n")
            #expect(try inviting.waitForExit() != 0)
            #expect(try stealing.waitForExit() != 0)
            #expect(try shared.laptop.json("device", "list").elements.count == devices.elements.count)

            let (another, asking) = try shared.laptop.inviteAsking()
            let (joining, shown) = try phone.joinShowingNumber(another.code, at: another.address)
            #expect(try asking.asked() == shown)
            try asking.say("y")
            #expect(try joining.waitForExit() == 0)
            #expect(try asking.waitForExit() == 0)
        }
    }

    // Shows X04, X08. CVE-2025-32899 and CVE-2025-32900: a datagram unpaired or renamed a device.
    @Test func beaconsForgedAndRepeatedTenThousandTimesASecond() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage)
            let report = try shared.endure {
                let neighbour = try shared.start("beacons", count: 40_000)
                try neighbour.output.next("that it listens") { $0.contains("listening") }
                // So that there are beacons to receive.
                try shared.restartDesktop()
                return neighbour
            } meanwhile: {
                // Real beacons still take effect.
                try shared.restartDesktop()
            }
            #expect(try #require(report["heard"]?.number) > 0)
            #expect(try #require(report["sent"]?.number) > 10_000)
        }
    }

    // Shows X04, X08, T03. The same in the desktop's name, from the desktop's address and port.
    @Test func beaconsInTheNameOfTheTrustedDevice() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage)
            let cable = try shared.network.capture("laptop", withStreams: false)
            let report = try shared.endure {
                let neighbour = try shared.start("spoofed", count: 20_000, inTheNameOf: "desktop")
                try neighbour.output.next("that it listens") { $0.contains("listening") }
                // So that there are beacons to receive.
                try shared.restartDesktop()
                try neighbour.output.next("that it begins") { $0.contains("begins") }
                return neighbour
            }
            #expect(try #require(report["heard"]?.number) > 0)
            #expect(report["lost"]?.number == 0)
            // They reached the laptop's cable, with source addresses that look like the desktop's.
            let came = try cable.traffic().datagrams.filter { !$0.flow.isFromDevice && $0.flow.sourcePort == 47475 }
            let counts = Dictionary(grouping: came, by: \.flow.source).filter { $1.count > 2_000 }
            let addresses = Set(counts.keys.map { $0.map { String(format: "%02x", $0) }.joined() })
            #expect(addresses == Set(report["sources"]?.elements.compactMap(\.string) ?? []))
            #expect(addresses.count == 2, "over IPv4 and over IPv6")
        }
    }

    // Shows X07. CVE-2025-66270 and CVE-2025-54792: a program that answered at a device's address was taken for the
    // device.
    @Test func aNeighbourAtTheAddressOfADevice() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, .init(ipv6: false))
            let trusted = try shared.trust()
            let neighbour = try shared.start("impostor", count: 1)
            try neighbour.output.next("that it listens") { $0.contains("listening") }
            try shared.network.unplug("desktop")
            try shared.network.impersonate("desktop", by: "neighbour")
            let report = try JSON(
                text: try neighbour.output.next("its report", within: .seconds(15)) { $0.hasPrefix("{") })
            #expect(report["dialled"]?.number == 1)
            // No byte after the handshake.
            #expect(report["told"]?.number == 0)
            #expect(try shared.trust() == trusted)
            neighbour.stop()
            try shared.network.stopImpersonating("desktop", by: "neighbour")
            try shared.network.plug("desktop")
            try shared.waitForDesktop(within: .seconds(15))
            try shared.ping()
        }
    }

    // Shows X07. The version before calls: the devices cannot connect, and this one explains what to do.
    @Test func aDeviceOfTheFormerVersionIsNamed() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, .init(ipv6: false))
            let log = try #require(shared.laptop.daemon).errors
            let neighbour = try shared.start("former", count: 1)
            try neighbour.output.next("that it listens") { $0.contains("listening") }
            try log.wait(for: "the word of the caller's version") { lines in
                lines.contains { $0.contains("Connection refused") && $0.contains("older version") }
            }
            try shared.network.unplug("desktop")
            try shared.network.impersonate("desktop", by: "neighbour")
            try log.wait(for: "the word of its version", within: .seconds(30)) { lines in
                lines.contains { $0.contains("Device runs an incompatible version") && $0.contains("update it") }
            }
            let report = try JSON(text: try neighbour.output.next("its report") { $0.hasPrefix("{") })
            #expect(report["refused"]?.string?.isEmpty == false)
            #expect(report["told"]?.number == 0)
            neighbour.stop()
            try shared.network.stopImpersonating("desktop", by: "neighbour")
            try shared.network.plug("desktop")
            try shared.waitForDesktop(within: .seconds(30))
        }
    }

    // Shows X08. CVE-2025-27142, CVE-2022-42725, CVE-2023-29380, CVE-2026-42448: a received name became a path.
    @Test(arguments: [
        ("CFBundleIdentifier", "../../escape"), ("CFBundleIdentifier", "/tmp/escape"), ("CFBundleIdentifier", ".."),
        ("CFBundleExecutable", "../../../../../escape"), ("CFBundleExecutable", "/bin/sh"),
    ])
    func aBundleWhoseNamesClimbOutOfItsFolder(key: String, name: String) throws {
        try Stage.play { stage in
            let laptop = try Device("laptop", on: stage)
            let names = ["CFBundleIdentifier": "com.example.notes", "CFBundleExecutable": "Notes"]
                .merging([key: name]) { $1 }
            let bundle = try Self.bundle(in: stage.folder, names: names)
            let before = try Self.everything(below: stage.folder)
            let installed = try laptop.command(["app", "install", bundle.path])
            #expect(installed.code != 0)
            #expect(installed.errors.contains(key), "\(installed.errors)")
            #expect(try Self.everything(below: stage.folder) == before)
        }
    }

    // Shows X08. The same, by a link in the bundle.
    @Test(arguments: ["/etc", "../../..", "Contents/../../../escape"])
    func aBundleWithALinkOutOfItself(target: String) throws {
        try Stage.play { stage in
            let laptop = try Device("laptop", on: stage)
            let bundle = try Self.bundle(in: stage.folder, names: ["CFBundleIdentifier": "com.example.notes"])
            try FileManager.default.createSymbolicLink(
                atPath: bundle.appending(path: "Resources").path, withDestinationPath: target)
            let installed = try laptop.command(["app", "install", bundle.path])
            #expect(installed.code != 0)
            #expect(installed.errors.contains("leaves the bundle"), "\(installed.errors)")
        }
    }

    private static func bundle(in folder: URL, names: [String: String]) throws -> URL {
        let bundle = folder.appending(path: "Notes.app")
        let program = bundle.appending(path: "Contents/Linux/Notes")
        try FileManager.default.createDirectory(
            at: program.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("#!/bin/sh\n".utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        let keys = ["CFBundleExecutable": "Notes"].merging(names) { $1 }
            .map { "<key>\($0)</key><string>\($1)</string>" }.joined()
        let plist = #"<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>\#(keys)</dict></plist>"#
        try Data(plist.utf8).write(to: bundle.appending(path: "Contents/Info.plist"))
        return bundle
    }

    /// Without the laptop's own files.
    private static func everything(below folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix("laptop") }.sorted()
    }
}
