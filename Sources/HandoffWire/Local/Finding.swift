// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

package struct Finding: Hashable, Sendable {
    package enum Result: String, Hashable, Sendable, CaseIterable {
        case passed
        case failed
        /// Not examined, or nothing need be done.
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
        case clock
        /// That do not open here.
        case beacons
        case history
        case offer
        case app
        case policy
        case presence
        case desktop
        case browser
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

extension PBFinding {
    init(_ finding: Finding) {
        self.init()
        check = finding.check.rawValue
        result =
            switch finding.result {
            case .passed: .passed
            case .failed: .failed
            case .unknown: .unspecified
            }
        seen = finding.seen
        advice = finding.advice ?? ""
    }
}

extension Finding {
    /// A check of another version becomes a warning.
    init(_ message: PBFinding) {
        let result: Result =
            switch message.result {
            case .passed: .passed
            case .failed: .failed
            case .unspecified, .UNRECOGNIZED: .unknown
            }
        self.init(
            Check(rawValue: message.check) ?? .warning, result, message.seen,
            advice: message.advice.isEmpty ? nil : message.advice)
    }
}
