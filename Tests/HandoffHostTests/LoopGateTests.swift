// SPDX-License-Identifier: Apache-2.0

import HandoffSystem
import Testing

@testable import HandoffHost

@Suite struct LoopGateTests {
    @Test func closedGateRunsNothing() {
        let calls = Lock(0)
        let gate = LoopGate { body in body() }
        gate.pass { calls.withLock { $0 += 1 } }
        gate.close()
        gate.pass { calls.withLock { $0 += 1 } }
        gate.close()
        #expect(calls.withLock { $0 } == 1)
    }
}
