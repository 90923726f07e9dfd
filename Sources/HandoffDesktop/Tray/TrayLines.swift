// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffStrings
internal import HandoffWire

struct TrayLines {
    enum Entry: Hashable {
        case paused(until: WallTime)
        /// `isGone`: stays while the menu is open.
        case activity(ListedActivity, isGone: Bool)
        case nothing
        /// The number of activities without an item.
        case more(Int)
        case separator
        case pause(Pause)
        case resume
        case window
        case settings
    }

    struct Numbered: Hashable {
        let number: Int32
        let entry: Entry
    }

    enum Press: Hashable {
        case window(HandoffWindow.Page)
        case activity(ListedActivity)
        case pause(Pause)
        case resume
    }

    static let newest = 5
    /// Item numbers that stay valid: a click may arrive after the menu changed.
    static let remembered = 64
    static let root: Int32 = 0
    private static let firstActivity: Int32 = 16

    /// Including those that do not fit.
    private(set) var count = 0
    private var list = SteadyList<ListedActivity.Key>(showing: newest)
    /// Including removed items.
    private var known: [ListedActivity.Key: (number: Int32, activity: ListedActivity)] = [:]
    private var order: [ListedActivity.Key] = []
    private var lastNumber = firstActivity - 1
    private(set) var policy: PolicySummary?
    /// When the menu was opened.
    private var opened: (items: Int, more: Int, policy: PolicySummary?)?

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
        opened = isOpen ? (list.lines.count, more, policy) : nil
    }

    mutating func ruled(_ policy: PolicySummary?) { self.policy = policy }

    var isOpen: Bool { list.isPointedAt }

    private var more: Int { max(0, count - list.lines.count) }

    var entries: [Numbered] {
        let policy = opened.map(\.policy) ?? policy
        let paused = policy?.pausedUntil.map { [Entry.paused(until: $0)] } ?? []
        let lines = list.lines.prefix(opened?.items ?? .max).compactMap { line in
            known[line.id].map { Numbered(number: $0.number, entry: .activity($0.activity, isGone: line.isGone)) }
        }
        let more = opened?.more ?? more
        let others = lines.isEmpty && paused.isEmpty ? [Entry.nothing] : more > 0 ? [.more(more)] : []
        return paused.map(Numbered.init(fixed:)) + lines
            + (others + [.separator] + Self.commands(policy) + [.window, .settings]).map(Numbered.init(fixed:))
    }

    private static func commands(_ policy: PolicySummary?) -> [Entry] {
        guard let policy else { return [] }
        if policy.pausedUntil != nil { return [.resume] }
        return policy.canBePaused ? Pause.allCases.map(Entry.pause) : []
    }

    func pressed(_ number: Int32) -> Press? {
        if let entry = entries.first(where: { $0.number == number })?.entry, let press = entry.press { return press }
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

extension TrayLines.Numbered {
    fileprivate init(fixed entry: TrayLines.Entry) { self.init(number: entry.fixedNumber, entry: entry) }
}

extension TrayLines.Entry {
    /// Below `firstActivity`. Zero for activities.
    fileprivate var fixedNumber: Int32 {
        switch self {
        case .window: 1
        case .separator: 2
        case .nothing: 3
        case .more: 4
        case .paused: 5
        case .resume: 6
        case .pause(.hour): 7
        case .pause(.untilTomorrow): 8
        case .settings: 9
        case .activity: 0
        }
    }

    fileprivate var press: TrayLines.Press? {
        switch self {
        case .window, .more: .window(.last)
        case .settings: .window(.settings)
        case .pause(let pause): .pause(pause)
        case .resume: .resume
        case .activity, .nothing, .paused, .separator: nil
        }
    }
}
