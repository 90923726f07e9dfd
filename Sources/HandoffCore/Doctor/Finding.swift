// SPDX-License-Identifier: Apache-2.0

/// The result of one check.
package struct Finding: Hashable, Sendable {
    package enum Result: String, Hashable, Sendable, CaseIterable {
        case passed
        case failed
        /// It could not be examined, or nothing need be done.
        case unknown
    }

    /// Stable, for scripts.
    package enum Check: String, Hashable, Sendable, CaseIterable {
        case daemon
        case version
        case service
        case storage
        case account
        case recoveryKey
        case port
        case interface
        case firewall
        case device
        case policy
        case presence
        case desktop
        case browser
        /// A warning of `handoff status`.
        case warning
    }

    package let check: Check
    package let result: Result
    /// A clause: what was seen, and its consequence.
    package let seen: String
    /// A clause: what to do. Nil: nothing.
    package let advice: String?

    package init(_ check: Check, _ result: Result, _ seen: String, advice: String? = nil) {
        (self.check, self.result, self.seen, self.advice) = (check, result, seen, advice)
    }
}
