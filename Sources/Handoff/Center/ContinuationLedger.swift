// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Continuations that were announced to the app and have no outcome yet: each gets exactly one, whatever the daemon does.
package struct ContinuationLedger: Sendable {
    /// In the order in which they were announced.
    private var open: [ContinuationNotice] = []

    package init() {}

    /// False for one that is announced already.
    @discardableResult
    package mutating func announced(_ notice: ContinuationNotice) -> Bool {
        guard !open.contains(where: { $0.id == notice.id }) else { return false }
        open.append(notice)
        return true
    }

    /// What was announced, if an outcome is due.
    package mutating func ended(_ continuation: ContinuationID) -> ContinuationNotice? {
        open.firstIndex { $0.id == continuation }.map { open.remove(at: $0) }
    }

    /// The daemon is gone: no outcome comes from there any more.
    mutating func lostAll() -> [ContinuationNotice] {
        defer { open = [] }
        return open
    }
}
