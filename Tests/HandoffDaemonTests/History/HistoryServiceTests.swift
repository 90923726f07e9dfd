// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// What the daemon keeps, finds, opens and forgets. Shows G02, W05.
@Suite struct HistoryServiceTests {
    private let laptop: DeviceFixture
    private let editor = DeviceFixture.app("editor")
    private let person: TestClient

    init() throws {
        laptop = try DeviceFixture("laptop", apps: [editor, DeviceFixture.app("notes")])
        person = laptop.script()
    }

    /// An app whose current activity has this state, which it has saved.
    @discardableResult
    private func use(
        _ title: String, number: UInt8 = 1, page: String? = nil, isEligible: Bool = true, isWithheld: Bool = false,
        of app: InstalledApp? = nil
    ) -> TestClient {
        let client = laptop.run(app ?? editor)
        client.onFrame = { [weak client] frame in
            switch frame.message {
            case .advertising(.save):
                let state = ActivityState(
                    type: DeviceFixture.editing, title: title, webpageURL: page, persistentIdentifier: title,
                    isEligibleForSearch: isEligible)
                client?.answer(frame.request, .advertising(.saved(state, saving: .zero)))
            case .continuation(.willContinue), .continuation(.continueActivity):
                client?.answer(frame.request, .done(accepted: true))
            default: break
            }
        }
        if isWithheld {
            client.send(
                .advertising(
                    .withhold(WithheldActivity(DeviceFixture.editing, activity: DeviceFixture.activity(number)))))
            laptop.settle()
        } else {
            laptop.publish(number, by: client)
        }
        laptop.time.advance(by: .seconds(2))
        return client
    }

    private func answer(_ message: LocalMessage.History) -> LocalMessage? { laptop.answer(person, .history(message)) }

