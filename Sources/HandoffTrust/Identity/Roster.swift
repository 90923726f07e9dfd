// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire

/// Who belongs to an account: a set of verified statements, and the members that follow from it.
///
/// Two rosters of one account are merged by the union of their statements, so any order of arrival, any grouping and any
/// repetition give the same roster. Members are computed from the set alone. A statement whose signer is not a member
/// (yet) is kept as pending: it counts as soon as the chain to the founder is complete.
///
/// That holds up to the limits. A full roster makes room for a statement that counts by dropping pending ones, and takes
/// nothing more when there are none.
package struct Roster: Hashable, Sendable {
    /// All statements together, bytes: what fits a frame of the joining protocol with room to spare.
    package static let byteLimit = 384 * 1024

    package let account: AccountID
    private var statements: [StatementID: VerifiedStatement] = [:]
    private var byteCount = 0
    /// Follows from `statements`.
    private var standing = Standing()

    /// Of nobody, until a founding statement comes.
    package init(account: AccountID) { self.account = account }

    package var members: [DeviceID: RosterMember] { standing.members }
    package var statementCount: Int { statements.count }
    /// Statements whose signer is not a member.
    package var pendingCount: Int { statements.count - standing.counted.count }

    /// In an order of its own, the same for equal rosters.
    package var signedStatements: [SignedStatement] {
        statements.keys.sorted().map { statements[$0]!.signed }
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
        var result = MergeResult()
        var fresh: [VerifiedStatement] = []
        for statement in signed {
            // A statement that is here already costs no second look at its signature.
            guard statements[StatementID(signer: statement.signer, statement: statement.statement)] == nil else {
                continue
            }
            do throws(StatementRejection) {
                fresh.append(try VerifiedStatement(statement, account: account))
            } catch {
                result.rejections.append(error)
            }
        }
        let merged = insert(fresh)
        result.changed = merged.changed
        result.rejections += merged.rejections
        return result
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
        for statement in fresh {
            guard statement.account == account else {
                result.rejections.append(.wrongAccount)
                continue
            }
            guard statements[statement.id] == nil else { continue }
            statements[statement.id] = statement
            byteCount += statement.signed.byteCount
        }
        guard statements.count > before.count else { return result }
        standing = Standing(statements)
        let dropped = shrink(keeping: before)
        result.rejections += dropped.subtracting(before).map { _ in .limitReached }
        result.changed = Set(statements.keys) != before
        return result
    }

    /// Drops statements until the limits hold: pending ones first, then what came last. Returns what was dropped.
    private mutating func shrink(keeping before: Set<StatementID>) -> Set<StatementID> {
        guard isTooLarge else { return [] }
        let pending = statements.keys.filter { !standing.counted.contains($0) }.sorted()
        let late = statements.keys.filter { standing.counted.contains($0) && !before.contains($0) }.sorted()
        var candidates = late + pending
        var dropped: Set<StatementID> = []
        while isTooLarge, let id = candidates.popLast(), let statement = statements.removeValue(forKey: id) {
            byteCount -= statement.signed.byteCount
            dropped.insert(id)
        }
        standing = Standing(statements)
        return dropped
    }

    private var isTooLarge: Bool { statements.count > Limits.rosterStatements || byteCount > Self.byteLimit }

    package static func == (left: Self, right: Self) -> Bool {
        left.account == right.account && left.statements.keys == right.statements.keys
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(account)
        hasher.combine(statements.count)
    }
}
