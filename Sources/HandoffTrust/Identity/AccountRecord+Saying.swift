// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire

/// Statements by this device. They throw `.limitReached`, without changes, if the roster or account is full.
extension AccountRecord {
    /// The recovery key is stored nowhere, and unconfirmed.
    package static func founded(
        by key: DeviceKey, name: DisplayText, kind: DeviceKind, time: WallTime
    ) throws -> (record: AccountRecord, recovery: RecoveryKey) {
        let recovery = RecoveryKey()
        let secret = freshSecret()
        let device = DeviceDescription(key: key.publicKey.spki, name: name, kind: kind)
        let statement = RosterStatement(
            account: recovery.account, time: time, epoch: 0, kind: .founded(device, secretHash: hash(of: secret)))
        var record = AccountRecord(account: recovery.account)
        try record.say([try statement.signed(by: recovery.signing)], secret: secret, on: key.id, at: time)
        record.isRecoveryKeyUnconfirmed = true
        return (record, recovery)
    }

    /// Begins a new epoch. Of the others, only known devices in `kept` stay members. Throws `.lastEpoch`.
    package mutating func recover(
        with recovery: RecoveryKey, key: DeviceKey, name: DisplayText, kind: DeviceKind, keeping kept: Set<DeviceID>,
        time: WallTime
    ) throws {
        let (epoch, isPastTheLast) = roster.isFounded ? roster.epoch.addingReportingOverflow(1) : (1, false)
        guard !isPastTheLast else { throw StatementRejection.lastEpoch }
        let others = kept.sorted().compactMap { roster.members[$0] }.filter { $0.key != key.publicKey }
        let secret = Self.freshSecret()
        let own = DeviceDescription(key: key.publicKey.spki, name: name, kind: kind)
        var said = [RosterStatement.Kind.recovered(own, secretHash: Self.hash(of: secret))]
        for other in others {
            let device = DeviceDescription(key: other.key.spki, name: other.name, kind: other.kind)
            said.append(.recovered(device, secretHash: nil))
        }
        let signed = try said.map { kind in
            try RosterStatement(account: recovery.account, time: time, epoch: epoch, kind: kind)
                .signed(by: recovery.signing)
        }
        var record = self
        // All at once; otherwise `kept` would be removed for a moment.
        try record.say(signed, secret: secret, on: key.id, at: time)
        record.isRecoveryKeyUnconfirmed = false
        self = record
    }

    /// Throws `.removedBefore` for a removed key.
    package mutating func admit(
        _ device: DevicePublicKey, name: DisplayText, kind: DeviceKind, by key: DeviceKey, time: WallTime
    ) throws {
        guard roster.members[device.id] == nil else { return }
        guard roster.removed[device.id] == nil else { throw StatementRejection.removedBefore }
        guard roster.members.count < Limits.devicesPerAccount else { throw StatementRejection.limitReached }
        let description = DeviceDescription(key: device.spki, name: name, kind: kind)
        try say(.admitted(description), by: key, time: time)
    }

    package mutating func rename(_ device: DeviceID, to name: DisplayText, by key: DeviceKey, time: WallTime) throws {
        try say(.renamed(device, name, number: roster.nextRenaming(of: device)), by: key, time: time)
    }

    /// Removes a device for good, even again, and changes the beacon key. Keeps its statements, up to the limit;
    /// `withAdmitted` drops its admissions, and so the devices that are members only through it.
    package mutating func remove(
        _ device: DeviceID, withAdmitted: Bool = false, by key: DeviceKey, time: WallTime
    ) throws {
        let secret = Self.freshSecret()
        let kept =
            withAdmitted ? roster.worthKeeping(of: device, onlyFor: key.id) : roster.worthKeeping(of: device)
        let kind = RosterStatement.Kind.revoked(device, kept: kept, secretHash: Self.hash(of: secret))
        try say(kind, secret: secret, by: key, time: time)
    }

    /// Creates a beacon key unknown to the devices in `Roster.removedWithTheKey`, by removing some of them again. Other
    /// memberships stay.
    package mutating func renewBeaconKey(by key: DeviceKey, time: WallTime) throws {
        for device in roster.removedWithTheKey.prefix(Self.removedAtOnce) { try remove(device, by: key, time: time) }
    }

    /// Each takes a statement.
    static let removedAtOnce = 8

    private mutating func say(
        _ kind: RosterStatement.Kind, secret: [UInt8]? = nil, by key: DeviceKey, time: WallTime
    ) throws {
        let statement = RosterStatement(account: roster.account, time: time, epoch: roster.epoch, kind: kind)
        var record = self
        try record.say([try statement.signed(by: key)], secret: secret, on: key.id, at: time)
        self = record
    }

    private static func freshSecret() -> [UInt8] { .fresh(32) }

    private static func hash(of secret: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: secret)) }
}

// MARK: - Joining

extension AccountRecord {
    package enum AdmissionRejection: String, Error, Hashable, Sendable {
        case notFounded = "it has no statement by a recovery key"
        case joinerMissing = "it does not admit this device"
        case memberMissing = "its sender is not a member"
        case beaconKey = "it has no beacon secret"
    }

    /// `member` has proved the code.
    package init(
        _ admission: EnrollMessage.Admission, joiner: DeviceID, member: DeviceID, time: WallTime
    ) throws(AdmissionRejection) {
        let root = admission.roster.statements.lazy.compactMap { try? VerifiedStatement(root: $0) }.first
        guard let root else { throw .notFounded }
        self.init(account: root.account)
        // A merge skips newer kinds of statements.
        _ = merge(admission.roster, on: joiner, at: time)
        guard roster.members[joiner] != nil else { throw .joinerMissing }
        guard roster.members[member] != nil else { throw .memberMissing }
        guard beaconKey != nil else { throw .beaconKey }
    }
}
