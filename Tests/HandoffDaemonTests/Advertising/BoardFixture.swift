// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire

@testable import HandoffDaemon

/// Offers and clocks for the tests of boards. Activities and apps have numbers.
enum BoardFixture {
    static let team = Team.made("ABCDE12345")
    static let wallZero = WallTime(milliseconds: 1_800_000_000_000)

    static func activity(_ number: UInt8) -> ActivityID {
        ActivityID(uncheckedBytes: Array(repeating: number, count: 16))
    }

    static func wall(_ now: Instant) -> WallTime { wallZero.advanced(by: now.sinceZero) }

    static func app(_ number: Int) -> BundleID { try! BundleID("com.example.app\(number)") }

    static func offer(
        _ number: UInt8, of app: Int? = 1, title: String? = nil, at now: Instant = .zero, expires: Duration? = nil
    ) -> Offer {
        Offer(
            activity: activity(number), type: try! ActivityType("com.example.editing"),
            title: title.map { DisplayText(cleaning: $0) }, bundle: app.map(self.app),
            appName: DisplayText(cleaning: "Editor"), team: team, since: wall(now),
            expires: expires.map { wallZero.advanced(by: $0) })
    }
}

extension BoardStateMachine {
    /// As `published`, with a synchronous wall clock.
    mutating func publish(_ offer: Offer, by client: ClientID, now: Instant = .zero) -> PublishAction {
        published(offer, by: client, now: now, wall: BoardFixture.wall(now))
    }

    mutating func announce(_ offer: Offer, by client: ClientID, now: Instant = .zero) -> BoardDelta? {
        switch publish(offer, by: client, now: now) {
        case .update(let update): update.delta
        case .refuse: nil
        }
    }

    mutating func withdraw(
        _ activity: ActivityID, by client: ClientID, of app: Int? = nil, now: Instant = .zero
    ) -> BoardUpdate {
        withdrawn(activity, by: client, of: app.map(BoardFixture.app), now: now, wall: BoardFixture.wall(now))
    }

    mutating func quit(_ client: ClientID, saved: WallTime, now: Instant = .zero) -> BoardUpdate {
        clientQuit(client, saved: saved, now: now, wall: BoardFixture.wall(now))
    }

    mutating func reach(_ now: Instant) -> BoardUpdate {
        deadlineReached(now: now, wall: BoardFixture.wall(now))
    }
}
