// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire

/// Who belongs to an account: a set of verified statements, and the members that follow from it.
///
/// Two rosters of one account are merged by the union of their statements, so any order of arrival, any grouping and any
/// repetition give the same roster. Members are computed from the set alone. A statement whose signer is not a member
/// (yet) is kept as pending: it counts as soon as the chain to the recovery key is complete.
///
/// Of all names that one device gave another in one epoch only the last is kept, so that whoever renames in a loop makes
/// nobody's roster grow.
///
/// That holds up to the limits. A full roster drops what is worth least (see `Worth`). So no device, however much it says
/// and however many others it lets in, keeps its own removal out.
package struct Roster: Hashable, Sendable {
    /// A recovery counts that is so many ahead of the last one known here, and no more: whoever once had the recovery key
    /// cannot use up all recoveries that there are.
    package static let epochsAhead: UInt32 = 64

    package let account: AccountID
    private var statements: [StatementID: VerifiedStatement] = [:]
    private var byteCount = 0
    /// Of each name the statement that is kept.
    private var namings: [Naming: StatementID] = [:]
    /// Follows from `statements`.
    private var standing = Standing()

    /// Of nobody, until a statement of the recovery key comes.
    package init(account: AccountID) { self.account = account }

    package var members: [DeviceID: RosterMember] { standing.members }
    /// Members, and those that were removed in this epoch and were members before.
    package var membersEvenRemoved: [DeviceID: RosterMember] { standing.known }
    /// Whoever was removed in this epoch.
    package var removed: [DeviceID: RosterRemoval] { standing.removed }
    /// One more with each recovery.
    package var epoch: UInt32 { standing.epoch }
    package var statementCount: Int { statements.count }
    /// Statements that count for nothing: of a stranger, of a removed device, or of an earlier epoch.
    package var pendingCount: Int { statements.count - standing.counted.count }

    /// In an order of its own, the same for equal rosters.
    package var signedStatements: [SignedStatement] { signedStatements(without: []) }

    func signedStatements(without known: Set<StatementID>) -> [SignedStatement] {
        statements.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value.signed)
    }

    /// Of members and of those that were removed in this epoch.
    package func name(of device: DeviceID) -> DisplayText? { standing.known[device]?.name }

    package func counts(_ statement: StatementID) -> Bool { standing.counted.contains(statement) }

    /// All of them, for showing; by time, which proves nothing.
    package var history: [VerifiedStatement] {
        statements.values.sorted { ($0.epoch, $0.time, $0.id) < ($1.epoch, $1.time, $1.id) }
    }

    /// The number of a renaming that takes the place of the ones known here.
    package func nextRenaming(of device: DeviceID) -> UInt32 {
        let highest = standing.renamings[device] ?? 0
        return highest == .max ? highest : highest + 1
    }

    /// What of a device's statements a removal has to keep, so that no other device and no name changes by it: at most
    /// `Limits.keptStatements`, admissions before names. Removals stand by themselves.
    package func worthKeeping(of device: DeviceID) -> [StatementID] { worthKeeping(of: device) { _ in true } }

    /// What a removal by `remover` keeps of a device if it takes out those that are members only through it: the names, and
    /// the admission through which the remover itself is a member. One such removal is enough for any number of devices,
    /// and for those that these admitted.
    package func worthKeeping(of device: DeviceID, onlyFor remover: DeviceID) -> [StatementID] {
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

    /// Some statement lets it in, and does not count any more.
    package func isFormerMember(_ device: DeviceID) -> Bool { standing.members[device] == nil && mentions(device) }

    /// Some statement lets it in, whether that counts or not.
    package func mentions(_ device: DeviceID) -> Bool { standing.mentioned[device] != nil }

    /// Of everybody whom some statement lets in, whether that counts or not.
    package var mentionedKeys: [DeviceID: DevicePublicKey] { standing.mentioned }

    /// Those first that the recovery key let in, then those that these let in, and so on.
    package var nearestMembers: [DeviceID] { members.keys.sorted(by: standing.distances) }

    /// Whoever some statement lets in and does not count: those first that were removed in this epoch, of these the ones that
    /// were nearest to the recovery key.
    package var formerMembers: [DeviceID] {
        standing.mentioned.keys.filter { members[$0] == nil }
            .sorted(by: standing.reached.filter { removed[$0.key] != nil }.mapValues(\.distance))
    }

    /// What a former member needs to see that it is one: the recovery, all removals, and the chain of admissions behind
    /// each.
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

    /// Of what a former member says, what would be recoveries of a later epoch, by their signer and epoch alone: no
    /// signature is looked at here.
    package func recoveries(in signed: [SignedStatement]) -> [SignedStatement] {
        guard let recoveryKey else { return [] }
        return signed.filter { statement in
            guard statement.signer == recoveryKey, statement.byteCount <= Limits.statementBytes,
                let epoch = try? RosterStatement(encoded: statement.statement).epoch
            else { return false }
            return epoch > self.epoch && epoch <= lastEpoch
        }
    }

    /// Those that are not here already; no signature is looked at.
    package func unknown(of signed: [SignedStatement]) -> [SignedStatement] {
        signed.filter { statements[StatementID(signer: $0.signer, statement: $0.statement)] == nil }
    }

    package var statementIDs: Set<StatementID> { Set(statements.keys) }

    private var recoveryKey: [UInt8]? { statements.values.first { $0.isRoot }?.signed.signer }

    /// The highest epoch that may come next.
    private var lastEpoch: UInt32 {
        // Whoever has no roster yet hears of the account for the first time, however often it was recovered.
        guard isFounded else { return .max }
        let (last, overflows) = epoch.addingReportingOverflow(Self.epochsAhead)
        return overflows ? .max : last
    }

    /// There is a statement of the recovery key, on which all others hang.
    package var isFounded: Bool { !standing.known.isEmpty }

    /// Statements of this epoch that brought a beacon secret, in the order of their ids.
    package var secretStatements: [(id: StatementID, hash: [UInt8])] {
        standing.effective.sorted().compactMap { id in statements[id]?.secretHash.map { (id, $0) } }
    }

    /// Removed devices that may know every beacon secret there is: no device that still counts has brought one by removing
    /// them. Such are devices that left, and those that only removed devices removed.
    package var removedWithTheKey: [DeviceID] {
        var shutOut: Set<DeviceID> = []
        for id in standing.effective {
            guard let statement = statements[id], case .revoked(let device, _) = statement.content else { continue }
            if statement.secretHash != nil, members[statement.signer] != nil { shutOut.insert(device) }
        }
        return removed.keys.filter { standing.reached[$0] != nil && !shutOut.contains($0) }.sorted()
    }

    /// 32 bytes, equal for equal rosters: SHA-256 over "handoff-roster-digest/1", a zero byte, the account and the sorted
    /// ids of the statements. An id is SHA-256 over the signer's device id and the statement bytes.
    package var digest: [UInt8] {
        var hash = SHA256()
        hash.update(data: Array("handoff-roster-digest/1".utf8) + [0])
        hash.update(data: account.bytes)
        for id in statements.keys.sorted() { hash.update(data: id.bytes) }
        return Array(hash.finalize())
    }

    /// What came of a merge.
    package struct MergeResult: Sendable {
        /// There are statements that were not here before.
        package var changed = false
        /// In the order of arrival.
        package var rejections: [StatementRejection] = []
    }

    /// Takes what is new and proven from another device's statements.
    package mutating func merge(_ signed: some Sequence<SignedStatement>) -> MergeResult {
        var keys = KnownKeys()
        var unproven: [Result<UnprovenStatement, StatementRejection>] = []
        for statement in signed {
            // A statement that is here already costs no second look at its signature.
            guard statements[StatementID(signer: statement.signer, statement: statement.statement)] == nil else {
                continue
            }
            let read = Result { () throws(StatementRejection) in
                try UnprovenStatement(statement, account: account, keys: &keys)
            }
            // What would not be kept costs no look at its signature either.
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

    /// Takes statements from our own disk, whose signatures were checked before they came there.
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

    package mutating func insert(_ fresh: some Sequence<VerifiedStatement>) -> MergeResult {
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

    /// A name that one device gave another in an epoch.
    fileprivate struct Naming: Hashable, Sendable {
        let signer, device: DeviceID
        let epoch: UInt32
    }

    /// False for what is here already, and for a name in whose place the same device gave another since.
    private func isWanted(_ statement: VerifiedStatement) -> Bool {
        guard statements[statement.id] == nil else { return false }
        guard let (naming, number) = statement.naming, let id = namings[naming],
            case .renamed(_, _, let known)? = statements[id]?.content
        else { return true }
        return (number, statement.id) > (known, id)
    }

    /// Returns whether it was new.
    private mutating func put(_ statement: VerifiedStatement) -> Bool {
        guard isWanted(statement) else { return false }
        if let (naming, _) = statement.naming, let replaced = namings.updateValue(statement.id, forKey: naming) {
            byteCount -= statements.removeValue(forKey: replaced)?.signed.byteCount ?? 0
        }
        statements[statement.id] = statement
        byteCount += statement.signed.byteCount
        return true
    }

    /// Drops statements until the limits hold. Returns what was dropped.
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

    /// A roster that is over its limits drops these, one after the other, until it fits.
    package var droppingOrder: [StatementID] { Worth.ofAll(statements, standing).map { $0.id } }

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
    /// The lower distance first, and of one distance the lower id; whoever has none comes last.
    fileprivate func sorted(by distances: [DeviceID: Int]) -> [DeviceID] {
        sorted { (distances[$0] ?? .max, $0) < (distances[$1] ?? .max, $1) }
    }
}
