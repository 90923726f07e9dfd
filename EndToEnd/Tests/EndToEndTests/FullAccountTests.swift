// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// An account of the largest size, between real daemons: 64 devices and 1,024 statements.
@Suite(.serialized, .needsNamespaces, .timeLimit(.minutes(3))) struct FullAccountTests {
    // Shows T02, T03, X06.
    @Test func theSixtyFourthDeviceJoinsAndTheSixtyFifthDoesNot() throws {
        try Stage.play { stage in
            let network = try Network(on: stage)
            let devices = try ["laptop", "desktop", "tablet", "phone"].map {
                try Device($0, on: stage, network: network)
            }
            let (laptop, desktop, tablet, phone) = (devices[0], devices[1], devices[2], devices[3])
            for device in devices { try device.startDaemon() }
            try laptop.found(with: [desktop])

            // While both are away, the account grows at one of them.
            try desktop.stopDaemon()
            try laptop.stopDaemon()
            let crowd = try laptop.fill(members: 63, removed: 20, statements: 1023)
            #expect(crowd["members"]?.number == 63 && crowd["statements"]?.number == 1023)
            let bytes = try #require(crowd["bytes"]?.number)
            #expect((388_000...393_216 - 500).contains(bytes))
            try laptop.startDaemon()
            #expect(try laptop.deviceNames.count == 63)
            #expect(try laptop.statements == 1023)

            // The other device gets the whole roster in its next session.
            try desktop.startDaemon()
            try desktop.awaitStatements(1023)
            #expect(try desktop.deviceNames == laptop.deviceNames)

            // Both codes are older than the 64th device.
            let (late, lateCommand) = try desktop.inviteWaiting()
            let invitation = try laptop.invite()
            try tablet.join(invitation.code, at: invitation.address)
            for device in [laptop, desktop, tablet] { try device.awaitStatements(1024) }
            for device in [laptop, desktop, tablet] { #expect(try device.deviceNames.count == 64) }
            #expect(try tablet.deviceNames == laptop.deviceNames)
            try laptop.awaitConnection(to: "tablet")
            try tablet.awaitConnection(to: "laptop")
            try tablet.awaitConnection(to: try desktop.ownName)

            let reason = "the account has 64 devices, the most that an account can have"
            let stored = try desktop.account
            let refused = try phone.tryToJoin(late.code, at: late.address)
            #expect(refused.code != 0 && refused.errors.contains(reason), "\(refused.errors)")
            #expect(try lateCommand.waitForExit() != 0)
            #expect(lateCommand.errors.text.contains(reason), "\(lateCommand.errors.text)")
            #expect(try desktop.account == stored)
            #expect(try phone.account == nil)
            let uninvited = try laptop.command(["account", "invite", "--yes"])
            #expect(uninvited.code != 0 && uninvited.errors.contains(reason), "\(uninvited.errors)")

            for device in [laptop, tablet] { try device.stopDaemon() }
            for device in [laptop, tablet] { try device.startDaemon() }
            for device in [laptop, desktop, tablet] {
                #expect(try device.deviceNames.count == 64)
                #expect(try device.statements == 1024)
            }
            try tablet.awaitConnection(to: "laptop")
        }
    }
}

extension Device {
    /// Call only while the daemon is stopped.
    fileprivate func fill(members: Int, removed: Int, statements: Int) throws -> JSON {
        let ended = try RunningProgram.run([
            Builds.crowd, root.appending(path: "state").path, "--members", "\(members)", "--removed", "\(removed)",
            "--statements", "\(statements)", "--name-bytes", "133",
        ])
        guard ended.code == 0 else { throw Unmet("the account is not filled: \(ended.errors)") }
        return try JSON(text: ended.output)
    }

    fileprivate var devices: [JSON] { get throws { try json("device", "list").elements } }

    fileprivate var deviceNames: Set<String> {
        get throws { Set(try devices.compactMap { $0["name"]?.string }) }
    }

    fileprivate var ownName: String {
        get throws { try #require(try devices.first { $0["thisDevice"]?.bool == true }?["name"]?.string) }
    }

    fileprivate var statements: Int { get throws { try json("account", "log").elements.count } }

    fileprivate var account: Data? {
        get throws {
            let file = root.appending(path: "state/account.bin")
            return FileManager.default.fileExists(atPath: file.path) ? try Data(contentsOf: file) : nil
        }
    }

    /// A roster arrives in parts, each of which the daemon logs.
    fileprivate func awaitStatements(_ count: Int) throws {
        try awaitLine("Roster changed") { try statements == count }
    }

    fileprivate func awaitConnection(to other: String) throws {
        try awaitLine("Session opened") {
            try devices.contains { $0["name"]?.string == other && $0["connected"]?.bool == true }
        }
    }

    /// Checks again after each such line of the daemon's log.
    private func awaitLine(_ line: String, until isMet: () throws -> Bool) throws {
        while try !isMet() {
            try daemon?.errors.next("\(line) on \(name)", within: .seconds(30)) { $0.hasSuffix(line) }
        }
    }
}
