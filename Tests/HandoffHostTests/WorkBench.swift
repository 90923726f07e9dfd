// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting

@testable import HandoffHost

/// Work of either kind, with a loop for its outcomes.
final class WorkBench {
    enum Kind: CaseIterable {
        case threads
        case virtual
    }

    let work: any Work
    private let time = VirtualTime()
    private let loop = TestLoop()
    private let kind: Kind

    init(_ kind: Kind, limits: WorkLimits = WorkLimits()) {
        self.kind = kind
        switch kind {
        case .threads: work = ThreadedWork(limits: limits, onLoop: { [loop] in loop.queue($0) })
        case .virtual: work = VirtualWork(time: time, limits: limits)
        }
    }

    /// Runs the loop until the condition is true; returns false after ten seconds.
    func run(until condition: () -> Bool) -> Bool {
        switch kind {
        case .threads: loop.run(until: condition)
        case .virtual: time.run(until: condition, within: .seconds(10))
        }
    }

    /// Runs the loop until all jobs have ended.
    func drain() {
        // Two jobs run at a time, so these end last.
        var ended = 0
        for _ in 0..<2 { try? work.makeLane().run({}, then: { ended += 1 }) }
        _ = run { ended == 2 }
    }
}
