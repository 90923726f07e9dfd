// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffTrust
import HandoffWire
import Testing

// Shows T03, T04, T05, X06.

/// Whole daemons that remove, rename and recover each other.
@Suite struct RemovalSimulationTests {
    let simulation: Simulation
    let laptop: SimulatedDevice
    let desktop: SimulatedDevice
    let phone: SimulatedDevice

    init() throws {
        simulation = try Simulation.founded(seed: 7)
        laptop = simulation.devices[0]
        desktop = simulation.devices[1]
        phone = simulation.devices[2]
    }

    @Test func removedDeviceIsDisconnectedAtOnceAndReportsIt() throws {
        let phoneID = try #require(phone.device)
        try remove(phone, from: laptop)
        simulation.time.advance(by: .seconds(1))
        #expect(laptop.connected == Set([desktop.device].compactMap { $0 }))
        #expect(desktop.connected == Set([laptop.device].compactMap { $0 }))
        #expect(!desktop.members.contains(phoneID))
        #expect(phone.connected.isEmpty)
        #expect(phone.account == nil)
        #expect(phone.end == .removed(by: DisplayText(cleaning: "device 0")))
        #expect(throws: Failure(.deviceRemoved, "")) {
            try simulation.ask(phone, .identity(.createInvite(asking: false)))
        }
    }

    @Test func removedDeviceStaysOutAcrossRestarts() throws {
        try remove(phone, from: laptop)
        simulation.time.advance(by: .seconds(1))
        try restart(laptop, desktop, phone)
        #expect(phone.connected.isEmpty)
        #expect(phone.end != nil)
        #expect(laptop.connected == Set([desktop.device].compactMap { $0 }))
    }

    /// The phone was off when it was removed. It dials, gets no session, and learns why.
    @Test func absentDeviceLearnsOfItsRemovalWhenItReturns() throws {
        phone.crash()
        simulation.time.advance(by: .seconds(20))
        try remove(phone, from: laptop)
        simulation.time.advance(by: .seconds(1))
        try phone.start()
        simulation.time.advance(by: .seconds(30))
        #expect(phone.end != nil)
        #expect(phone.connected.isEmpty)
        #expect(laptop.connected.count == 1)
    }

    /// Desktop and phone do not know of the removal and stay connected, until one of them meets the laptop.
    @Test func memberThatWasAwayLearnsItWhenItMeetsAnother() throws {
        let phoneID = try #require(phone.device)
        simulation.network.isolate(laptop.host)
        simulation.time.advance(by: .seconds(30))
        try remove(phone, from: laptop)
        simulation.time.advance(by: .seconds(1))
        #expect(desktop.connected == [phoneID])
        simulation.network.heal()
        let hasLearned = simulation.time.run(
            until: { desktop.connected == Set([laptop.device].compactMap { $0 }) }, within: .seconds(400))
        #expect(hasLearned)
        simulation.time.advance(by: .seconds(30))
        #expect(!desktop.members.contains(phoneID))
        #expect(phone.end != nil)
    }

    /// The desktop was off and has only the old beacon key, and no addresses: its beacons are still received.
    @Test func memberWithTheFormerBeaconKeyIsFound() throws {
        desktop.crash()
        simulation.time.advance(by: .seconds(20))
        try remove(phone, from: laptop)
        simulation.time.advance(by: .seconds(5))
        for device in [laptop, desktop] { device.store.files["addresses"] = nil }
        laptop.crash()
        try laptop.start()
        simulation.time.advance(by: .seconds(1))
        try desktop.start()
        let found = simulation.time.run(
            until: {
                desktop.connected == laptop.members.subtracting([desktop.device!]) && laptop.connected.count == 1
            }, within: .seconds(30))
        #expect(found)
        simulation.time.advance(by: .seconds(1))
        #expect(desktop.members == laptop.members)
        #expect(desktop.members.count == 2)
    }

    /// Their beacons are too old or too new for each other, so they meet by known addresses.
    @Test func membersWithClocksHoursApartMeetWhereTheyMetBeforeAndAgree() throws {
        desktop.crash()
        simulation.time.advance(by: .seconds(20))
        desktop.clockError = .seconds(-5 * 3600)
        try desktop.start()
        let hasMet = simulation.time.run(
            until: { desktop.connected == laptop.members.subtracting([desktop.device!]) }, within: .seconds(5))
        #expect(hasMet)
        try simulation.ask(laptop, .identity(.renameDevice("device 1", to: "kitchen")))
        try remove(phone, from: desktop)
        simulation.time.advance(by: .seconds(5))
        #expect(laptop.members == desktop.members)
        #expect(laptop.members.count == 2)
        #expect(laptop.connected == Set([desktop.device].compactMap { $0 }))
        #expect(phone.end != nil)
        guard case .identity(.deviceList(let list)) = try simulation.ask(desktop, .identity(.listDevices())) else {
            return
        }
        #expect(Set(list.map(\.name.text)) == ["device 0", "kitchen"])
    }

    /// Clocks matter here: a beacon is fresh for ten minutes.
    @Test func membersWithClocksHoursApartAndNoAddressAreNotFound() throws {
        for device in simulation.devices { device.crash() }
        simulation.time.advance(by: .seconds(20))
        for device in simulation.devices { device.store.files["addresses"] = nil }
        desktop.clockError = .seconds(5 * 3600)
        try laptop.start()
        try desktop.start()
        simulation.time.advance(by: .seconds(400))
        #expect(laptop.connected.isEmpty)
        // With the right time, they meet.
        desktop.crash()
        desktop.clockError = .zero
        try desktop.start()
        let hasMet = simulation.time.run(until: { laptop.connected.count == 1 }, within: .seconds(5))
        #expect(hasMet)
    }

    @Test func removedDeviceRestoredFromABackupIsNotifiedAgain() throws {
        let backup = phone.store.files
        try remove(phone, from: laptop)
        simulation.time.advance(by: .seconds(5))
        phone.crash()
        phone.store.files = backup
        try phone.start()
        #expect(phone.end == nil)
        simulation.time.advance(by: .seconds(30))
        #expect(phone.end != nil)
        #expect(phone.connected.isEmpty)
    }

    @Test func memberRestoredFromAnOldBackupLearnsWhatItMissed() throws {
        let backup = desktop.store.files
        try remove(phone, from: laptop)
        try simulation.ask(laptop, .identity(.renameDevice("device 1", to: "kitchen")))
        simulation.time.advance(by: .seconds(5))
        desktop.crash()
        desktop.store.files = backup
        try desktop.start()
        let hasLearned = simulation.time.run(until: { desktop.members == laptop.members }, within: .seconds(400))
        #expect(hasLearned)
        simulation.time.advance(by: .seconds(30))
        #expect(desktop.connected == Set([laptop.device].compactMap { $0 }))
        guard case .identity(.deviceList(let list)) = try simulation.ask(desktop, .identity(.listDevices())) else {
            return
        }
        #expect(Set(list.map(\.name.text)) == ["device 0", "kitchen"])
    }

    @Test func memberThatLeavesIsRemovedAndHasANewKeyAtOnce() throws {
        let before = try #require(desktop.device)
        #expect(throws: Failure(.notAllowed, "")) {
            try simulation.ask(desktop, .identity(.leaveAccount(evenAsMember: false)))
        }
        try simulation.ask(desktop, .identity(.leaveAccount(evenAsMember: true)))
        simulation.time.advance(by: .seconds(5))
        #expect(!laptop.members.contains(before))
        #expect(laptop.connected.count == 1)
        #expect(desktop.device != before)
        #expect(throws: Failure(.noAccount, "")) { try simulation.ask(desktop, .identity(.showAccount)) }
        guard case .identity(.invite(let invite)) = try simulation.ask(laptop, .identity(.createInvite(asking: false)))
        else {
            return
        }
        try simulation.ask(desktop, .identity(.joinAccount(code: invite.code, address: nil)))
        simulation.time.advance(by: .seconds(20))
        #expect(laptop.members == desktop.members)
        #expect(laptop.connected.count == 2)
        // The key is the same after a restart.
        let now = desktop.device
        try restart(desktop)
        #expect(desktop.device == now)
        let isBack = simulation.time.run(until: { laptop.connected.count == 2 }, within: .seconds(30))
        #expect(isBack)
    }

    @Test func deviceThatLeftCanFoundAnAccountImmediately() throws {
        let before = try #require(desktop.device)
        try simulation.ask(desktop, .identity(.leaveAccount(evenAsMember: true)))
        guard case .identity(.account(let account)) = try simulation.ask(desktop, .identity(.createAccount)) else {
            return
        }
        #expect(account.account != laptop.account)
        #expect(account.devices.map(\.device) == [desktop.device])
        simulation.time.advance(by: .seconds(30))
        #expect(desktop.connected.isEmpty)
        #expect(!laptop.members.contains(before))
    }

    @Test func renamesConvergeOnAllDevices() throws {
        let phoneID = try #require(phone.device)
        simulation.network.isolate(desktop.host)
        simulation.time.advance(by: .seconds(20))
        try simulation.ask(desktop, .identity(.renameDevice("device 2", to: "one")))
        try simulation.ask(laptop, .identity(.renameDevice("device 2", to: "other")))
        try simulation.ask(laptop, .identity(.renameDevice("other", to: "third")))
        simulation.network.heal()
        simulation.time.advance(by: .seconds(400))
        for device in simulation.devices {
            guard case .identity(.deviceList(let list)) = try simulation.ask(device, .identity(.listDevices())) else {
                continue
            }
            #expect(list.first { $0.device == phoneID }?.name.text == "third")
        }
    }

    @Test func twoThatRemoveEachOtherApartAreBothOut() throws {
        simulation.network.isolate(phone.host)
        simulation.time.advance(by: .seconds(20))
        try remove(desktop, from: phone)
        try remove(phone, from: desktop)
        simulation.time.advance(by: .seconds(1))
        simulation.network.heal()
        simulation.time.advance(by: .seconds(400))
        // The laptop received the desktop's statement first, so it ignores the phone, and the phone ignores it.
        #expect(phone.end != nil)
        #expect(phone.connected.isEmpty)
        #expect(laptop.members.isDisjoint(with: [phone.device!]))
    }

    @Test func recoveryOnAMemberPutsTheOthersOut() throws {
        let simulation = try Simulation.founded(seed: 8)
        let thief = simulation.devices[1]
        let tablet = simulation.devices[2]
        try simulation.ask(
            tablet, .identity(.recoverAccount(RecoverAccount(key: simulation.recoveryKey, remove: ["device 1"]))))
        simulation.time.advance(by: .seconds(20))
        #expect(tablet.members == Set([tablet.device, simulation.devices[0].device].compactMap { $0 }))
        #expect(simulation.devices[0].members == tablet.members)
        #expect(tablet.connected.count == 1)
        #expect(thief.connected.isEmpty)
    }

    /// The thief removed every device; the owner has the recovery key.
    @Test func recoveryBringsBackWhomAThiefPutOut() throws {
        let thief = phone
        try remove(laptop, from: thief)
        simulation.time.advance(by: .seconds(5))
        #expect(laptop.end != nil)
        try simulation.ask(
            laptop, .identity(.recoverAccount(RecoverAccount(key: simulation.recoveryKey, remove: ["device 2"]))))
        let isBack = simulation.time.run(
            until: { laptop.connected == Set([desktop.device].compactMap { $0 }) && thief.connected.isEmpty },
            within: .seconds(400))
        #expect(isBack)
        #expect(desktop.members == laptop.members)
    }

    /// Neither as text, nor as bytes, nor as the derived key, on the device that founded or recovered the account or on
    /// any other.
    @Test func theRecoveryKeyIsOnNoDisk() throws {
        let key = try RecoveryKey(text: simulation.recoveryKey)
        // In PKCS #8, the scalar follows 36 bytes of names and lengths.
        let scalar = key.signing.der.dropFirst(36).prefix(32)
        #expect(try DeviceKey(scalar: Array(scalar)).id == key.signing.id)
        let groups = key.text.split(separator: "-")
        let secret = try #require(Base32.decode(groups.flatMap { Array($0.dropLast().utf8) }))
        try simulation.ask(desktop, .identity(.recoverAccount(RecoverAccount(key: key.text, remove: []))))
        simulation.time.advance(by: .seconds(20))
        #expect(desktop.connected.count == 2)
        for device in simulation.devices {
            #expect(device.store.files.count > 2)
            for (name, bytes) in device.store.files {
                for trace in [Array(secret.prefix(8)), Array(scalar.prefix(8)), Array(key.text.utf8.prefix(11))] {
                    let starts = bytes.indices.filter { bytes[$0...].starts(with: trace) }
                    #expect(starts.isEmpty, "\(device.name): \(name)")
                }
            }
        }
    }

    @Test func wrongAndMistypedKeysAreDistinguished() throws {
        let key = simulation.recoveryKey
        let last: Character = key.last == "A" ? "B" : "A"
        let recover = { (key: String) in
            try simulation.ask(laptop, .identity(.recoverAccount(RecoverAccount(key: key))))
        }
        #expect(throws: Failure(.keyMistyped, "")) { try recover(String(key.dropLast()) + String(last)) }
        #expect(throws: Failure(.wrongKey, "")) { try recover(RecoveryKey().text) }
        #expect(simulation.devices.allSatisfy { $0.members.count == 3 })
    }

    // MARK: -

    private func remove(_ device: SimulatedDevice, from remover: SimulatedDevice) throws {
        try simulation.ask(remover, .identity(.removeDevice(device.name, onlyAsk: false)))
    }

    private func restart(_ devices: SimulatedDevice...) throws {
        for device in devices { device.crash() }
        simulation.time.advance(by: .seconds(1))
        for device in devices { try device.start() }
        simulation.time.advance(by: .seconds(20))
    }
}
