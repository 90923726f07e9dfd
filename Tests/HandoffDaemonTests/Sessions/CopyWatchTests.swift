// SPDX-License-Identifier: Apache-2.0

import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffCore
@testable import HandoffDaemon

/// Shows Q06 in parts.
@Suite struct CopyWatchTests {
    private let laptop = DeviceID(uncheckedBytes: Array(repeating: 1, count: 32))
    private let first = BootID(1)
    private let second = BootID(2)
    private let third = BootID(3)

    @Test func earlierStartThatCallsAgainIsOfACopy() {
        var watch = CopyWatch()
        let seen = [0.0, 1, 4.9, 5, 60].map {
            watch.refused(first, beside: second, of: laptop, now: .at(.seconds($0)))
        }
        #expect(seen == [false, false, false, true, true])
    }

    // Its clock was set back, so its newest run looks like an earlier one until the old session is known to be gone.
    @Test func oneCallOfAnEarlierStartIsARestart() {
        var watch = CopyWatch()
        let restarts = [
            watch.refused(first, beside: second, of: laptop, now: .at(.seconds(0))),
            watch.refused(first, beside: third, of: laptop, now: .at(.seconds(60))),
            watch.refused(second, beside: third, of: laptop, now: .at(.seconds(120))),
        ]
        #expect(restarts == [false, false, false])
    }

    @Test func removedDeviceIsForgotten() {
        var watch = CopyWatch()
        _ = watch.refused(first, beside: second, of: laptop, now: .at(.seconds(0)))
        watch.keep([])
        let isCopy = watch.refused(first, beside: second, of: laptop, now: .at(.seconds(9)))
        #expect(!isCopy)
    }
}
