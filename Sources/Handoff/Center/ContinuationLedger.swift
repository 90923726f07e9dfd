// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// Continuations that were announced to the app and have no outcome yet: each gets exactly one, whatever the daemon does.
struct ContinuationLedger: Sendable {
    private var open: [ContinuationID: ActivityType] = [:]

    /// False for one that is announced already.
    mutating func announced(_ continuation: ContinuationID, type: ActivityType) -> Bool {
        open.updateValue(type, forKey: continuation) == nil
    }

    /// Its type, if an outcome is due.
    mutating func ended(_ continuation: ContinuationID) -> ActivityType? {
        open.removeValue(forKey: continuation)
    }

    /// The daemon is gone: no outcome comes from there any more.
    mutating func lostAll() -> [ActivityType] {
        defer { open = [:] }
        return open.values.sorted()
    }
}
