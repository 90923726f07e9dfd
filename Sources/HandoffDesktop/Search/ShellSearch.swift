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
    static let metas = 64

    private let search: DesktopSearch
    private let icons: AppIcons
    private let strings: DesktopStrings
    private var object: BusObject?

    init(_ search: DesktopSearch, icons: AppIcons, strings: DesktopStrings) {
        self.search = search
        self.icons = icons
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
                    search.openWindow($0[0]?.strings ?? [])
                    $1.answer()
                },
            ])
    }

    private func find(_ words: BusValue?, _ reply: BusReply) {
        search.find(words?.strings ?? []) { [strings] found in
            let now = WallTime.now
            let ids = found.map { ResultID($0.result, strings.current, at: now) }
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
            let result = ResultID(text: id).flatMap { search[$0] }
            var meta: [String: BusValue] = [
                "id": .string(id),
                "name": .string(result?.title(strings.current) ?? strings[.gone]),
                "description": .string(result?.details(strings.current, at: now) ?? ""),
                "gicon": .string(result.map(icons.gicon) ?? ListedActivity.handoffIcon),
            ]
            // Takes precedence in GNOME Shell.
            if let result { meta["icon"] = icons.iconWithEmblem(of: result) }
            return BusValue.properties(meta)
        }
        reply.answer([.array(of: .array(.entry(.string, .variant)), metas)])
    }

    /// The shell provides no activation token.
    private func activate(_ id: BusValue?, _ reply: BusReply) {
        guard let id = ResultID(text: id?.text ?? "") else {
            return reply.fail(BusFailure(BusFailure.invalidArguments, "no such result exists"))
        }
        search.start(id)
        reply.answer()
    }
}
