// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Removal and recovery of devices, on real machines.
@Suite(.serialized, .needsNamespaces) struct RemovalTests {
    // Shows T03, T04, X06: the desktop is away, and learns of the removal from the laptop.
    @Test func aDeviceIsRemovedWhileAnotherIsAway() throws {
        try Stage.play { stage in
            let network = try Network(on: stage)
            let devices = try ["laptop", "desktop", "phone"].map { try Device($0, on: stage, network: network) }
            for device in devices { try device.startDaemon() }
            let (laptop, desktop, phone) = (devices[0], devices[1], devices[2])
            try laptop.found(with: [desktop, phone])
            try desktop.killDaemon()

            try laptop.handoff("device", "rename", "kitchen", "--device", "desktop")
            try laptop.handoff("device", "remove", "phone", "--yes")
            let phoneHeard = try eventually { try phone.command(["account", "show"]).errors.contains("removed") }
            #expect(phoneHeard)
            try phone.killDaemon()

            try desktop.startDaemon()
            let desktopHeard = try eventually { try names(on: desktop) == ["kitchen", "laptop"] }
            #expect(desktopHeard)

            // The phone comes back, and no device connects.
            try phone.startDaemon()
            let outside = try phone.watchActivities()
            let inside = try desktop.watchActivities()
            _ = try laptop.start("activity", "publish", "--type", "com.example.notes", "--title", "Secret")
            try inside.output.next("the offer on the desktop") { $0.contains("Secret") }
            #expect(outside.output.count(containing: "Secret") == 0)
            #expect(try phone.command(["device", "list"]).code == 78)
            #expect(try connected(on: laptop) == ["kitchen"])
            #expect(try connected(on: desktop) == ["laptop"])
        }
    }

    // Shows T01, T05.
    @Test func theRecoveryKeyBringsANewDeviceInAndTheStolenOneOut() throws {
        try Stage.play { stage in
            let network = try Network(on: stage)
            let devices = try ["laptop", "tablet", "new"].map { try Device($0, on: stage, network: network) }
            for device in devices { try device.startDaemon() }
            let (laptop, tablet, new) = (devices[0], devices[1], devices[2])
            let created = try laptop.json("account", "create")
            let key = try #require(created["recoveryKey"]?.string)
            let invitation = try laptop.invite()
            try tablet.join(invitation.code)
            #expect(try laptop.json("account", "show")["recoveryKey"] == nil)
            #expect(try files(of: laptop, thatHold: key).isEmpty, "the key is stored nowhere")

            // The laptop is lost, and the tablet stolen.
            try laptop.killDaemon()
            let recovering = try new.start("account", "recover", "--remove-others")
            try recovering.say(key)
            #expect(try recovering.waitForExit() == 0)
            let account = try new.json("account", "show")
            #expect(account["account"] == created["account"])
            let names = account["devices"]?.elements.compactMap { $0["name"]?.string }
            #expect(names == ["new"])
            #expect(try connected(on: new) == [])
            for device in devices {
                #expect(try files(of: device, thatHold: key).isEmpty, "the key is stored nowhere")
            }

            // The key of another account is distinguished from a typing mistake.
            let wrong = try laptopsNeighbour(on: stage, network, key: key)
            #expect(wrong.contains("a different account"))
        }
    }

    /// The device's files that contain the beginning of the key, as text or bytes.
    private func files(of device: Device, thatHold key: String) throws -> [String] {
        let groups = key.split(separator: "-")
        // Without the check character of each group.
        let bytes = try Base32.bytes(groups.map { $0.dropLast() }.joined())
        try #require(bytes.count >= 17)
        let traces = [Data(key.prefix(11).utf8), Data(groups.joined().prefix(10).utf8), bytes.prefix(8)]
        let found = FileManager.default.enumerator(at: device.root, includingPropertiesForKeys: [.isRegularFileKey])
        var files = 0
        var holding: [String] = []
        for case let file as URL in try #require(found) {
            guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
            let content = try Data(contentsOf: file)
            files += 1
            if traces.contains(where: { content.range(of: $0) != nil }) { holding.append(file.path) }
        }
        #expect(files > 2, "the daemon keeps its key and its account there")
        return holding
    }

    private func laptopsNeighbour(on stage: Stage, _ network: Network, key: String) throws -> String {
        let neighbour = try Device("neighbour", on: stage, network: network)
        try neighbour.startDaemon()
        try neighbour.handoff("account", "create")
        let recovering = try neighbour.start("account", "recover")
        try recovering.say(key)
        #expect(try recovering.waitForExit() == 1)
        return recovering.errors.text
    }

    private func names(on device: Device) throws -> [String] {
        try device.json("device", "list").elements.compactMap { $0["name"]?.string }.sorted()
    }

    private func connected(on device: Device) throws -> [String] {
        try device.json("device", "list").elements.filter { $0["connected"]?.bool == true }
            .compactMap { $0["name"]?.string }
    }

    /// Returns true as soon as it is true, within ten seconds.
    private func eventually(_ isTrue: () throws -> Bool) throws -> Bool {
        let end = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < end {
            if try isTrue() { return true }
            Thread.sleep(forTimeInterval: 0.05)
        }
        return false
    }
}
