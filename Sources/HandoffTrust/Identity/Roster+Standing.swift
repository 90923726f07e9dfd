// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package struct RosterMember: Hashable, Sendable {
    package let key: DevicePublicKey
    package var name: DisplayText
    package let kind: DeviceKind
    package let admitted: WallTime
    /// Nil: the recovery key let it in.
    package let admittedBy: DeviceID?
}

package struct RosterRemoval: Hashable, Sendable {
    package let by: DeviceID
    let time: WallTime
    /// Of several, the lowest.
    let statement: StatementID
}

extension Roster {
    /// The rules: "Who is a member" in docs/protocol.md. Depends only on the statements.
    ///
    /// Two walks follow admissions from the devices that the recovery key let in:
    ///
    /// - The first ignores removals. Each reached device may remove devices, so a further statement can only remove
    ///   more.
    /// - The second follows only those statements of a removed device that all its removals keep. It reaches the valid
    ///   devices.
    package struct Standing: Sendable {
        private(set) var epoch: UInt32 = 0
        /// Valid or not.
        private(set) var mentioned: [DeviceID: DevicePublicKey] = [:]
        /// Reached by the second walk.
        private(set) var known: [DeviceID: RosterMember] = [:]
        private(set) var members: [DeviceID: RosterMember] = [:]
        private(set) var removed: [DeviceID: RosterRemoval] = [:]
        /// By the recovery key, or by a valid device, or kept; and removals by reached devices.
        private(set) var counted: Set<StatementID> = []
        /// Without these the result would differ.
        private(set) var effective: Set<StatementID> = []
        /// By the first walk.
        private(set) var reached: [DeviceID: Reach] = [:]
        /// By the second walk, in admissions.
        private(set) var distances: [DeviceID: Int] = [:]

        struct Reach: Sendable {
            /// The lowest id of the shortest chains.
            let admission: StatementID
            /// 0: let in by the recovery key.
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

        /// The first walk. Returns the statements that all removals of a device keep.
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

        /// The next renaming adds one.
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
    package var subject: Subject? {
        switch content {
        case .founded(let subject), .recovered(let subject), .admitted(let subject): subject
        case .renamed, .revoked: nil
        }
    }
}
