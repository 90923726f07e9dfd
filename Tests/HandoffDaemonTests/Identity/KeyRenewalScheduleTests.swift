// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import Testing

@testable import HandoffDaemon

// Shows T04.

@Suite struct KeyRenewalScheduleTests {
    let noon = Instant(sinceZero: .seconds(1000))
    var schedule = KeyRenewalSchedule()

    @Test mutating func firstMemberActsAtOnceAndTheOthersInTheirTurns() {
        schedule.looked(isNeeded: true, rank: 0, now: noon)
        #expect(schedule.nextDeadline == noon)
        var later = KeyRenewalSchedule()
        later.looked(isNeeded: true, rank: 2, now: noon)
        #expect(later.nextDeadline == noon.advanced(by: KeyRenewalSchedule.turn * 2))
        // Another member has done it.
        later.looked(isNeeded: false, rank: 2, now: noon)
        #expect(later.nextDeadline == nil)
    }

    @Test mutating func lookingAgainDoesNotPutItOff() {
        schedule.looked(isNeeded: true, rank: 3, now: noon)
        let deadline = schedule.nextDeadline
        schedule.looked(isNeeded: true, rank: 3, now: noon.advanced(by: .seconds(5)))
        #expect(schedule.nextDeadline == deadline)
    }

    @Test mutating func isDoneOnceAPause() {
        schedule.looked(isNeeded: true, rank: 0, now: noon)
        let (first, second) = (schedule.isDue(now: noon), schedule.isDue(now: noon))
        #expect(first && !second)
        #expect(schedule.nextDeadline == noon.advanced(by: KeyRenewalSchedule.pause))
    }
}
