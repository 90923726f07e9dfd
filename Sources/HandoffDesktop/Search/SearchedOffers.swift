// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore
import HandoffIcons
import HandoffWire

/// Other devices' activities, for the desktop search, which calls this on every keystroke. Search terms are neither
/// stored nor sent, not even to the daemon.
final class SearchedOffers: DesktopFeature {
    struct Found: Hashable, Sendable {
        var activity: ListedActivity
        var place: OfferSearch.Place
    }

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

    /// `answer` is called once: at once, or with the first list, at most `SearchWaits.firstList` after the start.
    func find(_ words: [String], answer: @escaping ([Found]) -> Void) {
        let search = { [unowned self] (offers: [ListedActivity]) in
            answer(self.search.matches(words).map { Found(activity: offers[$0.index], place: $0.place) })
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
    /// For the daemon's first list.
    static let firstList = Duration.seconds(1)
    /// Waiting for it; further searches find nothing yet.
    static let searches = 32
}

extension AppIcons {
    /// A path or an icon name, as KDE expects it.
    func iconOrPath(of activity: ListedActivity) -> String {
        let icon = icon(of: activity)
        return (try? FileURL(icon)).map { "\($0.path)" } ?? icon
    }

    /// GIO's notation, with a fallback for other themes.
    func gicon(of activity: ListedActivity) -> String {
        let icon = iconOrPath(of: activity)
        return icon.hasPrefix("/") ? icon : ". GThemedIcon \(icon) \(ListedActivity.handoffIcon)"
    }

    /// As `g_icon_serialize` returns it: the icon with the emblem of the device's kind, which the desktop draws.
    func iconWithEmblem(of activity: ListedActivity) -> BusValue {
        let icon = icon(of: activity)
        let isFile = (try? FileURL(icon)) != nil
        let base = isFile ? BusValue.gicon("file", .string(icon)) : .themed([icon, ListedActivity.handoffIcon])
        guard let emblem = activity.emblem else { return base }
        let type = BusType.structure([.variant, .array(.entry(.string, .variant))])
        let emblems = BusValue.array(of: type, [.structure([.variant(.themed([emblem])), .properties([:])])])
        return .gicon("emblemed", .structure([.variant(base), emblems]))
    }
}

extension BusValue {
    fileprivate static func gicon(_ kind: String, _ content: BusValue) -> BusValue {
        .structure([.string(kind), .variant(content)])
    }

    fileprivate static func themed(_ names: [String]) -> BusValue { gicon("themed", .strings(names)) }
}

extension String {
    /// Never markup to `Qt::mightBeRichText`, which looks for `<`, a name and `>`, and for `&lt;`. A word joiner after
    /// `<` and `&` has no width and is not part of a name.
    var neverMarkup: String {
        var text = ""
        for scalar in unicodeScalars {
            text.unicodeScalars.append(scalar)
            if scalar == "<" || scalar == "&" { text.unicodeScalars.append("\u{2060}") }
        }
        return text
    }
}

/// Shells cache the texts of an id, so a change of texts changes the id, which contains the activity's key.
struct ResultID: Hashable, Sendable {
    let key: ListedActivity.Key
    let text: String

    /// `details`: with the age, which a shell would otherwise show until its search is closed.
    init(_ activity: ListedActivity, showing details: String) {
        key = activity.key
        let shown = [
            activity.title.text, details, activity.targetName.text, "\(activity.target)", "\(activity.deviceKind)",
        ]
        text = "\(key.device.hex)-\(key.activity.hex)-\(String(Self.sum(shown), radix: 16))"
    }

    init?(text: String) {
        guard text.utf8.count <= 128 else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let device = try? DeviceID(hex: String(parts[0])),
            let activity = try? ActivityID(hex: String(parts[1]))
        else { return nil }
        key = ListedActivity.Key(device: device, activity: activity)
        self.text = text
    }

    /// FNV-1a: the same in each run, because the shell outlives this program.
    private static func sum(_ texts: [String]) -> UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for text in texts {
            // The separator never occurs in UTF-8.
            for byte in Array(text.utf8) + [0xFF] { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return sum
    }
}
