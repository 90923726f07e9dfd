// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire

/// Verified statements and the resulting members.
///
/// Rosters of one account merge by union. A statement is pending until a chain from the recovery key to its signer is
/// complete. Only a device's last name for another in an epoch is kept, so that renaming in a loop does not grow a
/// roster. `Worth` limits its size.
package struct Roster: Hashable, Sendable {
    /// Keeps a former holder of the recovery key from using up all epochs.
    static let epochsAhead: UInt32 = 64

    package let account: AccountID
    private var statements: [StatementID: VerifiedStatement] = [:]
    private var byteCount = 0
    private var namings: [Naming: StatementID] = [:]
    private var standing = Standing()

    package init(account: AccountID) { self.account = account }

    package var members: [DeviceID: RosterMember] { standing.members }
    package var membersEvenRemoved: [DeviceID: RosterMember] { standing.known }
    /// In this epoch.
    package var removed: [DeviceID: RosterRemoval] { standing.removed }
    package var epoch: UInt32 { standing.epoch }
    package var statementCount: Int { statements.count }
    /// Statements of unknown or removed devices, or of other epochs.
    var pendingCount: Int { statements.count - standing.counted.count }

    /// In the same order for equal rosters.
    package var signedStatements: [SignedStatement] { signedStatements(without: []) }

    func signedStatements(without known: Set<StatementID>) -> [SignedStatement] {
        statements.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value.signed)
    }

    package func name(of device: DeviceID) -> DisplayText? { standing.known[device]?.name }

    package func counts(_ statement: StatementID) -> Bool { standing.counted.contains(statement) }

    /// Sorted by time, which proves nothing.
    package var history: [VerifiedStatement] {
        statements.values.sorted { ($0.epoch, $0.time, $0.id) < ($1.epoch, $1.time, $1.id) }
    }

    /// Greater than all known numbers.
    func nextRenaming(of device: DeviceID) -> UInt32 {
        let highest = standing.renamings[device] ?? 0
        return highest == .max ? highest : highest + 1
    }

    /// A removal that keeps these affects no other device or name: at most `Limits.keptStatements`, admissions before
    /// names.
    func worthKeeping(of device: DeviceID) -> [StatementID] { worthKeeping(of: device) { _ in true } }

    /// A removal by `remover` that keeps these also removes the devices that are members only through `device`, except
    /// the remover.
    func worthKeeping(of device: DeviceID, onlyFor remover: DeviceID) -> [StatementID] {
        var line: Set<DeviceID> = []
        var next = remover
        while let admitter = standing.known[next]?.admittedBy {
            if admitter == device { line.insert(next) }
            next = admitter
        }
        return worthKeeping(of: device, admission: line.contains)
    }

    private func worthKeeping(of device: DeviceID, admission isKept: (DeviceID) -> Bool) -> [StatementID] {
        var admissions: [StatementID] = []
        var names: [StatementID] = []
        for statement in statements.values
        where statement.signer == device && standing.effective.contains(statement.id) {
            switch statement.content {
            case .admitted(let subject): if isKept(subject.key.id) { admissions.append(statement.id) }
            case .renamed: names.append(statement.id)
            case .founded, .recovered, .revoked: break
            }
        }
        return Array((admissions.sorted() + names.sorted()).prefix(Limits.keptStatements))
    }

    package func isFormerMember(_ device: DeviceID) -> Bool { standing.members[device] == nil && mentions(device) }

    /// Valid or not.
    package func mentions(_ device: DeviceID) -> Bool { standing.mentioned[device] != nil }

    /// Valid or not.
    package var mentionedKeys: [DeviceID: DevicePublicKey] { standing.mentioned }

    /// By admissions from the recovery key.
    package var nearestMembers: [DeviceID] { members.keys.sorted(by: standing.distances) }

    /// First those removed in this epoch, by distance from the recovery key.
    package var formerMembers: [DeviceID] {
        standing.mentioned.keys.filter { members[$0] == nil }
            .sorted(by: standing.reached.filter { removed[$0.key] != nil }.mapValues(\.distance))
    }

    /// Proves their removal to former members: the recovery, all removals, and the admissions behind them.
    package var removalNotice: [SignedStatement] {
        var wanted: Set<StatementID> = []
        for id in standing.effective {
            guard let statement = statements[id] else { continue }
            if statement.isRoot { wanted.insert(id) }
            guard case .revoked = statement.content else { continue }
            wanted.insert(id)
            var signer = statement.signer
            while let admission = standing.reached[signer].flatMap({ statements[$0.admission] }),
                wanted.insert(admission.id).inserted, !admission.isRoot
            {
                signer = admission.signer
            }
        }
        return wanted.sorted().compactMap { statements[$0]?.signed }
    }

    /// Recoveries of a later epoch, for a former member; does not check signatures.
    package func recoveries(in signed: [SignedStatement]) -> [SignedStatement] {
        guard let recoveryKey else { return [] }
        return signed.filter { statement in
            guard statement.signer == recoveryKey, statement.byteCount <= Limits.statementBytes,
                let epoch = try? RosterStatement(encoded: statement.statement).epoch
            else { return false }
            return epoch > self.epoch && epoch <= lastEpoch
        }
    }

    /// Does not check signatures.
    package func unknown(of signed: [SignedStatement]) -> [SignedStatement] {
        signed.filter { statements[StatementID(signer: $0.signer, statement: $0.statement)] == nil }
    }

    var statementIDs: Set<StatementID> { Set(statements.keys) }

    private var recoveryKey: [UInt8]? { statements.values.first { $0.isRoot }?.signed.signer }

    private var lastEpoch: UInt32 {
        // There may have been any number of recoveries.
        guard isFounded else { return .max }
        let (last, overflows) = epoch.addingReportingOverflow(Self.epochsAhead)
        return overflows ? .max : last
    }

    var isFounded: Bool { !standing.known.isEmpty }

    /// Of this epoch, sorted by id.
    var secretStatements: [(id: StatementID, hash: [UInt8])] {
        standing.effective.sorted().compactMap { id in statements[id]?.secretHash.map { (id, $0) } }
    }

    /// They may know every beacon secret, because no valid device removed them with a secret; they may have left.
    package var removedWithTheKey: [DeviceID] {
        var shutOut: Set<DeviceID> = []
        for id in standing.effective {
            guard let statement = statements[id], case .revoked(let device, _) = statement.content else { continue }
            if statement.secretHash != nil, members[statement.signer] != nil { shutOut.insert(device) }
        }
        return removed.keys.filter { standing.reached[$0] != nil && !shutOut.contains($0) }.sorted()
    }

    /// 32 bytes; see docs/protocol.md.
    package var digest: [UInt8] {
        var hash = SHA256()
        hash.update(data: Array("handoff-roster-digest/1".utf8) + [0])
        hash.update(data: account.bytes)
        for id in statements.keys.sorted() { hash.update(data: id.bytes) }
        return Array(hash.finalize())
    }

    package struct MergeResult: Sendable {
        package var changed = false
        package var rejections: [StatementRejection] = []
    }

    package mutating func merge(_ signed: some Sequence<SignedStatement>) -> MergeResult {
        var keys = KnownKeys()
        var unproven: [Result<UnprovenStatement, StatementRejection>] = []
        for statement in signed {
            guard statements[StatementID(signer: statement.signer, statement: statement.statement)] == nil else {
                continue
            }
            let read = Result { () throws(StatementRejection) in
                try UnprovenStatement(statement, account: account, keys: &keys)
            }
            if case .success(let read) = read, !isWanted(read.statement) { continue }
            unproven.append(read)
        }
        let checked = unproven.mapOnAllCores { result in
            Result { () throws(StatementRejection) in try result.get().proven() }
        }
        var result = MergeResult()
        var fresh: [VerifiedStatement] = []
        for statement in checked {
            switch statement {
            case .success(let statement): fresh.append(statement)
            case .failure(let rejection): result.rejections.append(rejection)
            }
        }
        let merged = insert(fresh)
        result.changed = merged.changed
        result.rejections += merged.rejections
        return result
    }

    /// Signatures were checked before storing.
    mutating func restore(_ signed: some Sequence<SignedStatement>) throws(StatementRejection) {
        var keys = KnownKeys()
        var stored: [VerifiedStatement] = []
        for statement in signed {
            stored.append(try UnprovenStatement(statement, account: account, keys: &keys).statement)
        }
        _ = insert(stored)
    }

    package mutating func merge(_ other: Roster) -> MergeResult {
        guard other.account == account else {
            return MergeResult(changed: false, rejections: other.statements.map { _ in .wrongAccount })
        }
        return insert(other.statements.values.sorted { $0.id < $1.id })
    }

    mutating func insert(_ fresh: some Sequence<VerifiedStatement>) -> MergeResult {
        var result = MergeResult()
        let before = Set(statements.keys)
        let lastEpoch = lastEpoch
        var isOther = false
        for statement in fresh {
            guard statement.account == account else {
                result.rejections.append(.wrongAccount)
                continue
            }
            guard !statement.isRoot || statement.epoch <= lastEpoch else {
                result.rejections.append(.epochTooFar)
                continue
            }
            if put(statement) { isOther = true }
        }
        guard isOther else { return result }
        standing = Standing(statements)
        let dropped = shrink()
        result.rejections += dropped.subtracting(before).map { _ in .limitReached }
        result.changed = Set(statements.keys) != before
        return result
    }

    fileprivate struct Naming: Hashable, Sendable {
        let signer, device: DeviceID
        let epoch: UInt32
    }

    /// False for a known statement, and for a replaced name.
    private func isWanted(_ statement: VerifiedStatement) -> Bool {
        guard statements[statement.id] == nil else { return false }
        guard let (naming, number) = statement.naming, let id = namings[naming],
            case .renamed(_, _, let known)? = statements[id]?.content
        else { return true }
        return (number, statement.id) > (known, id)
    }

    private mutating func put(_ statement: VerifiedStatement) -> Bool {
        guard isWanted(statement) else { return false }
        if let (naming, _) = statement.naming, let replaced = namings.updateValue(statement.id, forKey: naming) {
            byteCount -= statements.removeValue(forKey: replaced)?.signed.byteCount ?? 0
        }
        statements[statement.id] = statement
        byteCount += statement.signed.byteCount
        return true
    }

    private mutating func shrink() -> Set<StatementID> {
        guard isTooLarge else { return [] }
        var dropped: Set<StatementID> = []
        func drop(_ id: StatementID) {
            guard let statement = statements.removeValue(forKey: id) else { return }
            byteCount -= statement.signed.byteCount
            if let (naming, _) = statement.naming { namings[naming] = nil }
            dropped.insert(id)
        }
        for id in droppingOrder where isTooLarge { drop(id) }
        standing = Standing(statements)
        return dropped
    }

    var droppingOrder: [StatementID] { Worth.inDroppingOrder(statements, standing).map { $0.id } }

    private var isTooLarge: Bool { statements.count > Limits.rosterStatements || byteCount > Limits.rosterBytes }

    package static func == (left: Self, right: Self) -> Bool {
        left.account == right.account && left.statements.keys == right.statements.keys
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(account)
        hasher.combine(statements.count)
    }
}

extension VerifiedStatement {
    fileprivate var naming: (Roster.Naming, number: UInt32)? {
        guard case .renamed(let device, _, let number) = content else { return nil }
        return (Roster.Naming(signer: signer, device: device, epoch: epoch), number)
    }
}

extension Sequence<DeviceID> {
    fileprivate func sorted(by distances: [DeviceID: Int]) -> [DeviceID] {
        sorted { (distances[$0] ?? .max, $0) < (distances[$1] ?? .max, $1) }
    }
}
