// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

extension Roster {
    /// What a full roster keeps longest: what is worth least is dropped first. It follows from the set alone.
    ///
    /// Nobody can tell a liar from an honest device by what it says. But a device lets others in only farther from the
    /// recovery key than itself, in admissions, so what is farther goes first. An admission or a name is as near as
    /// whoever says it, a removal as near as the nearer of its two devices, and the admissions behind who said it as near
    /// as it. So whatever a device and those that it let in say, a removal of that device stays, and of and by any that is
    /// nearer; and so does whoever a nearer one let in. At the same distance admissions go before removals, for a removal
    /// that is forgotten lets somebody in, and the words of whoever said more before those of others.
    struct Worth: Comparable {
        /// Dropped in this order.
        enum Kind: Int {
            /// It does not count.
            case idle
            /// All would be the same without it.
            case needless
            /// Said at the end of a long chain, or between two devices of which neither counts, or one of many removals of
            /// one device. Nobody has such without meaning to fill the roster.
            case remote
            case name
            /// Who is in and who is out.
            case standing
            case root
        }

        /// The longest chain of admissions that is not a long one.
        static let farthest = 8
        /// Removals of one device that are kept like any other.
        static let removalsOfOne = 4

        private(set) var id: StatementID
        private(set) var kind: Kind
        private var distance: Int
        /// 1 for a removal and what is behind it, else 0.
        private var removal = 0
        /// How much the signer said of this sort.
        private var said = 0
        /// Among removals goes first what keeps more, for it says less, and after a removal the admissions behind it, the
        /// farthest first.
        private var order = 0

        static func < (left: Worth, right: Worth) -> Bool {
            (left.kind.rawValue, right.distance, left.removal, right.said, left.order, right.id)
                < (right.kind.rawValue, left.distance, right.removal, left.said, right.order, left.id)
        }

        /// Of all statements, the least first.
        static func ofAll(_ statements: [StatementID: VerifiedStatement], _ standing: Standing) -> [Worth] {
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
                // What is behind one that is worth more has its worth already.
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

        /// Alone, without the others of its signer.
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

        /// The removals that take something from what the better ones of the same device leave it. The others are needless.
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
