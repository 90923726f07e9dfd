// SPDX-License-Identifier: Apache-2.0

import HandoffMeasuring
import Testing

/// `Benchmarks`, which are not built with the tests, measure with these. They trap if the program no longer does the
/// measured work.
@Suite struct MeasuringTests {
    @Test func rosterOfAThousandStatementsIsMerged() throws {
        let merge = try RosterMerge.measure(count: 1000)
        #expect(min(merge.signatures, merge.fresh, merge.again, merge.restored) > .zero)
    }

    @Test func secretsOfAllDevicesAreTried() {
        #expect(CallTrial.measure(devices: 8) > .zero)
    }
}
