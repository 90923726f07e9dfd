// SPDX-License-Identifier: Apache-2.0

import Foundation

enum Seeds {
    /// The given seeds, or those in HANDOFF_WALK_SEEDS.
    static func usual(_ seeds: Range<UInt64>) -> Range<UInt64> {
        guard let text = ProcessInfo.processInfo.environment["HANDOFF_WALK_SEEDS"] else { return seeds }
        let bounds = text.split(separator: "..<").map { UInt64($0) }
        guard bounds.count == 2, let first = bounds[0], let last = bounds[1], first < last else {
            preconditionFailure("HANDOFF_WALK_SEEDS is FIRST..<LAST")
        }
        return first..<last
    }
}
