// SPDX-License-Identifier: Apache-2.0

import HandoffIcons
import HandoffStrings
import HandoffWire
import Testing

@testable import HandoffWindowModel

/// Shows W05.
@Suite struct HistorySearchTests {
    private let strings = LocalizedStrings(.english)
    private let app = try! BundleID("com.example.notes")
    private let now = WallTime(milliseconds: 1_800_000_000_000)

    private func item(_ number: HistoryNumber, _ title: String) -> HistoryItem {
        HistoryItem(
            number: number, title: DisplayText(cleaning: title), type: .searchableItem, app: app,
            appName: DisplayText(cleaning: "Notes"), lastUse: now.advanced(by: .seconds(-300)))
    }

    private func explain(_ failure: Failure) -> Trouble { strings.trouble(failure) }

    private func searched(_ words: String, finding items: HistoryItem...) -> HistorySearch {
        var search = HistorySearch()
        #expect(search.typed(words) == .history(.searchHistory(words, limit: 20)))
        search.found(.success(.history(.historyList(items))), by: words, explain: explain)
        return search
    }

    private func summary(_ name: String, types: [ActivityType]) throws -> AppSummary {
        AppSummary(
            bundle: try BundleID("com.example.\(name.lowercased())"), name: DisplayText(cleaning: name), version: "1",
            team: nil, teamName: nil, isInDevelopment: false, isTrusted: true, activityTypes: types, path: "/",
            isRunning: false)
    }

    private func titles(_ search: HistorySearch) -> [String] {
        search.entries(strings, at: now) { _ in nil }.map(\.title)
    }

    @Test func lineSaysWhatAndWhere() {
        let line = searched("let", finding: item(7, "Letter")).entries(strings, at: now) { _ in nil }.first
        #expect(line?.title == "Letter" && line?.details == "Notes · 5 min ago")
        #expect(line?.buttonLabel == "Open Letter" && line?.forgetLabel == "Forget Letter")
        #expect(line?.picture == .name("org.handoff.Handoff"))
        let untitled = searched("", finding: item(7, "")).entries(strings, at: now) { _ in nil }.first
        #expect(untitled?.title == "Notes" && untitled?.details == "5 min ago")
    }

    @Test func answerToAnEarlierWordIsIgnored() {
        var search = searched("let", finding: item(7, "Letter"))
        _ = search.typed("lett")
        search.found(.success(.history(.historyList([item(8, "Lettuce")]))), by: "let", explain: explain)
        #expect(titles(search) == ["Letter"])
        search.found(.success(.history(.historyList([]))), by: "lett", explain: explain)
        #expect(titles(search) == [])
        search.closed()
        search.found(.success(.history(.historyList([item(8, "Lettuce")]))), by: "", explain: explain)
        #expect(titles(search) == [])
    }

    @Test func returnBeforeTheAnswerOpensWhatTheNewWordsFind() {
        var search = searched("", finding: item(7, "Letter"))
        let isAnswered = search.pressedReturn()
        #expect(isAnswered)
        _ = search.typed("poem")
        let isTooEarly = !search.pressedReturn()
        #expect(isTooEarly)
        let isStillTooEarly = !search.takeReturn()
        #expect(isStillTooEarly)
        search.found(.success(.history(.historyList([item(8, "Poem")]))), by: "poem", explain: explain)
        let opens = search.takeReturn()
        #expect(opens && titles(search) == ["Poem"])
        let opensAgain = search.takeReturn()
        #expect(!opensAgain)
    }

    @Test func anotherWordTakesReturnBack() {
        var search = searched("let", finding: item(7, "Letter"))
        _ = search.typed("poem")
        _ = search.pressedReturn()
        _ = search.typed("poems")
        search.found(.success(.history(.historyList([item(8, "Poems")]))), by: "poems", explain: explain)
        let opens = search.takeReturn()
        #expect(!opens)
    }

    @Test func refusalIsShown() {
        var search = searched("let", finding: item(7, "Letter"))
        search.found(.failure(Failure(.notAllowed, "switched off")), by: "let", explain: explain)
        #expect(titles(search) == [] && search.trouble != nil)
    }

    @Test func entryOpensOnceAtATime() {
        var search = searched("let", finding: item(7, "Letter"))
        #expect(search.pressed(.entry(7), nil) == .history(.openHistory(7, activation: nil)))
        #expect(search.pressed(.entry(7), nil) == nil)
        #expect(search.entries(strings, at: now) { _ in nil }.map(\.isBusy) == [true])
        let outcome = ContinuationOutcome(
            continuation: ContinuationID(uncheckedBytes: Array(repeating: 1, count: 16)), phases: [], how: .app(app),
            targetName: DisplayText(cleaning: "Notes"))
        let deed = search.heard(
            .success(.continuation(.outcome(outcome))), of: .entry(7), strings, explain: explain)
        #expect(deed == .say("Continued in Notes."))
        #expect(search.entries(strings, at: now) { _ in nil }.map(\.isBusy) == [false])
    }

    @Test func failureIsShownAtItsEntryUntilAnotherWord() {
        var search = searched("let", finding: item(7, "Letter"))
        _ = search.pressed(.entry(7), nil)
        let deed = search.heard(.failure(Failure(.noApp, "")), of: .entry(7), strings, explain: explain)
        #expect(deed == .none)
        let shown = search.entries(strings, at: now) { _ in nil }.first?.details
        #expect(shown == strings.trouble(Failure(.noApp, "")).text)
        _ = search.typed("lett")
        #expect(search.entries(strings, at: now) { _ in nil }.first?.details == "Notes · 5 min ago")
    }

    @Test func forgottenEntryIsGone() {
        var search = searched("let", finding: item(7, "Letter"), item(8, "Lettuce"))
        search.forgot(7)
        #expect(titles(search) == ["Lettuce"])
    }

    @Test func appsThatContinueASearchAreOffered() throws {
        let (notes, mail) = (try summary("Notes", types: [.queryContinuation]), try summary("Mail", types: []))
        let search = searched("let")
        let lines = search.apps(among: [notes, mail], strings) { _ in nil }
        #expect(lines.map(\.title) == ["Search in Notes"])
        var pressed = search
        #expect(pressed.pressed(.app(app), nil) == .history(.openSearch("let", in: app, activation: nil)))
        #expect(searched("").apps(among: [notes], strings) { _ in nil } == [])
    }
}
