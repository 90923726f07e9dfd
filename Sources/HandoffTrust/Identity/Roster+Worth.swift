// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

extension Roster {
    /// A full roster drops the statements of least worth first. The rules: "A full roster" in docs/protocol.md.
    ///
    /// A device can only admit devices farther from the recovery key than itself, so farther statements are dropped
    /// first. A removal, and the admissions that lead to its signer, are as far as the nearer of its two devices. So a
    /// device and those it admits cannot displace its removal, a removal of or by a nearer device, or an admission by a
    /// nearer device. At the same distance, admissions are dropped first, because a dropped removal lets a device in.
    struct Worth: Comparable {
        /// Dropped in this order.
        enum Kind: Int {
            case idle
            case needless
            /// Only an attacker needs these, to fill the roster.
            case remote
            case name
            case standing
            case root
        }

        /// Longer chains are remote.
        static let farthest = 8
        /// Further removals are remote.
        static let removalsOfOne = 4

        private(set) var id: StatementID
        private(set) var kind: Kind
        private var distance: Int
        /// 1 also for the admissions that lead to a removal's signer.
        private var removal = 0
        /// The signer's statements of this kind.
        private var said = 0
        /// Removals that keep more have less effect and are dropped first. The admissions behind a removal follow it,
        /// farthest first.
        private var order = 0

        static func < (left: Worth, right: Worth) -> Bool {
            (left.kind.rawValue, right.distance, left.removal, right.said, left.order, right.id)
                < (right.kind.rawValue, left.distance, right.removal, left.said, right.order, left.id)
        }

        static func inDroppingOrder(_ statements: [StatementID: VerifiedStatement], _ standing: Standing) -> [Worth] {
            var said: [DeviceID: (names: Int, admissions: Int, removals: Int)] = [:]
            for statement in statements.values {
                switch statement.content {
                case .renamed: said[statement.signer, default: (0, 0, 0)].names += 1
                case .admitted: said[statement.signer, default: (0, 0, 0)].admissions += 1
                case .revoked: said[statement.signer, default: (0, 0, 0)].removals += 1
                case .founded, .recovered: break
                }
            }
            var worths: [StatementID: Worth] = [:]
            var removals: [DeviceID: [Worth]] = [:]
            for statement in statements.values {
                let said = said[statement.signer] ?? (0, 0, 0)
                var worth = Worth(of: statement, standing)
                switch statement.content {
                case .renamed: worth.said = said.names
                case .admitted: worth.said = said.admissions
                case .revoked(let device, let kept):
                    worth.said = said.removals
                    worth.order = -(Limits.rosterStatements + 1 + kept.count)
                    if worth.kind != .idle { removals[device, default: []].append(worth) }
                case .founded, .recovered: break
                }
                worths[statement.id] = worth
            }
            var behind: Set<StatementID> = []
            for removal in needed(removals, of: statements, in: &worths).sorted(by: >) {
                guard var signer = statements[removal.id]?.signer else { continue }
                // The rest of the chain has a better removal's worth.
                while let reach = standing.reached[signer], behind.insert(reach.admission).inserted,
                    let admission = statements[reach.admission], !admission.isRoot
                {
                    var worth = removal
                    worth.id = admission.id
                    worth.order = -reach.distance
                    worths[admission.id] = max(worths[admission.id] ?? worth, worth)
                    signer = admission.signer
                }
            }
            return worths.values.sorted()
        }

        /// Ignores the signer's other statements.
        private init(of statement: VerifiedStatement, _ standing: Standing) {
            id = statement.id
            distance = standing.distances[statement.signer] ?? .max
            switch statement.content {
            case .founded, .recovered: kind = .root
            case .renamed: kind = .name
            case .admitted, .revoked: kind = .standing
            }
            var chain = distance
            if case .revoked(let device, _) = statement.content {
                removal = 1
                chain = standing.reached[statement.signer]?.distance ?? .max
                distance = min(distance, standing.distances[device] ?? .max)
            }
            if !standing.effective.contains(id) {
                kind = standing.counted.contains(id) ? .needless : .idle
            } else if !statement.isRoot, chain > Self.farthest || distance == .max {
                (kind, distance) = (.remote, max(chain, distance))
            }
        }

        /// Those that reduce what better removals of the same device keep.
        private static func needed(
            _ removals: [DeviceID: [Worth]], of statements: [StatementID: VerifiedStatement],
            in worths: inout [StatementID: Worth]
        ) -> [Worth] {
            var needed: [Worth] = []
            for ofOne in removals.values {
                var left: Set<StatementID>?
                var count = 0
                for var removal in ofOne.sorted(by: >) {
                    guard case .revoked(_, let kept)? = statements[removal.id]?.content else { continue }
                    if left?.isSubset(of: kept) == true {
                        removal.kind = .needless
                    } else {
                        left = left?.intersection(kept) ?? kept
                        count += 1
                        if count > removalsOfOne { removal.kind = .remote }
                        needed.append(removal)
                    }
                    worths[removal.id] = removal
                }
            }
            return needed
        }
    }
}
