// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffHost
import HandoffTesting

/// Work of one kind or the other, with a loop for what it tells.
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

    /// Lets the loop run until then; false if it does not come to that within ten seconds.
    func run(until condition: () -> Bool) -> Bool {
        switch kind {
        case .threads: loop.run(until: condition)
        case .virtual: time.run(until: condition, within: .seconds(10))
        }
    }

    /// Lets the loop run until all that was begun has ended.
    func drain() {
        // Two jobs at a time are done, so these are done last.
        var ended = 0
        for _ in 0..<2 { try? work.makeLane().run({}, then: { ended += 1 }) }
        _ = run { ended == 2 }
    }
}
