// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDesktop

/// Shows L11.
@Suite struct OfferSearchTests {
    private func offer(
        _ title: String?, app: String = "Notes", on device: String = "Ana’s laptop", in target: String = "Notes"
    ) throws -> ListedActivity {
        ListedActivity(
            offer: Offer(
                activity: ActivityID(uncheckedBytes: Array(repeating: 7, count: 16)),
                type: try ActivityType("com.example.reading"), title: title.map { DisplayText(cleaning: $0) },
                appName: DisplayText(cleaning: app),
                team: .personal(AccountID(uncheckedBytes: Array(repeating: 3, count: 32))),
                since: WallTime(milliseconds: 0)),
            device: DeviceID(uncheckedBytes: Array(repeating: 1, count: 32)), deviceName: DisplayText(cleaning: device),
            deviceKind: .laptop, isFromThisDevice: false, target: .webPage, targetName: DisplayText(cleaning: target))
    }

    private func found(_ words: String..., in titles: String...) throws -> [String] {
        let offers = try titles.map { try offer($0) }
        return OfferSearch(offers).matches(words).map { offers[$0.index].title.text }
    }

    @Test func everyWordHasToBeSomewhere() throws {
        #expect(try found("shop", in: "Shopping", "Holidays") == ["Shopping"])
        #expect(try found("list", "shop", in: "Shopping list", "Shopping") == ["Shopping list"])
        #expect(try found("shop", "notes", "ana", in: "Shopping") == ["Shopping"])
        #expect(try found("shop", "mail", in: "Shopping").isEmpty)
    }

    @Test func theTitleComesBeforeNamesAndTheNewerBeforeTheOlder() throws {
        #expect(
            try found("notes", in: "Holidays", "Old notes", "Notes", "Notes on birds")
                == ["Notes", "Old notes", "Notes on birds", "Holidays"])
    }

    @Test func matchReportsItsPlace() throws {
        let search = OfferSearch([try offer("Meeting notes")])
        #expect(search.matches(["meeting", "NOTES"]) == [OfferSearch.Match(index: 0, place: .wholeTitle)])
        #expect(search.matches(["notes"]) == [OfferSearch.Match(index: 0, place: .title)])
        #expect(search.matches(["meeting", "laptop"]) == [OfferSearch.Match(index: 0, place: .names)])
    }

    @Test func anActivityWithoutATitleIsFoundByItsApp() throws {
        let search = OfferSearch([try offer(nil, app: "Maps", in: "Navigator")])
        #expect(search.matches(["maps"]).map(\.place) == [.wholeTitle])
        #expect(search.matches(["navi"]).map(\.place) == [.names])
    }

    @Test func noWordsFindNothing() throws {
        #expect(try found(in: "Shopping").isEmpty)
        #expect(try found("", " ", "\u{301}", in: "Shopping").isEmpty)
    }

    /// KRunner passes the line as typed.
    @Test func aLineIsItsWords() throws { #expect(try found("list  shop", in: "Shopping list") == ["Shopping list"]) }

    @Test func moreThanAPersonTypesFindsNothing() throws {
        let search = OfferSearch([try offer("a a")])
        let long = { (count: Int) in String(repeating: "a", count: count) }
        #expect(search.matches(Array(repeating: "a", count: SearchLimits.words)).count == 1)
        #expect(search.matches(Array(repeating: "a", count: SearchLimits.words + 1)).isEmpty)
        let wide = OfferSearch([try offer(long(SearchLimits.wordBytes))])
        #expect(wide.matches([long(SearchLimits.wordBytes)]).count == 1)
        #expect(wide.matches([long(SearchLimits.wordBytes + 1)]).isEmpty)
    }

    @Test func theListOfWhatIsFoundIsShort() throws {
        let offers = try (0..<SearchLimits.results + 5).map { try offer("Note \($0)") }
        #expect(OfferSearch(offers).matches(["note"]).map(\.index) == Array(0..<SearchLimits.results))
    }

    // Shows L11, L12.
    @Test func onlyWhatAPressContinuesIsForPeople() throws {
        var activity = try offer("Shopping")
        #expect(activity.isContinuedByOneClick)
        activity.target = .script
        #expect(!activity.isContinuedByOneClick)
        activity.target = .nothing("there is no app")
        #expect(!activity.isContinuedByOneClick)
        activity.target = .webPage
        activity.isFromThisDevice = true
        #expect(!activity.isContinuedByOneClick)
    }
}
