// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffDaemon
package import HandoffWire

/// Members as a test sets them, for features that only query them: statements are merged unverified, and beacons only
/// get a tag.
package final class MemoryMembership: Membership, RosterKeeping, BeaconSealing {
    package let device: DeviceID
    package private(set) var account: AccountID?
    package private(set) var statements: [SignedStatement] = []
    package private(set) var formerMembers: Set<DeviceID> = []
    package var canAnnounce = true
    package var isSearchingInviter = false { didSet { tell(.changed) } }
    /// Set while an invite is open or being used here.
    package var inviteTag: UInt8?
    package private(set) var inviters: [NetworkAddress] = []
    /// Other devices with this device's key.
    package private(set) var duplicates: [NetworkAddress] = []
    package private(set) var announcements: [[UInt8]] = []
    package private(set) var beaconsOpened = 0
    package private(set) var beaconsRefused = 0
    package var mergeFailure: Failure?

    private var toldStatements: [SignedStatement] = []
    private var observers: [(MembershipChange) -> Void] = []
    private var searchObservers: [(InviterSearch) -> Void] = []
    private var told: MembershipState?

    package init(device: DeviceID) {
        self.device = device
        told = MembershipState(self)
    }

    // MARK: Changes by the test

    package func join(_ account: AccountID, with devices: [DeviceID]) {
        self.account = account
        statements = Self.merged([], devices.map { Self.statement(admitting: $0) })
        changed()
    }

    package func admit(_ device: DeviceID) {
        statements = Self.merged(statements, [Self.statement(admitting: device)])
        changed()
    }

    package func remove(_ device: DeviceID) {
        statements.removeAll { $0.statement == device.bytes }
        formerMembers.insert(device)
        changed()
    }

    package func learn(_ address: NetworkAddress, of device: DeviceID) {
        tell(.joined(by: device, at: address))
    }

    // MARK: Membership

    package var members: [Member] {
        account == nil ? [] : statements.map { Self.member(DeviceID(uncheckedBytes: $0.statement)) }
    }

    package func member(_ device: DeviceID) -> Member? {
        account != nil && statements.contains { $0.statement == device.bytes } ? Self.member(device) : nil
    }

    package var rosterDigest: [UInt8] {
        guard account != nil else { return [] }
        var digest = [UInt8](repeating: 0, count: 32)
        // Distinguishes the rosters of a test.
        for statement in statements {
            for (index, byte) in statement.statement.prefix(32).enumerated() {
                digest[index] = digest[index] &* 31 &+ byte
            }
        }
        return digest
    }

    package var rosterUpdate: RosterUpdate { RosterUpdate(statements: statements) }
    package func hasCaughtUp(_ device: DeviceID) {}
    package func isFormerMember(_ device: DeviceID) -> Bool { formerMembers.contains(device) && member(device) == nil }
    package var removalNotice: RosterUpdate {
        RosterUpdate(statements: formerMembers.sorted().map { Self.statement(removing: $0) })
    }
    package func recoveries(in update: RosterUpdate) -> RosterUpdate { RosterUpdate() }
    package func takeRosterNews() -> RosterUpdate {
        let news = statements.filter { !toldStatements.contains($0) }
        toldStatements = statements
        return RosterUpdate(statements: news)
    }
    package func unknown(of update: RosterUpdate) -> RosterUpdate {
        RosterUpdate(statements: update.statements.filter { !statements.contains($0) }, secrets: update.secrets)
    }
    package var end: MembershipEnd? { nil }
    package var recoveryKey: RecoveryKeyState { .confirmed }
    package var duplications: [String] { [] }
    package var strangers: [String] { [] }
    package func copyFound(of device: DeviceID, reportedBy member: DeviceID?) {}

    package func merge(_ update: RosterUpdate) throws -> Bool {
        if let mergeFailure { throw mergeFailure }
        let all = update.statements.filter { $0.statement.count == DeviceID.byteCount }
        let removals = all.filter { $0.signer == Self.removal }.map { DeviceID(uncheckedBytes: $0.statement) }
        if removals.contains(device) {
            account = nil
            changed()
            return true
        }
        let new = all.filter { $0.signer != Self.removal }
        // Removal is final, as in a real roster.
        let merged = Self.merged(
            statements, new.filter { !formerMembers.contains(DeviceID(uncheckedBytes: $0.statement)) })
        guard merged != statements else { return false }
        statements = merged
        changed()
        return true
    }

    package func seal(_ beacon: Beacon, with key: BeaconKeyKind) -> [UInt8]? {
        guard let tag = tag(of: key), let bytes = try? beacon.encoded() else { return nil }
        return tag + bytes
    }

    package func open(_ datagram: [UInt8], from host: String) -> (beacon: Beacon, key: BeaconKeyKind)? {
        for key in [BeaconKeyKind.account, .invite] {
            guard let tag = tag(of: key), datagram.starts(with: tag),
                let beacon = try? Beacon(encoded: Array(datagram.dropFirst(tag.count)))
            else { continue }
            beaconsOpened += 1
            return (beacon, key)
        }
        beaconsRefused += 1
        return nil
    }

    package func inviterFound(at address: NetworkAddress) { inviters.append(address) }
    package func duplicateHeard(at address: NetworkAddress) { duplicates.append(address) }
    package func announcementReceived(_ datagram: [UInt8], from host: String) { announcements.append(datagram) }
    package func onChange(_ observer: @escaping (MembershipChange) -> Void) { observers.append(observer) }
    package func onSearch(_ observer: @escaping (InviterSearch) -> Void) { searchObservers.append(observer) }

    // MARK: -

    private func changed() {
        let new = MembershipState(self, rosterDigest: rosterDigest)
        guard let change = told?.change(to: new) else { return }
        told = new
        for observer in observers { observer(change) }
    }

    private func tell(_ search: InviterSearch) { for observer in searchObservers { observer(search) } }

    private func tag(of key: BeaconKeyKind) -> [UInt8]? {
        switch key {
        case .account: account.map { [1] + $0.bytes }
        case .former: nil
        case .invite: inviteTag.map { [2, $0] }
        }
    }

    private static func statement(admitting device: DeviceID) -> SignedStatement {
        SignedStatement(statement: device.bytes, signer: [], signature: [])
    }

    private static let removal: [UInt8] = [0xFF]

    private static func statement(removing device: DeviceID) -> SignedStatement {
        SignedStatement(statement: device.bytes, signer: removal, signature: [])
    }

    private static func member(_ device: DeviceID) -> Member {
        Member(
            device: device, name: DisplayText(cleaning: device.short), kind: .unspecified,
            admitted: WallTime(milliseconds: 0), admittedBy: nil)
    }

    private static func merged(_ old: [SignedStatement], _ new: [SignedStatement]) -> [SignedStatement] {
        Set(old + new).sorted { $0.statement.lexicographicallyPrecedes($1.statement) }
    }
}
