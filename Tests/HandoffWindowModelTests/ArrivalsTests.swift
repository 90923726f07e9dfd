// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffWindowModel

// Shows L10.
@Suite struct ArrivalsTests {
    private var page = ActivitiesPage()
    private var arrivals = Arrivals()

    private mutating func offer(_ numbers: UInt8..., isInSight: Bool) throws {
        page.offered(try numbers.map { try activity($0) })
        arrivals.listed(page.lines(strings, at: now), isInSight: isInSight)
    }

    @Test mutating func activitiesThatArriveOutOfSightAreCounted() throws {
        try offer(1, 2, isInSight: false)
        #expect(arrivals.count == 0, "the first list is not news")
        try offer(3, 1, 2, isInSight: true)
        #expect(arrivals.count == 0)
        try offer(5, 4, 3, 1, 2, isInSight: false)
        try offer(5, 4, 3, 1, 2, isInSight: false)
        #expect(arrivals.count == 2)
        try offer(5, 3, isInSight: false)
        #expect(arrivals.count == 1, "one was withdrawn")
        try offer(5, 3, isInSight: true)
        #expect(arrivals.count == 0)
    }

    @Test mutating func rowsThatWaitForThePointerAreCounted() throws {
        try offer(1, isInSight: true)
        page.pointed(true)
        #expect(page.isHeld)
        try offer(2, isInSight: false)
        #expect(arrivals.count == 1, "the gone one does not count")
    }
}
