// SPDX-License-Identifier: Apache-2.0

import HandoffBus
internal import HandoffCore
internal import HandoffIcons
internal import HandoffStrings
internal import HandoffWire

/// GNOME Shell's `org.gnome.Shell.SearchProvider2`, found through `Desktop/share/gnome-shell/search-providers`.
final class ShellSearch: DesktopFeature {
    static let name = "org.handoff.Handoff.Search"
    static let path = "/org/handoff/Handoff/Search"
    /// In one request.
    static let metas = 64

    private let offers: SearchedOffers
    private let continuing: ActivityContinuing
    private let window: HandoffWindow
    private let icons: AppIcons
    private let strings: DesktopStrings
    private var object: BusObject?

    init(
        _ offers: SearchedOffers, continuing: ActivityContinuing, window: HandoffWindow, icons: AppIcons,
        strings: DesktopStrings
    ) {
        self.icons = icons
        self.offers = offers
        self.continuing = continuing
        self.window = window
        self.strings = strings
    }

    func busConnected(_ bus: BusConnection) {
        object = bus.serve([interface], at: Self.path, as: Self.name)
    }

    func busDisconnected() { object = nil }

    private var interface: BusInterface {
        let found = [BusInterface.Argument("results", "as")]
        return BusInterface(
            "org.gnome.Shell.SearchProvider2",
            methods: [
                .init("GetInitialResultSet", takes: [.init("terms", "as")], gives: found) { [unowned self] in
                    find($0[0], $1)
                },
                // Filtering the earlier results would not be faster.
                .init(
                    "GetSubsearchResultSet", takes: [.init("previous_results", "as"), .init("terms", "as")],
                    gives: found
                ) { [unowned self] in find($0[1], $1) },
                .init(
                    "GetResultMetas", takes: [.init("identifiers", "as")], gives: [.init("metas", "aa{sv}")]
                ) { [unowned self] in describe($0[0], $1) },
                .init(
                    "ActivateResult",
                    takes: [.init("identifier", "s"), .init("terms", "as"), .init("timestamp", "u")]
                ) { [unowned self] in activate($0[0], $1) },
                .init("LaunchSearch", takes: [.init("terms", "as"), .init("timestamp", "u")]) { [unowned self] in
                    window.open()
                    $1.answer()
                },
            ])
    }

    private func find(_ words: BusValue?, _ reply: BusReply) {
        offers.find(words?.strings ?? []) { [strings] found in
            let now = WallTime.now
            let ids = found.map { ResultID($0.activity, showing: strings.current.details(of: $0.activity, at: now)) }
            reply.answer([.strings(ids.map(\.text))])
        }
    }

    /// The shell requires one entry for each id.
    private func describe(_ ids: BusValue?, _ reply: BusReply) {
        let ids = ids?.strings ?? []
        guard ids.count <= Self.metas else {
            return reply.fail(
                BusFailure(BusFailure.limitsExceeded, "at most \(Self.metas) results are described at once"))
        }
        let now = WallTime.now
        let metas = ids.map { id in
            let activity = ResultID(text: id).flatMap { offers[$0.key] }
            var meta: [String: BusValue] = [
                "id": .string(id),
                "name": .string(activity?.title.text ?? strings[.gone]),
                "description": .string(activity.map { strings.current.details(of: $0, at: now) } ?? ""),
                "gicon": .string(activity.map(icons.gicon) ?? ListedActivity.handoffIcon),
            ]
            // Takes precedence in GNOME Shell.
            if let activity { meta["icon"] = icons.iconWithEmblem(of: activity) }
            return BusValue.properties(meta)
        }
        reply.answer([.array(of: .array(.entry(.string, .variant)), metas)])
    }

    /// The shell provides no activation token.
    private func activate(_ id: BusValue?, _ reply: BusReply) {
        guard let id = ResultID(text: id?.text ?? "") else {
            return reply.fail(BusFailure(BusFailure.invalidArguments, "no such result exists"))
        }
        continuing.start(.init(id.key, offers[id.key]))
        reply.answer()
    }
}
