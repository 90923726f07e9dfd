// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire

/// What a device says of its account. Each throws `StatementRejection.limitReached` for a full roster or account, and
/// changes nothing then.
extension AccountRecord {
    /// A new account of one device, and the key to recover it, which is nowhere but in the answer.
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
        return (record, recovery)
    }

    /// The holder of the recovery key begins a new epoch with this device. Of the devices known here only those of `kept`
    /// go on counting; a device that is not known here does not. Throws `.lastEpoch` where no number is left for one.
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
        // All at once: in between, those that stay would count for removed.
        try record.say(signed, secret: secret, on: key.id, at: time)
        self = record
    }

    /// Signs a device into the account. Nothing happens where it is a member already. Throws `.removedBefore` for a key
    /// that was removed.
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

    /// Removes a device for good, and makes another beacon key for the rest. What it said until now is kept, up to the limit;
    /// `withAdmitted`: but not its admissions, so that those go too that are members only through it, directly or by others.
    /// That also works for a device that is removed already.
    package mutating func remove(
        _ device: DeviceID, withAdmitted: Bool = false, by key: DeviceKey, time: WallTime
    ) throws {
        let secret = Self.freshSecret()
        let kept =
            withAdmitted ? roster.worthKeeping(of: device, onlyFor: key.id) : roster.worthKeeping(of: device)
        let kind = RosterStatement.Kind.revoked(device, kept: kept, secretHash: Self.hash(of: secret))
        try say(kind, secret: secret, by: key, time: time)
    }

    /// Makes a beacon key that nobody knows of those that `Roster.removedWithTheKey` names, so many of them at a time:
    /// removes them once more, in the name of a device that counts. Nobody else's membership becomes another by it.
    package mutating func shutOutWhoeverLeft(by key: DeviceKey, time: WallTime) throws {
        for device in roster.removedWithTheKey.prefix(Self.shutOutAtOnce) { try remove(device, by: key, time: time) }
    }

    /// Each is a statement of its own.
    package static let shutOutAtOnce = 8

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
    /// Why what a member sent to a joining device makes it no member.
    package enum AdmissionRejection: String, Error, Hashable, Sendable {
        case notFounded = "it has no statement of a recovery key"
        case joinerMissing = "it does not admit this device"
        case memberMissing = "whoever sent it is no member"
        case beaconKey = "it has no beacon secret"
    }

    /// What a joining device got from `member`, once that one has proved the code.
    package init(
        _ admission: EnrollMessage.Admission, joiner: DeviceID, member: DeviceID, time: WallTime
    ) throws(AdmissionRejection) {
        let root = admission.roster.statements.lazy.compactMap { try? VerifiedStatement(root: $0) }.first
        guard let root else { throw .notFounded }
        self.init(account: root.account)
        // Statements of a newer version are left out here, as in any merge; what counts is who is in.
        _ = merge(admission.roster, on: joiner, at: time)
        guard roster.members[joiner] != nil else { throw .joinerMissing }
        guard roster.members[member] != nil else { throw .memberMissing }
        guard beaconKey != nil else { throw .beaconKey }
    }
}
