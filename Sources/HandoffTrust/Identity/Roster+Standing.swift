// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// A device that counts.
package struct RosterMember: Hashable, Sendable {
    package let key: DevicePublicKey
    package var name: DisplayText
    package let kind: DeviceKind
    package let admitted: WallTime
    /// Nil for a device that the recovery key let in, as the founder.
    package let admittedBy: DeviceID?
}

/// How a device came to count no more.
package struct RosterRemoval: Hashable, Sendable {
    package let by: DeviceID
    package let time: WallTime
    /// Of the lowest id, where several removals say it.
    package let statement: StatementID
}

extension Roster {
    /// What follows from a set of statements, and from nothing else: no order, no clock, nothing remembered.
    ///
    /// The highest epoch that the recovery key began is the current one; statements of others are history. Then in two
    /// walks from the devices that the recovery key let in:
    ///
    /// 1. Whoever an admission names, of whoever was reached before, may remove devices, and whom it removes is removed.
    ///    Here no removal takes anything away. So a further statement can only remove more, whatever order they come in.
    /// 2. The same walk again, but of a removed device only what every removal of it keeps goes on counting. Whoever is
    ///    reached so and is not removed is a member.
    ///
    /// Where several statements admit one device, the one with the lowest id in the first round counts; of several names
    /// the one with the highest number, then with the highest id. Any rule would do that every device applies alike.
    struct Standing: Sendable {
        private(set) var epoch: UInt32 = 0
        /// Whoever some statement lets in, whether that counts or not.
        private(set) var mentioned: [DeviceID: DevicePublicKey] = [:]
        /// Members, and those that the second walk came to and that are removed.
        private(set) var known: [DeviceID: RosterMember] = [:]
        private(set) var members: [DeviceID: RosterMember] = [:]
        private(set) var removed: [DeviceID: RosterRemoval] = [:]
        /// Statements that may be said: by the recovery key, by whoever counts, or of a removed device and kept; and all
        /// removals by whoever was reached.
        private(set) var counted: Set<StatementID> = []
        /// Those of them without which something would be otherwise.
        private(set) var effective: Set<StatementID> = []
        /// Whoever the first walk came to.
        private(set) var reached: [DeviceID: Reach] = [:]
        /// Whoever the second walk came to, and in how many admissions.
        private(set) var distances: [DeviceID: Int] = [:]

        /// How the first walk came to a device.
        struct Reach: Sendable {
            /// The statement that lets it in: of the shortest chains the lowest id.
            let admission: StatementID
            /// Admissions between it and the recovery key; 0 for whom that key itself lets in.
            let distance: Int
        }

        init() {}

        init(_ statements: [StatementID: VerifiedStatement]) {
            var roots: [VerifiedStatement] = []
            for statement in statements.values {
                if statement.isRoot { roots.append(statement) }
                if let subject = statement.subject { mentioned[subject.key.id] = subject.key }
            }
            guard let current = roots.map(\.epoch).max() else { return }
            epoch = current
            roots.removeAll { $0.epoch != current }
            roots.sort { $0.id < $1.id }
            var bySigner: [DeviceID: [VerifiedStatement]] = [:]
            for statement in statements.values where statement.epoch == current && !statement.isRoot {
                bySigner[statement.signer, default: []].append(statement)
            }
            for signer in bySigner.keys { bySigner[signer]?.sort { $0.id < $1.id } }
            effective.formUnion(roots.map(\.id))
            let kept = remove(roots, bySigner)
            admit(roots, bySigner, kept: kept)
            rename(bySigner)
            counted.formUnion(effective)
        }

        /// The first walk. Returns of each removed device what all its removals keep.
        private mutating func remove(
            _ roots: [VerifiedStatement], _ bySigner: [DeviceID: [VerifiedStatement]]
        ) -> [DeviceID: Set<StatementID>] {
            var kept: [DeviceID: Set<StatementID>] = [:]
            var newcomers: [DeviceID] = []
            func reach(_ statement: VerifiedStatement, at distance: Int) {
                guard let device = statement.subject?.key.id, reached[device] == nil else { return }
                reached[device] = Reach(admission: statement.id, distance: distance)
                newcomers.append(device)
            }
            for root in roots { reach(root, at: 0) }
            var distance = 0
            while !newcomers.isEmpty {
                let said = newcomers.flatMap { bySigner[$0] ?? [] }.sorted { $0.id < $1.id }
                newcomers = []
                distance += 1
                for statement in said {
                    switch statement.content {
                    case .admitted: reach(statement, at: distance)
                    case .revoked(let device, let keeps):
                        effective.insert(statement.id)
                        kept[device] = kept[device]?.intersection(keeps) ?? keeps
                        let removal = RosterRemoval(
                            by: statement.signer, time: statement.time, statement: statement.id)
                        if let earlier = removed[device], earlier.statement < statement.id { continue }
                        removed[device] = removal
                    case .renamed, .founded, .recovered: break
                    }
                }
            }
            return kept
        }

        /// The second walk.
        private mutating func admit(
            _ roots: [VerifiedStatement], _ bySigner: [DeviceID: [VerifiedStatement]],
            kept: [DeviceID: Set<StatementID>]
        ) {
            var reached: [DeviceID: RosterMember] = [:]
            var newcomers: [DeviceID] = []
            var distance = 0
            func admit(_ statement: VerifiedStatement, by signer: DeviceID?) {
                guard let subject = statement.subject, reached[subject.key.id] == nil else { return }
                reached[subject.key.id] = RosterMember(
                    key: subject.key, name: subject.name, kind: subject.kind, admitted: statement.time,
                    admittedBy: signer)
                distances[subject.key.id] = distance
                newcomers.append(subject.key.id)
                effective.insert(statement.id)
            }
            for root in roots { admit(root, by: nil) }
            while !newcomers.isEmpty {
                let said = newcomers.flatMap { bySigner[$0] ?? [] }.sorted { $0.id < $1.id }
                newcomers = []
                distance += 1
                for statement in said where kept[statement.signer]?.contains(statement.id) ?? true {
                    counted.insert(statement.id)
                    if case .admitted = statement.content { admit(statement, by: statement.signer) }
                }
            }
            known = reached
            members = reached.filter { removed[$0.key] == nil }
        }

        /// The number that a further renaming of a device needs to count is one above this.
        private(set) var renamings: [DeviceID: UInt32] = [:]

        private mutating func rename(_ bySigner: [DeviceID: [VerifiedStatement]]) {
            var winners: [DeviceID: (number: UInt32, id: StatementID, name: DisplayText)] = [:]
            for statement in bySigner.values.joined() where counted.contains(statement.id) {
                guard case .renamed(let device, let name, let number) = statement.content, known[device] != nil else {
                    continue
                }
                if let winner = winners[device], (winner.number, winner.id) > (number, statement.id) { continue }
                winners[device] = (number, statement.id, name)
            }
            for (device, winner) in winners {
                known[device]?.name = winner.name
                members[device]?.name = winner.name
                renamings[device] = winner.number
                effective.insert(winner.id)
            }
        }
    }
}

extension VerifiedStatement {
    /// Whom it lets in.
    package var subject: Subject? {
        switch content {
        case .founded(let subject), .recovered(let subject), .admitted(let subject): subject
        case .renamed, .revoked: nil
        }
    }
}
