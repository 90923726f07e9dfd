// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore
import HandoffIcons
import HandoffStrings
import HandoffWire

enum SearchResult: Hashable, Sendable {
    case offer(ListedActivity)
    case kept(HistoryItem)

    func title(_ strings: LocalizedStrings) -> String {
        switch self {
        case .offer(let activity): activity.title.text
        case .kept(let item): strings.title(of: item)
        }
    }

    func details(_ strings: LocalizedStrings, at now: WallTime) -> String {
        switch self {
        case .offer(let activity): strings.details(of: activity, at: now)
        case .kept(let item): strings.details(of: item, at: now)
        }
    }

    var isForBrowserToo: Bool {
        switch self {
        case .offer(let activity): activity.isForBrowserToo
        case .kept: false
        }
    }

    /// All that a shell shows, apart from the details.
    fileprivate func shown(_ strings: LocalizedStrings) -> [String] {
        switch self {
        case .offer(let activity):
            [activity.title.text, activity.targetName.text, "\(activity.target)", "\(activity.deviceKind)"]
        case .kept(let item): [strings.title(of: item), item.app.name]
        }
    }
}

struct FoundResult: Hashable, Sendable {
    var result: SearchResult
    var place: OfferSearch.Place
}

/// Shells cache the texts of an id, so a change of texts changes the id.
struct ResultID: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        case offer(ListedActivity.Key)
        case kept(HistoryNumber)
    }

    let subject: Subject
    let text: String

    /// The texts have the age, which a shell would otherwise not update.
    init(_ result: SearchResult, _ strings: LocalizedStrings, at now: WallTime) {
        let beginning: String
        switch result {
        case .offer(let activity):
            subject = .offer(activity.key)
            beginning = "\(activity.key.device.hex)-\(activity.key.activity.hex)"
        case .kept(let item):
            subject = .kept(item.number)
            beginning = "\(Self.history)-\(item.number)"
        }
        let sum = Self.sum(result.shown(strings) + [result.details(strings, at: now)])
        text = "\(beginning)-\(String(sum, radix: 16))"
    }

    init?(text: String) {
        guard text.utf8.count <= 128 else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { String($0) }
        guard parts.count == 3 else { return nil }
        if parts[0] == Self.history {
            guard let number = HistoryNumber(parts[1]) else { return nil }
            subject = .kept(number)
        } else {
            guard let device = try? DeviceID(hex: parts[0]), let activity = try? ActivityID(hex: parts[1]) else {
                return nil
            }
            subject = .offer(ListedActivity.Key(device: device, activity: activity))
        }
        self.text = text
    }

    private static let history = "history"

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

extension AppIcons {
    private func icon(of result: SearchResult) -> String {
        switch result {
        case .offer(let activity): icon(of: activity)
        case .kept(let item): icon(ofApp: item.app)
        }
    }

    func composed(of result: SearchResult) -> DrawnIcon? {
        if case .offer(let activity) = result { composed(of: activity) } else { nil }
    }

    /// A path or an icon name, as KDE expects it.
    func iconOrPath(of result: SearchResult) -> String {
        let icon = icon(of: result)
        return (try? FileURL(icon)).map { "\($0.path)" } ?? icon
    }

    /// GIO's notation, with a fallback for other themes.
    func gicon(of result: SearchResult) -> String {
        let icon = iconOrPath(of: result)
        return icon.hasPrefix("/") ? icon : ". GThemedIcon \(icon) \(ListedActivity.handoffIcon)"
    }

    /// As `g_icon_serialize` returns it. The desktop draws the emblem.
    func iconWithEmblem(of result: SearchResult) -> BusValue {
        let icon = icon(of: result)
        let isFile = (try? FileURL(icon)) != nil
        let base = isFile ? BusValue.gicon("file", .string(icon)) : .themed([icon, ListedActivity.handoffIcon])
        guard case .offer(let activity) = result, let emblem = activity.emblem else { return base }
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
