// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffTrust
import HandoffWire
import Testing

// Shows T01, T05.

/// The recovery key after its account was created.
@Suite struct RecoveryKeySimulationTests {
    private let alone: Simulation
    private let device: SimulatedDevice

    init() throws {
        alone = try Simulation.alone(seed: 5)
        device = alone.devices[0]
    }

    @Test func keyIsShownAgainUntilItIsConfirmed() throws {
        let key = try key(.createAccount)
        #expect(try recoveryKeyState() == .unconfirmed)
        #expect(try self.key(.showRecoveryKey) == key)
        try ask(.confirmRecoveryKey)
        #expect(try recoveryKeyState() == .confirmed)
        #expect(throws: Failure(.notAllowed, "")) { try ask(.showRecoveryKey) }
        try restart()
        #expect(try recoveryKeyState() == .confirmed)
    }

    @Test func unconfirmedKeyIsLostWhenTheDaemonStopsAndReplacedOnRequest() throws {
        let lost = try key(.createAccount)
        try restart()
        #expect(try recoveryKeyState() == .lost)
        #expect(throws: Failure(.notAllowed, "")) { try ask(.showRecoveryKey) }
        #expect(throws: Failure(.notAllowed, "")) { try ask(.confirmRecoveryKey) }
        let replacement = try key(.newRecoveryKey(evenWithOthers: false))
        #expect(replacement != lost)
        #expect(try recoveryKeyState() == .unconfirmed)
        #expect(throws: Failure(.wrongKey, "")) { try ask(.recoverAccount(RecoverAccount(key: lost))) }
        try ask(.recoverAccount(RecoverAccount(key: replacement)))
        #expect(try recoveryKeyState() == .confirmed, "it was typed")
    }

    @Test func newKeyKeepsTheNameOfTheDevice() throws {
        _ = try key(.createAccount)
        try ask(.renameDevice(nil, to: "kitchen"))
        let before = try account(.showAccount)
        let after = try account(.newRecoveryKey(evenWithOthers: false))
        #expect(after.account != before.account)
        #expect(after.devices.map(\.name.text) == ["kitchen"])
    }

    /// The other devices learn at once that this one has left, and come back one by one.
    @Test func newKeyLeavesTheOtherDevicesInTheOldAccount() throws {
        let simulation = try Simulation.founded(seed: 11)
        let (laptop, desktop, phone) = (simulation.devices[0], simulation.devices[1], simulation.devices[2])
        let laptopID = try #require(laptop.device)
        let old = laptop.account
        #expect(throws: Failure(.notAllowed, "")) {
            try simulation.ask(laptop, .identity(.newRecoveryKey(evenWithOthers: false)))
        }
        #expect(laptop.account == old, "nothing was changed")
        try simulation.ask(laptop, .identity(.newRecoveryKey(evenWithOthers: true)))
        simulation.time.advance(by: .seconds(5))
        #expect(laptop.account != old)
        #expect(laptop.members == [laptopID])
        #expect(laptop.connected.isEmpty)
        for other in [desktop, phone] {
            #expect(other.account == old)
            #expect(!other.members.contains(laptopID))
        }

        // The holder of the old key has no way into the new account.
        try simulation.ask(
            phone, .identity(.recoverAccount(RecoverAccount(key: simulation.recoveryKey, removeOthers: true))))
        simulation.time.advance(by: .seconds(20))
        #expect(laptop.members == [laptopID])
        #expect(laptop.connected.isEmpty)

        try simulation.ask(desktop, .identity(.leaveAccount(evenAsMember: true)))
        guard case .identity(.invite(let invite)) = try simulation.ask(laptop, .identity(.createInvite(asking: false)))
        else {
            Issue.record("no invite")
            return
        }
        try simulation.ask(desktop, .identity(.joinAccount(code: invite.code, address: nil)))
        let isBack = simulation.time.run(
            until: { laptop.connected == Set([desktop.device].compactMap(\.self)) }, within: .seconds(30))
        #expect(isBack)
    }

    @Test func newKeyThatCannotBeStoredChangesNothing() throws {
        let key = try key(.createAccount)
        let account = device.account
        device.store.writeFailure = Failure(.stateNotWritable, "the disk is full")
        #expect(throws: Failure(.stateNotWritable, "")) { try ask(.newRecoveryKey(evenWithOthers: false)) }
        #expect(throws: Failure(.stateNotWritable, "")) { try ask(.confirmRecoveryKey) }
        #expect(device.account == account)
        #expect(try self.key(.showRecoveryKey) == key)
    }

    // MARK: -

    @discardableResult
    private func ask(_ message: LocalMessage.Identity) throws -> LocalMessage {
        try alone.ask(device, .identity(message))
    }

    private func account(_ message: LocalMessage.Identity) throws -> AccountSummary {
        guard case .identity(.account(let account)) = try ask(message) else {
            throw Failure(.internal, "no account")
        }
        return account
    }

    private func key(_ message: LocalMessage.Identity) throws -> String {
        try #require(try account(message).recoveryKey)
    }

    private func recoveryKeyState() throws -> RecoveryKeyState {
        guard case .status(.status(let status)) = try alone.ask(device, .status(.getStatus)) else {
            throw Failure(.internal, "no status")
        }
        return status.recoveryKey
    }

    private func restart() throws {
        device.crash()
        try device.start()
    }
}
