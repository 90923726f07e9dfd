// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffStrings
import HandoffWire
import Testing

@Suite struct PauseTests {
    private let now = WallTime(milliseconds: 1_800_000_000_000)

    @Test func anHourIsAnHour() {
        #expect(now.duration(to: Pause.hour.end(after: now)) == .seconds(3600))
    }

    /// A year of hours has both changes of the clock, if the zone of the tests has any.
    @Test func tomorrowIsTheNextFiveOfTheLocalClock() {
        for hour in 0..<(366 * 24) as Range<Int64> {
            let start = now.advanced(by: .seconds(hour * 3600))
            let end = Pause.untilTomorrow.end(after: start)
            let parts = Calendar.current.dateComponents(
                [.hour, .minute, .second], from: Date(timeIntervalSince1970: Double(end.milliseconds) / 1000))
            #expect(parts.hour == 5 && parts.minute == 0 && parts.second == 0)
            #expect(start < end)
            #expect(start.duration(to: end) <= .seconds(25 * 3600))
        }
    }

    @Test func pauseSwitchesOffWhatIsOnAndResumeOnlyThat() {
        let receiving = PolicySubject(.receiving)
        let isOff = PolicySummary(off: [PolicySwitch(receiving)])
        #expect(isOff.pausedUntil == nil)
        let changes = isOff.pausing(.hour, at: now)
        let end = Pause.hour.end(after: now)
        #expect(changes == [PolicyChange(PolicySubject(.advertising), isOff: true, until: end)])
        let paused = PolicySummary(off: isOff.off + [PolicySwitch(PolicySubject(.advertising), until: end)])
        #expect(paused.pausedUntil == end)
        #expect(paused.resuming == [PolicyChange(PolicySubject(.advertising), isOff: false)])
    }

    @Test func pauseCanBeExtended() {
        let paused = PolicySummary(off: [PolicySwitch(PolicySubject(.receiving), until: now)])
        #expect(paused.pausing(.untilTomorrow, at: now).count == 2)
    }

    @Test func administratorAndAppSwitchesAreNotPauses() throws {
        let app = PolicySubject(.receiving, of: try BundleID("com.example.notes"))
        let off = [PolicySwitch(app, until: now), PolicySwitch(PolicySubject(.advertising), isByAdministrator: true)]
        let policy = PolicySummary(off: off)
        #expect(policy.pausedUntil == nil)
        #expect(policy.resuming.isEmpty)
        #expect(policy.pausing(.hour, at: now).map(\.subject) == [PolicySubject(.receiving)])
        let none = HandoffDirection.allCases.map { PolicySwitch(PolicySubject($0), isByAdministrator: true) }
        #expect(!PolicySummary(off: none).canBePaused)
    }
}
