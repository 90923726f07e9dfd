// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTrust
import HandoffWire

/// On disk. Changes are visible only after they were stored.
final class AccountBook {
    /// Roster and beacon key, so that neither changes without the other.
    static let fileName = "account.bin"
    /// While this device leaves its account.
    private static let leaving = Array("leaving".utf8)

    private let store: any StateStore
    private(set) var stored: AccountRecord?
    /// In the order of admission; empty if this device is not a member.
    private(set) var members: [Member] = []
    private(set) var credentials: DeviceCredentials

    var device: DeviceID { credentials.device }
    var record: AccountRecord? { isMember ? stored : nil }
    private var isMember: Bool { stored?.roster.members[device] != nil }

    init(store: any StateStore, credentials: DeviceCredentials) throws {
        self.store = store
        self.credentials = credentials
        guard let bytes = try store.read(Self.fileName) else { return }
        let record: AccountRecord
        do throws(AccountRecord.Damage) {
            record = try AccountRecord(bytes: bytes)
        } catch {
            throw DamagedStateError(file: Self.fileName, reason: error.rawValue)
        }
        guard record.roster.mentions(device) else {
            throw DamagedStateError(
                file: Self.fileName,
                reason: "it does not admit this device, whose key is in \(DeviceCredentials.fileName)")
        }
        show(record)
    }

    func member(_ device: DeviceID) -> Member? {
        record?.roster.members[device].map { Member(device, $0) }
    }

    /// Throws `.stateNotWritable`; then nothing changed.
    func write(_ record: AccountRecord) throws(Failure) {
        let bytes: [UInt8]
        do throws(WireError) {
            bytes = try record.encoded()
        } catch {
            throw Failure(.stateNotWritable, "\(Self.fileName) could not be written: \(error)")
        }
        try store.write(bytes, to: Self.fileName)
        show(record)
    }

    /// Also creates a new key: the old key can never return to the account. Throws `.stateNotWritable`; then nothing
    /// changed. After a crash, `finishForgetting` does the rest.
    func forget() throws(Failure) {
        try store.write(Self.leaving, to: Self.fileName)
        do throws(Failure) {
            credentials = try Self.newCredentials(store)
        } catch {
            if let stored { try? write(stored) }
            throw error
        }
        stored = nil
        members = []
    }

    /// Call before using the credentials. Nil if no crash interrupted `forget`.
    static func finishForgetting(_ store: any StateStore) throws(Failure) -> DeviceCredentials? {
        try store.read(fileName) == leaving ? try newCredentials(store) : nil
    }

    private static func newCredentials(_ store: any StateStore) throws(Failure) -> DeviceCredentials {
        let fresh = try DeviceCredentials.create(key: DeviceKey(), store: store)
        // Otherwise the next account replaces it, or the next start removes it, with another key.
        try? store.remove(fileName)
        return fresh
    }

    private func show(_ record: AccountRecord) {
        stored = record
        members = (isMember ? record.roster.members : [:]).inOrderOfAdmission
    }
}

extension [DeviceID: RosterMember] {
    var inOrderOfAdmission: [Member] {
        map { Member($0.key, $0.value) }.sorted { ($0.admitted, $0.device) < ($1.admitted, $1.device) }
    }
}

extension Member {
    init(_ device: DeviceID, _ member: RosterMember) {
        self.init(
            device: device, name: member.name, kind: member.kind, admitted: member.admitted,
            admittedBy: member.admittedBy)
    }
}

/// A removed device may know the beacon key, so a member creates another. The members take turns; later ones find the
/// work done.
struct KeyRenewalSchedule: Hashable, Sendable {
    /// For each earlier member.
    static let turn = Duration.seconds(3)
    /// After a failure, or if more remains to do.
    static let pause = Duration.seconds(60)

    private(set) var nextDeadline: Instant?

    init() {}

    /// `rank`: the number of members with lower IDs.
    mutating func looked(isNeeded: Bool, rank: Int, now: Instant) {
        guard isNeeded else { return nextDeadline = nil }
        if nextDeadline == nil { nextDeadline = now.advanced(by: Self.turn * rank) }
    }

    mutating func isDue(now: Instant) -> Bool {
        guard let deadline = nextDeadline, deadline <= now else { return false }
        nextDeadline = now.advanced(by: Self.pause)
        return true
    }
}
