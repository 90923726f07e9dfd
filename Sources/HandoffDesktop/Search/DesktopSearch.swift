// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffClient
import HandoffCore
import HandoffWire

/// First other devices' activities, then this device's history.
final class DesktopSearch: DesktopFeature {
    private let offers: SearchedOffers
    private let daemon: DaemonClient
    private let continuing: ActivityContinuing
    private let window: HandoffWindow
    private let icons: AppIcons
    private let loop: BusLoop
    /// A shell asks for the texts of results.
    private var kept: [HistoryNumber: HistoryItem] = [:]
    private var pending: [Int: Pending] = [:]
    private var lastSearch = 0
    private var asked = 0

    private struct Pending {
        let words: [String]
        let answer: ([FoundResult]) -> Void
        let end: LoopWatch
    }

    init(
        _ offers: SearchedOffers, daemon: DaemonClient, continuing: ActivityContinuing, window: HandoffWindow,
        icons: AppIcons, on loop: BusLoop
    ) {
        self.offers = offers
        self.daemon = daemon
        self.continuing = continuing
        self.window = window
        self.icons = icons
        self.loop = loop
    }

    func daemonDisconnected() { kept = [:] }

    /// `answer` is called once, at the latest after `SearchWaits.firstList` and `SearchWaits.history`.
    func find(_ words: [String], answer: @escaping ([FoundResult]) -> Void) {
        offers.find(words) { [self] found in
            findKept(words) { answer(found + $0) }
        }
    }

    /// Terms go to the daemon, and are stored nowhere.
    private func findKept(_ words: [String], answer: @escaping ([FoundResult]) -> Void) {
        guard OfferSearch.hasTerms(words), daemon.isConnected, asked < SearchWaits.searches else { return answer([]) }
        asked += 1
        lastSearch += 1
        let number = lastSearch
        let end = loop.after(SearchWaits.history) { [unowned self] in found([], by: number) }
        pending[number] = Pending(words: words, answer: answer, end: end)
        let question = LocalMessage.History.searchHistory(
            words.joined(separator: " "), limit: SearchLimits.results)
        daemon.request(.history(question)) { [weak self] result in
            guard let self else { return }
            asked -= 1
            // A locked session, or a history that is switched off, finds nothing.
            guard case .success(.history(.historyList(let items))) = result else { return found([], by: number) }
            found(items, by: number)
        }
    }

    private func found(_ items: [HistoryItem], by number: Int) {
        guard let search = pending.removeValue(forKey: number) else { return }
        if kept.count > SearchLimits.remembered { kept = [:] }
        for item in items { kept[item.number] = item }
        icons.want(Set(items.map(\.app)))
        search.answer(
            items.map {
                FoundResult(result: .kept($0), place: OfferSearch.place(of: search.words, in: $0.title.text))
            })
    }

    subscript(_ id: ResultID) -> SearchResult? {
        switch id.subject {
        case .offer(let key): offers[key].map { .offer($0) }
        case .kept(let number): kept[number].map { .kept($0) }
        }
    }

    func start(_ id: ResultID, inBrowser: Bool = false) {
        switch id.subject {
        case .offer(let key): continuing.start(.init(key, offers[key], inBrowser: inBrowser))
        case .kept(let number):
            let title = kept[number]?.title.text ?? ""
            continuing.open(number) { [window] failure in
                Complaint.say("could not open an entry of the history: \(failure.code)")
                // It shows why, if the user tries again.
                window.open(.search(title))
            }
        }
    }

    func openWindow(_ words: [String]) { window.open(.search(words.joined(separator: " "))) }
}
