// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// A device that counts.
package struct RosterMember: Hashable, Sendable {
    package let key: DevicePublicKey
    package let name: DisplayText
    package let kind: DeviceKind
    package let admitted: WallTime
    /// Nil for the founder.
    package let admittedBy: DeviceID?
}

extension Roster {
    /// What follows from a set of statements, and from nothing else: no order, no clock, nothing remembered.
    ///
    /// The founder is a member. Then, round by round, whoever a member admits is one. Where several statements admit one
    /// device, the one with the lowest id gives its name, within the first round that admits it: any rule would do that
    /// every device applies alike. A statement counts if its signer is a member, whether or not it changed anything.
    ///
    /// A further kind of statement is a further fold over `bySigner` here, after or within the rounds, and a case in
    /// `VerifiedStatement.Content`; the set, its merge and its digest stay as they are.
    struct Standing: Sendable {
        private(set) var members: [DeviceID: RosterMember] = [:]
        private(set) var counted: Set<StatementID> = []

        init() {}

        init(_ statements: [StatementID: VerifiedStatement]) {
            var bySigner: [DeviceID: [VerifiedStatement]] = [:]
            var newcomers: [DeviceID] = []
            for statement in statements.values {
                bySigner[statement.signer, default: []].append(statement)
                // There is one founding statement at most: the account is its hash.
                guard case .founded(let founder) = statement.content else { continue }
                members[founder.key.id] = RosterMember(founder, admitted: statement.time, by: nil)
                newcomers = [founder.key.id]
            }
            while !newcomers.isEmpty {
                let said = newcomers.flatMap { bySigner[$0] ?? [] }.sorted { $0.id < $1.id }
                newcomers = []
                for statement in said {
                    counted.insert(statement.id)
                    guard case .admitted(let subject) = statement.content,
                        members[subject.key.id] == nil
                    else { continue }
                    members[subject.key.id] = RosterMember(subject, admitted: statement.time, by: statement.signer)
                    newcomers.append(subject.key.id)
                }
            }
        }
    }
}

extension RosterMember {
    fileprivate init(_ subject: VerifiedStatement.Subject, admitted: WallTime, by signer: DeviceID?) {
        self.init(key: subject.key, name: subject.name, kind: subject.kind, admitted: admitted, admittedBy: signer)
    }
}
