// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffCommand

@Suite struct ActivityChoiceTests {
    @Test func withoutAnIDTheNewestThatSomethingHereTakes() throws {
        let choice = ActivityChoice(id: nil, device: nil)
        let activities = try [
            activity("aa", on: "this", isHere: true), activity("bb", on: "laptop", target: .nothing("no app")),
            activity("cc", on: "laptop"), activity("dd", on: "tablet"),
        ]
        #expect(try choice.choose(from: activities, asking: false).offer.activity.hex.hasPrefix("cc"))
        #expect(try choose(nil, "Tablet", activities).hasPrefix("dd"))
    }

    // Shows L08.
    @Test func activityOfAMissingAppIsAPersonsLastChoice() throws {
        var missing = try activity("aa", on: "laptop")
        missing.offer.bundle = try BundleID("com.example.todo")
        let script = try activity("bb", on: "laptop")
        #expect(missing.lacksItsApp && !script.lacksItsApp)
        func choose(_ activities: ListedActivity..., prefersApps: Bool) throws -> String {
            try ActivityChoice(id: nil, device: nil, prefersApps: prefersApps).choose(from: activities, asking: false)
                .offer.activity.hex
        }
        #expect(try choose(missing, script, prefersApps: true).hasPrefix("bb"))
        #expect(try choose(missing, script, prefersApps: false).hasPrefix("aa"))
        #expect(try choose(missing, prefersApps: true).hasPrefix("aa"))
    }

    // Shows L08.
    @Test func missingAppIsNamed() throws {
        var missing = try activity("aa", on: "laptop")
        missing.offer.bundle = try BundleID("com.example.notes")
        let failure = CommandFailure(noAppFor: missing.offer, isInstalled: false)
        #expect(failure.reason == "Notes is not installed here")
        #expect(failure.advice == "to print the activity: handoff activity continue aa000000 --json")
        #expect(failure.code == "noApp" && failure.status == .failed)
        let unfit = CommandFailure(noAppFor: missing.offer, isInstalled: true)
        #expect(unfit.reason == "Notes cannot continue this activity here")
        let shown = ShownActivity(missing, among: DeviceNames([missing]))
        #expect(shown.cells.last == "no app here (--json prints it)")
    }

    @Test func anIDIsChosenByItsBeginning() throws {
        let activities = try [activity("aa01", on: "laptop"), activity("aa02", on: "laptop")]
        #expect(try choose("AA02", nil, activities).hasPrefix("aa02"))
        #expect(code { _ = try choose("aa", nil, activities) } == "usage")
        #expect(code { _ = try choose("bb", nil, activities) } == "activityGone")
    }

    @Test func anIDThatTwoDevicesHaveNeedsTheDevice() throws {
        let activities = try [activity("aa", on: "laptop"), activity("aa", on: "tablet", number: 8)]
        #expect(code { _ = try choose("aa", nil, activities) } == "severalDevices")
        #expect(
            try ActivityChoice(id: "aa", device: "tablet").choose(from: activities, asking: false).deviceName.text
                == "tablet")
    }

    @Test func dismissingAnIDThatTwoDevicesSentNeedsTheDevice() throws {
        var activities = try [
            activity("aa", on: "laptop"), activity("aa", on: "tablet", number: 8),
            activity("bb", on: "phone", number: 9),
        ]
        for index in activities.indices { activities[index].isSent = index < 2 }
        func dismissed(_ id: String, _ device: String?) throws -> String {
            try SentActivityChoice(id: id, device: device).choose(from: activities, asking: false).deviceName.text
        }
        #expect(code { _ = try dismissed("aa", nil) } == "severalDevices")
        #expect(try dismissed("aa", "tablet") == "tablet")
        #expect(try dismissed("aa", activities[0].device.description) == "laptop")
        #expect(code { _ = try dismissed("aa", "phone") } == "activityGone")
        #expect(code { _ = try dismissed("bb", nil) } == "activityGone")
        activities.remove(at: 0)
        #expect(try dismissed("aa", nil) == "tablet")
    }

    @Test func twoOffersOfOneDeviceNeedNoDevice() throws {
        let activities = try [activity("aa", on: "laptop"), activity("aa", on: "laptop")]
        #expect(try choose("aa", nil, activities).hasPrefix("aa"))
    }

    @Test func activityWithoutATargetIsRefusedWithAReason() throws {
        let activities = try [activity("aa", on: "laptop", target: .nothing("no app declares its type"))]
        #expect(code { _ = try choose("aa", nil, activities) } == "noApp")
        #expect(code { _ = try choose(nil, nil, activities) } == "activityGone")
    }

    @Test func aStreamComesFromTheNewestActivityThatAScriptCanStream() throws {
        let activities = try [
            activity("aa", on: "laptop"),
            activity("bb", on: "laptop", target: .app(BundleID("com.example.notes")), streams: true),
            activity("cc", on: "laptop", streams: true), activity("dd", on: "tablet", target: .webPage, streams: true),
        ]
        func choose(_ id: String?) throws -> String {
            try ActivityChoice(id: id, device: nil, needsStream: true).choose(from: activities, asking: false)
                .offer.activity.hex
        }
        #expect(try choose(nil).hasPrefix("cc"))
        #expect(try choose("dd").hasPrefix("dd"))
        #expect(code { _ = try choose("aa") } == "noStreams")
        #expect(code { _ = try choose("bb") } == "noStreams")
        let none = ActivityChoice(id: nil, device: nil, needsStream: true)
        #expect(code { _ = try none.choose(from: [activities[0]], asking: false) } == "activityGone")
    }

    @Test func aPageComesFromTheNewestActivityWithAPage() throws {
        let activities = try [
            activity("aa", on: "laptop"),
            activity("bb", on: "laptop", target: .app(BundleID("com.example.notes")), page: true),
        ]
        func choose(_ id: String?) throws -> String {
            try ActivityChoice(id: id, device: nil, needsPage: true).choose(from: activities, asking: false)
                .offer.activity.hex
        }
        #expect(try choose(nil).hasPrefix("bb"))
        #expect(code { _ = try choose("aa") } == "noApp")
        let none = ActivityChoice(id: nil, device: nil, needsPage: true)
        #expect(code { _ = try none.choose(from: [activities[0]], asking: false) } == "activityGone")
    }

    private func choose(_ id: String?, _ device: String?, _ activities: [ListedActivity]) throws -> String {
        try ActivityChoice(id: id, device: device).choose(from: activities, asking: false).offer.activity.hex
    }

    private func code(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? CommandFailure)?.code
        }
    }

    private func activity(
        _ beginning: String, on device: String, number: UInt8 = 7, isHere: Bool = false,
        target: ListedActivity.Target = .script,
        streams: Bool = false, page: Bool = false
    ) throws -> ListedActivity {
        let hex = beginning + String(repeating: "0", count: 32 - beginning.count)
        var offer = Offer(
            activity: try ActivityID(hex: hex), type: try ActivityType("com.example.notes.editing"),
            appName: DisplayText(cleaning: "Notes"),
            team: .personal(AccountID(uncheckedBytes: Array(repeating: 1, count: 32))),
            since: WallTime(milliseconds: 0))
        offer.supportsStreams = streams
        offer.hasWebPage = page
        return ListedActivity(
            offer: offer, device: DeviceID(uncheckedBytes: [UInt8](repeating: number, count: 32)),
            deviceName: DisplayText(cleaning: device), deviceKind: .laptop, isFromThisDevice: isHere, target: target,
            targetName: DisplayText(cleaning: ""))
    }
}
