// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
package import HandoffIcons
package import HandoffStrings
package import HandoffWire

package struct HistorySearch: Hashable {
    /// `app`: continues the search in an app.
    package enum Subject: Hashable, Sendable {
        case entry(HistoryNumber)
        case app(BundleID)
    }

    package struct Line: Hashable, Sendable {
        package var subject: Subject
        package var title: String
        package var details: String
        package var picture: AppPicture
        package var isBusy: Bool
        /// Accessible.
        package var buttonLabel: String
        /// Nil: it cannot be forgotten.
        package var forgetLabel: String?
    }

    private enum Course: Hashable {
        case underWay
        case failed(Trouble)
    }

    package private(set) var isOpen = false
    package private(set) var words = ""
    private var items: [HistoryItem] = []
    private var courses: [Subject: Course] = [:]
    /// Why nothing can be found.
    package private(set) var trouble: Trouble?
    /// The entries were found by these words.
    private var isAnswered = false
    /// Return was pressed before they were found.
    private var isReturnPending = false

    init() {}

    // MARK: Events

    /// Without a word, the last used entries are found.
    mutating func typed(_ words: String) -> LocalMessage {
        if words != self.words { (courses, isAnswered, isReturnPending) = ([:], false, false) }
        (isOpen, self.words) = (true, words)
        return .history(.searchHistory(words, limit: IndexLimits.usualMatches))
    }

    mutating func closed() { self = HistorySearch() }

    mutating func lostDaemon() { (items, courses) = ([], [:]) }

    /// Whether the first result may be opened now. Otherwise `takeReturn` is true once it is found.
    mutating func pressedReturn() -> Bool {
        if !isAnswered { isReturnPending = true }
        return isAnswered
    }

    mutating func takeReturn() -> Bool {
        defer { if isAnswered { isReturnPending = false } }
        return isAnswered && isReturnPending
    }

    /// `words`: of the request. A later request replaces it.
    mutating func found(_ answer: Result<LocalMessage, Failure>, by words: String, explain: (Failure) -> Trouble) {
        guard isOpen, words == self.words else { return }
        isAnswered = true
        switch answer {
        case .success(.history(.historyList(let items))): (self.items, trouble) = (items, nil)
        case .success: break
        case .failure(let failure): (items, trouble) = ([], explain(failure))
        }
    }

    /// Nil: it is under way.
    mutating func pressed(_ subject: Subject, _ activation: ActivationToken?) -> LocalMessage? {
        guard courses[subject] != .underWay else { return nil }
        courses = [subject: .underWay]
        switch subject {
        case .entry(let number): return .history(.openHistory(number, activation: activation))
        case .app(let app): return .history(.openSearch(words, in: app, activation: activation))
        }
    }

    mutating func heard(
        _ answer: Result<LocalMessage, Failure>, of subject: Subject, _ strings: LocalizedStrings,
        explain: (Failure) -> Trouble
    ) -> ActivitiesPage.Deed {
        switch answer {
        case .success(let message) where !message.endsContinuation: return .none
        case .success(.continuation(.outcome(let outcome))):
            courses[subject] = nil
            if let deed = ActivitiesPage.Deed(outcome, strings) { return deed }
            courses[subject] = .failed(explain(Failure(.noApp, "an entry without an app or a web page")))
        case .success: courses[subject] = .failed(explain(Failure(.malformed, "an unexpected answer")))
        case .failure(let failure): courses[subject] = .failed(explain(failure))
        }
        return .none
    }

    mutating func forgot(_ number: HistoryNumber) { items.removeAll { $0.number == number } }

    // MARK: Text

    /// Those of the activities with all words.
    package func matching(_ lines: [ActivityLine]) -> [ActivityLine] {
        let words = words.split(whereSeparator: \.isWhitespace)
        let terms = words.map { FoldedText(String($0)) }.filter { !$0.isEmpty }
        guard !terms.isEmpty || words.isEmpty else { return [] }
        return lines.filter { line in
            let text = FoldedText("\(line.title) \(line.details)")
            return terms.allSatisfy(text.hasWord)
        }
    }

    package func entries(
        _ strings: LocalizedStrings, at now: WallTime, pictures: (BundleID) -> AppPicture?
    ) -> [Line] {
        items.map { item in
            let title = strings.title(of: item)
            return line(
                .entry(item.number), title, strings.details(of: item, at: now), pictures(item.app),
                button: strings(.openLabel, title), forget: strings(.forgetLabel, title))
        }
    }

    package func apps(
        among apps: [AppSummary], _ strings: LocalizedStrings, pictures: (BundleID) -> AppPicture?
    ) -> [Line] {
        guard !HistoryQuery(words).isEmpty else { return [] }
        return apps.filter { $0.activityTypes.contains(.queryContinuation) }.map { app in
            let title = strings(.searchIn, app.name.text)
            return line(.app(app.bundle), title, "", pictures(app.bundle), button: title, forget: nil)
        }
    }

    private func line(
        _ subject: Subject, _ title: String, _ details: String, _ picture: AppPicture?, button: String, forget: String?
    ) -> Line {
        var details = details
        if case .failed(let trouble)? = courses[subject] { details = trouble.text }
        return Line(
            subject: subject, title: title, details: details,
            picture: picture ?? .name(Icon.handoffInColour.rawValue), isBusy: courses[subject] == .underWay,
            buttonLabel: button, forgetLabel: forget)
    }
}
