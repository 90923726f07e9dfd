// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTrust
import HandoffWire

/// The account as it is on disk. Changes are visible only after they were stored.
final class AccountBook {
    /// The roster and the beacon key, so that neither changes without the other.
    static let fileName = "account.bin"

    private let store: any StateStore
    private(set) var stored: AccountRecord?
    /// In the order of their admission; empty if this device is not a member.
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

    /// Throws `.stateNotWritable`, in which case nothing changed.
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

    /// Also creates a new key, because the old key can never return to the account.
    func forget() throws(Failure) {
        // In this order, a crash in between leaves a removed device, which can learn of its removal.
        let fresh = try DeviceCredentials.create(key: DeviceKey(), store: store)
        try store.remove(Self.fileName)
        stored = nil
        members = []
        credentials = fresh
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

/// A removed device may know the beacon key, so a member creates a new one. The members take turns, and the later ones find the
/// work done.
struct KeyRenewalSchedule: Hashable, Sendable {
    /// The time that each earlier member has.
    static let turn = Duration.seconds(3)
    /// Before the next try after a failure or if more remains to do.
    static let pause = Duration.seconds(60)

    private(set) var nextDeadline: Instant?

    init() {}

    /// `rank`: the number of members before this device, in the order of their IDs.
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
