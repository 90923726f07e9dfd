// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem

/// A responder or document of `HandoffApp` whose `userActivity` is managed. Not retained.
package protocol ActivityOwner: AnyObject, Sendable {
    /// Other programs may rename or change a file without notice.
    var isAboutFile: Bool { get }
}

struct ActivityOwnerReference: Sendable {
    /// Still valid in the owner's `deinit`.
    let id: ObjectIdentifier
    weak var owner: (any ActivityOwner)?
}

extension NSUserActivity {
    package func addOwner(_ owner: any ActivityOwner) {
        let reference = ActivityOwnerReference(id: ObjectIdentifier(owner), owner: owner)
        record.state.withLock { state in
            if !state.owners.contains(where: { $0.id == reference.id }) { state.owners.append(reference) }
        }
    }

    /// True after the last owner: the caller must invalidate the activity.
    package func removeOwner(_ owner: any ActivityOwner) -> Bool {
        let id = ObjectIdentifier(owner)
        return record.state.withLock { state in
            guard let index = state.owners.firstIndex(where: { $0.id == id }) else { return false }
            state.owners.remove(at: index)
            // Now, so that a new owner finds the activity invalidated.
            if state.owners.isEmpty { state.isInvalidated = true }
            return state.owners.isEmpty
        }
    }

    /// In the order of addition.
    package var owners: [any ActivityOwner] {
        record.state.withLock { $0.owners }.compactMap(\.owner)
    }

    package var isInvalidated: Bool { record.state.withLock { $0.isInvalidated } }
}
