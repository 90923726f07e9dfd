// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Continuations announced to the app without an outcome. Each gets exactly one, even if the daemon fails.
package struct ContinuationLedger: Sendable {
    private var open: [ContinuationNotice] = []

    package init() {}

    @discardableResult
    package mutating func announced(_ notice: ContinuationNotice) -> Bool {
        guard !open.contains(where: { $0.id == notice.id }) else { return false }
        open.append(notice)
        return true
    }

    /// Returns the notice if an outcome is due.
    package mutating func ended(_ continuation: ContinuationID) -> ContinuationNotice? {
        open.firstIndex { $0.id == continuation }.map { open.remove(at: $0) }
    }

    mutating func lostAll() -> [ContinuationNotice] {
        defer { open = [] }
        return open
    }
}