    private func opened(_ number: HistoryNumber?) throws -> ContinuationOutcome? {
        let request = person.request(.history(.openHistory(try #require(number), activation: nil)))
        laptop.settle()
        let answer = person.answers(to: request).last
        guard case .continuation(.outcome(let outcome))? = answer else {
            Issue.record("not opened: \(String(describing: answer))")
            return nil
        }
        return outcome
    }

    private func found(_ words: String = "") -> [HistoryItem]? {
        guard case .history(.historyList(let items))? = answer(.searchHistory(words, limit: 20)) else { return nil }
        return items
    }

    private func titles(_ words: String = "") -> [String]? { found(words)?.map(\.title.text) }

    private func switchOff(_ app: BundleID? = nil) {
        _ = laptop.answer(
            person, .policy(.setPolicy(PolicyChange(PolicySubject(.history, of: app), isOff: true))))
    }

    @Test func eligibleActivityIsFoundByAWord() throws {
        use("Letter to Anna")
        let item = try #require(found("anna")?.first)
        #expect(item.title.text == "Letter to Anna" && item.type == DeviceFixture.editing)
        #expect(item.app == editor.bundle && item.appName == editor.name)
        #expect(titles("berta") == [])
    }

    /// Not all entries.
    @Test(arguments: ["%", "_", "*", "?!", "\u{1F389}"]) func signsAloneFindNothing(words: String) {
        use("Letter to Anna")
        #expect(titles(words) == [])
        #expect(titles("  ") == ["Letter to Anna"])
    }

    // Shows A09.
    @Test func activityThatIsNotEligibleIsNotKept() {
        use("Letter to Anna", isEligible: false)
        #expect(titles() == [])
    }

    // Shows A09, A25.
    @Test func activityThatIsNotEligibleForHandoffIsKept() {
        let client = use("Letter to Anna", isWithheld: true)
        #expect(titles() == ["Letter to Anna"])
        client.send(.advertising(.changed(DeviceFixture.activity(1))))
        laptop.settle()
        client.send(.advertising(.withhold(nil)))
        laptop.settle()
        let saves = client.messages.count { if case .advertising(.save) = $0 { true } else { false } }
        laptop.time.advance(by: .seconds(60))
        // No longer current.
        #expect(client.messages.count { if case .advertising(.save) = $0 { true } else { false } } == saves)
        client.close()
        #expect(laptop.boards.ownOfferCount == 0)
    }

    @Test func historyNeedsNoAccount() throws {
        let laptop = try DeviceFixture("laptop", apps: [editor], account: nil)
        let client = laptop.run(editor)
        client.onFrame = { [weak client] frame in
            guard case .advertising(.save) = frame.message else { return }
            let state = ActivityState(type: DeviceFixture.editing, title: "Letter", isEligibleForSearch: true)
            client?.answer(frame.request, .advertising(.saved(state, saving: .zero)))
        }
        laptop.publish(1, by: client)
        laptop.time.advance(by: .seconds(2))
        let kept = try laptop.history.found(by: HistoryQuery(""), limit: 9, at: laptop.time.wallTime)
        #expect(kept.map(\.entry.title) == ["Letter"])
    }

    @Test(arguments: [true, false]) func nothingIsKeptOrFoundWhileSwitchedOff(forTheAppAlone: Bool) throws {
        use("Letter to Anna")
        switchOff(forTheAppAlone ? editor.bundle : nil)
        use("Letter to Berta", number: 2)
        if forTheAppAlone {
            #expect(titles() == [])
        } else {
            #expect(answer(.searchHistory("", limit: 20)) == .failure(Failure(.notAllowed, "")))
        }
        let kept = try laptop.history.found(by: HistoryQuery(""), limit: 9, at: laptop.time.wallTime)
        #expect(kept.map(\.entry.title) == ["Letter to Anna"])
    }

    @Test func lockedSessionFindsAndOpensNothing() throws {
        use("Letter to Anna")
        let number = try #require(found()?.first?.number)
        _ = laptop.answer(person, .presence(.setPresence(PresenceWord(.locked))))
        for message in [LocalMessage.History.searchHistory("", limit: 9), .openHistory(number, activation: nil)] {
            guard case .failure(let failure)? = answer(message) else {
                Issue.record("the session is locked")
                continue
            }
            #expect(failure.code == .notAllowed && failure.reason.contains("locked"))
        }
    }

    // Shows A10, A26, K05.
    @Test func entryIsOpenedInItsApp() throws {
        let client = use("Letter to Anna")
        #expect(try opened(found("anna")?.first?.number)?.how == .app(editor.bundle))
        let given = client.messages.compactMap { message -> ActivityState? in
            if case .continuation(.continueActivity(_, let state, _)) = message { state } else { nil }
        }
        #expect(given.map(\.title) == ["Letter to Anna"] && given.first?.persistentIdentifier == "Letter to Anna")
        #expect(client.messages.contains { if case .continuation(.willContinue) = $0 { true } else { false } })
        #expect(titles("anna") == ["Letter to Anna"])
    }

    @Test func entryOpensAlthoughReceivingIsOff() throws {
        let client = use("Letter to Anna")
        _ = laptop.answer(person, .policy(.setPolicy(PolicyChange(PolicySubject(.receiving), isOff: true))))
        #expect(try opened(found("anna")?.first?.number)?.how == .app(editor.bundle))
        #expect(client.messages.contains { if case .continuation(.continueActivity) = $0 { true } else { false } })
    }

    @Test func entryOfAnAppThatIsGoneOpensAsItsPage() throws {
        use("Letter to Anna", page: "https://example.com/anna")
        use("Letter to Berta", number: 2)
        let numbers = try #require(found()).reduce(into: [:]) { $0[$1.title.text] = $1.number }
        laptop.catalog.installed = []
        laptop.apps.reload { _ in }
        laptop.settle()
        guard case .state(let page)? = try opened(numbers["Letter to Anna"])?.how else {
            Issue.record("it is no page")
            return
        }
        #expect(page.webpageURL == "https://example.com/anna")
        let gone = answer(.openHistory(try #require(numbers["Letter to Berta"]), activation: nil))
        #expect(gone == .failure(Failure(.noApp, "")))
    }

    @Test func entryThatCannotBeOpenedIsNotFound() {
        use("Letter to Anna", page: "https://example.com/anna")
        use("Letter to Berta", number: 2)
        laptop.teams.distrust(.made("ABCDE12345"))
        laptop.settle()
        #expect(titles("letter") == [])
        laptop.catalog.installed = []
        laptop.apps.reload { _ in }
        laptop.settle()
        #expect(titles("letter") == ["Letter to Anna"])
    }

    @Test func entriesBehindThoseOfAnAppThatIsOffAreFound() {
        use("Letter to Anna")
        let notes = DeviceFixture.app("notes")
        for number in 2..<5 { use("Letter \(number)", number: UInt8(number), of: notes) }
        switchOff(notes.bundle)
        guard case .history(.historyList(let items))? = answer(.searchHistory("letter", limit: 2)) else {
            Issue.record("no list")
            return
        }
        #expect(items.map(\.title.text) == ["Letter to Anna"])
    }

    @Test func unknownNumberIsAnError() {
        #expect(answer(.openHistory(99, activation: nil)) == .failure(Failure(.activityGone, "")))
        #expect(answer(.forgetHistory(.entries([99]))) == .history(.historyForgotten(0)))
    }

    @Test func userForgetsOneAppOrAll() throws {
        use("Letter to Anna")
        use("Letter to Berta", number: 2)
        use("Shopping", number: 3, of: DeviceFixture.app("notes"))
        let number = try #require(found("anna")?.first?.number)
        #expect(answer(.forgetHistory(.entries([number]))) == .history(.historyForgotten(1)))
        #expect(titles("letter") == ["Letter to Berta"])
        #expect(answer(.forgetHistory(.app(editor.bundle))) == .history(.historyForgotten(1)))
        #expect(titles() == ["Shopping"])
        #expect(answer(.forgetHistory(.all)) == .history(.historyForgotten(1)))
        #expect(titles() == [])
    }

    // Shows A35, A36.
    @Test func appDeletesItsOwnEntriesAlone() {
        use("Letter to Anna")
        let client = use("Letter to Berta", number: 2)
        use("Letter to Anna", number: 3, of: DeviceFixture.app("notes"))
        #expect(laptop.answer(client, .advertising(.deleteSaved(.named(["Letter to Anna"])))) == .done(accepted: true))
        #expect(titles().map(Set.init) == ["Letter to Berta", "Letter to Anna"])
        #expect(found("anna")?.map(\.appName?.text) == ["notes"])
        #expect(laptop.answer(client, .advertising(.deleteSaved(.all))) == .done(accepted: true))
        #expect(titles() == ["Letter to Anna"])
    }

    @Test func deletedActivityIsKeptAgainAtItsNextUse() {
        let client = use("Letter to Anna")
        _ = laptop.answer(client, .advertising(.deleteSaved(.all)))
        use("Letter to Anna", number: 2)
        #expect(titles() == ["Letter to Anna"])
    }

    @Test func unusedEntryExpiresAfterAMonth() {
        use("Letter to Anna")
        laptop.time.advance(by: .seconds(29 * 24 * 3600))
        #expect(titles() == ["Letter to Anna"])
        laptop.time.advance(by: .seconds(3 * 24 * 3600))
        #expect(titles() == [])
    }

    @Test func settingOfZeroKeepsAndFindsNothing() throws {
        let laptop = try DeviceFixture("laptop", apps: [editor], historyStays: .zero)
        let client = laptop.run(editor)
        client.onFrame = { [weak client] frame in
            guard case .advertising(.save) = frame.message else { return }
            let state = ActivityState(type: DeviceFixture.editing, title: "Letter", isEligibleForSearch: true)
            client?.answer(frame.request, .advertising(.saved(state, saving: .zero)))
        }
        laptop.publish(1, by: client)
        laptop.time.advance(by: .seconds(2))
        #expect(try laptop.history.found(by: HistoryQuery(""), limit: 9, at: laptop.time.wallTime).isEmpty)
        let answer = laptop.answer(laptop.script(), .history(.searchHistory("", limit: 9)))
        #expect(answer == .failure(Failure(.notAllowed, "")))
    }

    @Test func entriesExpireAfterTheTimeOfTheSetting() throws {
        let laptop = try DeviceFixture("laptop", apps: [editor], historyStays: .seconds(7 * 24 * 3600))
        let type = DeviceFixture.editing
        let state = ActivityState(type: type, title: "Letter", isEligibleForSearch: true)
        let entry = try #require(try HistoryEntry(of: state, by: editor.bundle))
        #expect(try laptop.history.keep(entry, usedAt: laptop.time.wallTime))
        laptop.time.advance(by: .seconds(6 * 24 * 3600))
        #expect(try laptop.history.found(by: HistoryQuery(""), limit: 9, at: laptop.time.wallTime).count == 1)
        laptop.time.advance(by: .seconds(3 * 24 * 3600))
        #expect(try laptop.history.found(by: HistoryQuery(""), limit: 9, at: laptop.time.wallTime).isEmpty)
    }

    @Test(arguments: [Audience.app, .script, .browser, .busProgram])
    func programsCannotReadTheHistory(audience: Audience) {
        for message in [
            LocalMessage.History.searchHistory("", limit: 1), .openHistory(1, activation: nil), .forgetHistory(.all),
        ] {
            #expect(LocalMessage.history(message).refusal(to: audience)?.code == .notAllowed)
        }
    }
}
