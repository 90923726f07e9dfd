// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore
import HandoffWire

/// The desktop search calls this on every keystroke.
final class SearchedOffers: DesktopFeature {
    /// A search may have started this program.
    private enum Beginning {
        case waiting([([ListedActivity]) -> Void], LoopWatch)
        case over
    }

    private var offers: [ListedActivity] = []
    /// Built by the first search after a change.
    private var prepared: (search: OfferSearch, indexes: [ListedActivity.Key: Int])?
    private var beginning = Beginning.over

    init(firstList: Duration = SearchWaits.firstList, on loop: BusLoop) {
        beginning = .waiting([], loop.after(firstList) { [unowned self] in beginningIsOver() })
    }

    func offersChanged(_ offers: [ListedActivity]) {
        self.offers = offers.filter(\.isContinuedByOneClick)
        prepared = nil
        beginningIsOver()
    }

    private func beginningIsOver() {
        guard case .waiting(let waiting, _) = beginning else { return }
        beginning = .over
        for each in waiting { each(offers) }
    }

    /// `answer` is called once: at once, or with the first list.
    func find(_ words: [String], answer: @escaping ([FoundResult]) -> Void) {
        let search = { [unowned self] (offers: [ListedActivity]) in
            answer(self.search.matches(words).map { FoundResult(result: .offer(offers[$0.index]), place: $0.place) })
        }
        guard case .waiting(let waiting, let watch) = beginning, waiting.count < SearchWaits.searches else {
            return search(offers)
        }
        beginning = .waiting(waiting + [search], watch)
    }

    subscript(_ key: ListedActivity.Key) -> ListedActivity? { indexes[key].map { offers[$0] } }

    private var search: OfferSearch { prepare().search }
    private var indexes: [ListedActivity.Key: Int] { prepare().indexes }

    private func prepare() -> (search: OfferSearch, indexes: [ListedActivity.Key: Int]) {
        if let prepared { return prepared }
        let indexes = Dictionary(offers.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
        let made = (OfferSearch(offers), indexes)
        prepared = made
        return made
    }
}

enum SearchWaits {
    static let firstList = Duration.seconds(1)
    /// A shell shows nothing until it has all results.
    static let history = Duration.milliseconds(500)
    /// Waiting for either; further searches find nothing yet.
    static let searches = 32
}

extension String {
    /// Never markup to `Qt::mightBeRichText`, which looks for `<`, a name and `>`, and for `&lt;`. A word joiner has no
    /// width and is not part of a name.
    var neverMarkup: String {
        var text = ""
        for scalar in unicodeScalars {
            text.unicodeScalars.append(scalar)
            if scalar == "<" || scalar == "&" { text.unicodeScalars.append("\u{2060}") }
        }
        return text
    }
}
