// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem

/// For whom an activity is managed: the `userActivity` of a responder or a document of `HandoffApp`. The activity does not
/// retain it.
package protocol ActivityOwner: AnyObject, Sendable {
    /// It stands for a file, which may be renamed and changed without a word.
    var isAboutFile: Bool { get }
}

struct ActivityOwnerReference: Sendable {
    /// Stays when the owner is gone, so that one that leaves while it goes is found.
    let id: ObjectIdentifier
    weak var owner: (any ActivityOwner)?
}

extension NSUserActivity {
    /// Once for one owner, however often it is added.
    package func addOwner(_ owner: any ActivityOwner) {
        let reference = ActivityOwnerReference(id: ObjectIdentifier(owner), owner: owner)
        record.state.withLock { state in
            if !state.owners.contains(where: { $0.id == reference.id }) { state.owners.append(reference) }
        }
    }

    /// True for the last one: the activity is over, and the caller invalidates it. One that is no owner may leave too.
    package func removeOwner(_ owner: any ActivityOwner) -> Bool {
        let id = ObjectIdentifier(owner)
        return record.state.withLock { state in
            guard let index = state.owners.firstIndex(where: { $0.id == id }) else { return false }
            state.owners.remove(at: index)
            // In one step with the leaving: who comes now finds it over.
            if state.owners.isEmpty { state.isInvalidated = true }
            return state.owners.isEmpty
        }
    }

    /// In the order in which they came.
    package var owners: [any ActivityOwner] {
        record.state.withLock { $0.owners }.compactMap(\.owner)
    }

    package var isInvalidated: Bool { record.state.withLock { $0.isInvalidated } }
}
