// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

struct TrayLines {
    enum Entry: Hashable {
        case window
        case separator
        case nothing
        /// `isGone`: no longer offered; it stays while the menu is open.
        case activity(ListedActivity, isGone: Bool)
    }

    struct Numbered: Hashable {
        let number: Int32
        let entry: Entry
    }

    enum Press: Hashable {
        case window
        case activity(ListedActivity)
    }

    static let newest = 5
    /// How many item numbers stay valid: a click may arrive after the menu changed.
    static let remembered = 64
    static let root: Int32 = 0
    private static let window: Int32 = 1
    private static let separator: Int32 = 2
    private static let nothing: Int32 = 3
    private static let firstActivity: Int32 = 16

    /// Including those that do not fit.
    private(set) var count = 0
    private var list = SteadyList<ListedActivity.Key>(showing: newest)
    /// Including removed items.
    private var known: [ListedActivity.Key: (number: Int32, activity: ListedActivity)] = [:]
    private var order: [ListedActivity.Key] = []
    private var lastNumber = firstActivity - 1
    /// Items when the menu was opened.
    private var room: Int?

    mutating func offered(_ offers: [ListedActivity]) {
        let offers = offers.filter(\.isContinuedByOneClick)
        count = offers.count
        list.offered(offers.map(\.key))
        let shown = Set(list.lines.map(\.id))
        for activity in offers where shown.contains(activity.key) { remember(activity) }
    }

    /// New activities wait until the menu closes: some toolkits move the items of a growing menu.
    mutating func opened(_ isOpen: Bool) {
        list.pointed(isOpen)
        room = isOpen ? list.lines.count : nil
    }

    var isOpen: Bool { list.isPointedAt }

    /// Permanent items first, so that they never move.
    var entries: [Numbered] {
        let lines = list.lines.prefix(room ?? .max).compactMap { line in
            known[line.id].map { Numbered(number: $0.number, entry: .activity($0.activity, isGone: line.isGone)) }
        }
        return [
            Numbered(number: Self.window, entry: .window), Numbered(number: Self.separator, entry: .separator),
        ] + (lines.isEmpty ? [Numbered(number: Self.nothing, entry: .nothing)] : lines)
    }

    func pressed(_ number: Int32) -> Press? {
        if number == Self.window { return .window }
        return known.values.first { $0.number == number }.map { .activity($0.activity) }
    }

    private mutating func remember(_ activity: ListedActivity) {
        if let before = known[activity.key] {
            known[activity.key] = (before.number, activity)
            return
        }
        lastNumber = lastNumber == .max ? Self.firstActivity : lastNumber + 1
        known[activity.key] = (lastNumber, activity)
        order.append(activity.key)
        guard order.count > Self.remembered, let oldest = order.first(where: { key in !isShown(key) }) else { return }
        known[oldest] = nil
        order.removeAll { $0 == oldest }
    }

    private func isShown(_ key: ListedActivity.Key) -> Bool { list.lines.contains { $0.id == key } }
}
