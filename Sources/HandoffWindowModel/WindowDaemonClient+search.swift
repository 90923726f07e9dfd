// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffStrings
package import HandoffWire

extension WindowDaemonClient {
    package func search(for words: String) {
        let message = search.typed(words)
        changed(.search)
        link.request(message) { [weak self] answer in
            guard let self else { return }
            search.found(answer, by: words, explain: explain)
            changed(.search)
            if search.takeReturn() { pressFirst() }
        }
    }

    /// Call periodically while the window is visible: another program may forget an entry.
    package func refreshSearch() { if search.isOpen { search(for: search.words) } }

    /// Continues or opens the first result, once it is found.
    package func pressFirst() {
        if let line = foundActivities(at: .now).first(where: \.isPressable) { return press(line.id) }
        guard search.pressedReturn() else { return }
        if let line = entryLines(at: .now).first ?? searchableApps.first { press(line.subject) }
    }

    package func foundActivities(at now: WallTime) -> [ActivityLine] { search.matching(activityLines(at: now)) }

    package func closeSearch() {
        search.closed()
        changed(.search)
    }

    package func entryLines(at now: WallTime) -> [HistorySearch.Line] {
        search.entries(strings, at: now) { [pictures] in pictures[$0] }
    }

    package var searchableApps: [HistorySearch.Line] {
        search.apps(among: settings.installed ?? [], strings) { [pictures] in pictures[$0] }
    }

    package func press(_ subject: HistorySearch.Subject) {
        let token = makeActivationToken().flatMap { try? ActivationToken($0) }
        guard let message = search.pressed(subject, token) else { return }
        changed(.search)
        link.follow(message, until: \.endsContinuation) { [weak self] answer in
            guard let self else { return }
            switch search.heard(answer, of: subject, strings, explain: explain) {
            case .none: break
            case .say(let sentence): said(sentence)
            case .open(let page):
                openPage(page) { [weak self] isOpened in
                    guard let self else { return }
                    said(strings[isOpened ? .openedPage : .noBrowser])
                }
            }
            changed(.search)
        }
    }

    /// For good.
    package func forget(_ number: HistoryNumber) {
        link.request(.history(.forgetHistory(.entries([number])))) { [weak self] answer in
            guard let self else { return }
            switch answer {
            case .success: search.forgot(number)
            case .failure(let failure): said(explain(failure).text)
            }
            changed(.search)
        }
    }
}
