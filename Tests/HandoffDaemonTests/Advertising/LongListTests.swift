// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Several devices with as many offers as allowed, and texts of maximum length.
@Suite struct LongListTests {
    private static let type = try! ActivityType("com.example." + String(repeating: "a", count: 243))
    /// Four bytes per character.
    private static func text(characters: Int) -> DisplayText {
        DisplayText(cleaning: String(repeating: "𝄞", count: characters), limit: characters)
    }

    private let desktop: DeviceFixture
    /// The newest offer; the others follow at intervals of a millisecond, from each device in turn.
    private let newest: WallTime
    private let devices = 4

    init() throws {
        // The reason why it does not continue the activities contains its name.
        let near = InstalledApp(
            bundle: try BundleID("com.example.near"), name: Self.text(characters: Limits.nameCharacters),
            signer: .team(.made("OTHERTEAM1"), name: DisplayText(cleaning: "Other")), activityTypes: [Self.type],
            path: "/apps/near.app", executable: "/apps/near.app/Contents/Linux/near")
        desktop = try DeviceFixture("desktop", apps: [near])
        newest = desktop.time.wallTime
        for number in 0..<devices {
            let member = Member(
                device: DeviceID(uncheckedBytes: Array(repeating: UInt8(number + 10), count: 32)),
                name: Self.text(characters: Limits.nameCharacters), kind: .laptop, admitted: newest, admittedBy: nil)
            desktop.membership.members.append(member)
            desktop.boards.sessionOpened(member.device)
            let offers = try (0..<Limits.offersPerBoard).map { try offer($0 * devices + number) }
            let snapshot = BoardSnapshot(revision: 1, offers: offers)
            desktop.boards.handle(.boardSnapshot(snapshot), from: member.device) { _ in }
        }
    }

    private func offer(_ age: Int) throws -> Offer {
        let number = [UInt8(age >> 8), UInt8(age & 255)]
        return Offer(
            activity: ActivityID(uncheckedBytes: Array(repeating: 0, count: 14) + number), type: Self.type,
            title: Self.text(characters: Limits.titleCharacters),
            bundle: try BundleID("com.example." + String(repeating: "b", count: Limits.bundleIDBytes - 12)),
            appName: Self.text(characters: Limits.nameCharacters), team: DeviceFixture.team, supportsStreams: true,
            hasWebPage: false, since: newest.advanced(by: .milliseconds(-age)),
            expires: newest.advanced(by: .seconds(3600)))
    }

    @Test func listIsOfTheNewestOfAllDevices() {
        let list = desktop.list(all: true)
        #expect(list.count == AdvertisingService.listedActivities)
        #expect(list.indices.allSatisfy { list[$0].offer.since == newest.advanced(by: .milliseconds(-$0)) })
        #expect(Set(list.map(\.device)).count == devices)
        #expect(desktop.boards.peerOfferCount == devices * Limits.offersPerBoard)
        #expect(desktop.watch(all: true)().map(\.count) == [AdvertisingService.listedActivities])
    }

    @Test func longestListFitsAFrame() throws {
        let list = desktop.list(all: true)
        let activity = try #require(list.first)
        #expect(activity.offer.title?.text.utf8.count == Limits.titleCharacters * Limits.shownBytesPerCharacter)
        guard case .nothing(let reason) = activity.target else {
            Issue.record("\(activity.target)")
            return
        }
        #expect(reason.hasPrefix(Self.text(characters: Limits.nameCharacters).text))
        let body = try LocalFrame(.advertising(.activityList(list)), request: .max, answer: .max).encoded()
        // With room for another text in each entry.
        #expect(body.count + list.count * 512 <= Limits.frameBytes)
    }
}
