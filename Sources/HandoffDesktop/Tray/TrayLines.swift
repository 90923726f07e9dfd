// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// What is in the tray's menu: the newest activities of other devices, each of which goes on with a press.
struct TrayLines {
    enum Entry: Hashable {
        case window
        case separator
        /// Instead of lines.
        case nothing
        /// `isGone`: no longer offered; it stays in its place while the menu is open.
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

    /// The newest so many.
    static let newest = 5
    /// Of so many that were shown, the number still counts: a press may have been under way while the menu changed.
    static let remembered = 64
    static let root: Int32 = 0
    private static let window: Int32 = 1
    private static let separator: Int32 = 2
    private static let nothing: Int32 = 3
    private static let firstActivity: Int32 = 16

    /// How many other devices' activities there are, those that the menu has no room for included.
    private(set) var count = 0
    private var list = SteadyList<ListedActivity.Key>(showing: newest)
    /// What a line says, newest last: also of lines that are gone.
    private var known: [ListedActivity.Key: (number: Int32, activity: ListedActivity)] = [:]
    private var order: [ListedActivity.Key] = []
    private var lastNumber = firstActivity - 1
    /// How many lines an open menu had when it was opened.
    private var room: Int?

    mutating func offered(_ offers: [ListedActivity]) {
        let offers = offers.filter(\.goesOnWithAPress)
        count = offers.count
        list.offered(offers.map(\.key))
        let shown = Set(list.lines.map(\.id))
        for activity in offers where shown.contains(activity.key) { remember(activity) }
    }

    /// The menu is open, or no longer is. What is new while it is open comes in when it closes: a menu that grows on the
    /// screen has its lines moved by some toolkits.
    mutating func opened(_ isOpen: Bool) {
        list.pointed(isOpen)
        room = isOpen ? list.lines.count : nil
    }

    var isOpen: Bool { list.isPointedAt }

    /// What stays stands before what comes and goes, so that it never moves.
    var entries: [Numbered] {
        let lines = list.lines.prefix(room ?? .max).compactMap { line in
            known[line.id].map { Numbered(number: $0.number, entry: .activity($0.activity, isGone: line.isGone)) }
        }
        return [
            Numbered(number: Self.window, entry: .window), Numbered(number: Self.separator, entry: .separator),
        ] + (lines.isEmpty ? [Numbered(number: Self.nothing, entry: .nothing)] : lines)
    }

    /// Nil: nothing happens at a press on that.
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
