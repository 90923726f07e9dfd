// SPDX-License-Identifier: Apache-2.0

import HandoffBus
internal import HandoffCore
internal import HandoffIcons
internal import HandoffStrings
internal import HandoffWire

/// A KRunner plugin, found through `Desktop/share/krunner/dbusplugins`.
final class RunnerSearch: DesktopFeature {
    static let name = "org.handoff.Handoff.Runner"
    static let path = "/org/handoff/Handoff/Runner"
    private static let inBrowser = "browser"

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
        BusInterface(
            "org.kde.krunner1",
            methods: [
                .init("Match", takes: [.init("query", "s")], gives: [.init("matches", "a(sssida{sv})")]) {
                    [unowned self] in find($0[0]?.text ?? "", $1)
                },
                .init("Actions", gives: [.init("actions", "a(sss)")]) { [unowned self] _, reply in
                    let action = [Self.inBrowser, strings[.openInBrowser], "web-browser"].map(BusValue.string)
                    reply.answer([.array(of: .structure([.string, .string, .string]), [.structure(action)])])
                },
                .init("Run", takes: [.init("match", "s"), .init("action", "s")]) { [unowned self] in
                    run($0[0]?.text ?? "", action: $0[1]?.text ?? "", $1)
                },
                .init("Teardown") { $1.answer() },
            ])
    }

    private func find(_ line: String, _ reply: BusReply) {
        let type = BusType.structure([
            .string, .string, .string, .int32, .double, .array(.entry(.string, .variant)),
        ])
        search.find([line]) { [icons, strings] found in
            let now = WallTime.now
            let matches = found.enumerated().map { index, found in
                let result = found.result
                let details = result.details(strings.current, at: now)
                // Preferred to the icon's name.
                let picture = icons.composed(of: result).map { ["icon-data": $0.busPixels] } ?? [:]
                return BusValue.structure([
                    .string(ResultID(result, strings.current, at: now).text),
                    .string(result.title(strings.current).neverMarkup), .string(icons.iconOrPath(of: result)),
                    .int32(found.place.runnerType),
                    .double(found.place.relevance - Double(index) / 100),
                    .properties(
                        [
                            "subtext": .string(details.neverMarkup),
                            "actions": .strings(result.isForBrowserToo ? [Self.inBrowser] : []),
                        ].merging(picture) { $1 }),
                ])
            }
            reply.answer([.array(of: type, matches)])
        }
    }

    private func run(_ match: String, action: String, _ reply: BusReply) {
        guard let id = ResultID(text: match), action.isEmpty || action == Self.inBrowser else {
            return reply.fail(BusFailure(BusFailure.invalidArguments, "no such match or action exists"))
        }
        search.start(id, inBrowser: action == Self.inBrowser)
        reply.answer()
    }
}

extension OfferSearch.Place {
    /// `Plasma::QueryMatch::Type`: exact matches precede all other results.
    fileprivate var runnerType: Int32 {
        switch self {
        case .wholeTitle: 100
        case .title, .names: 30
        }
    }

    /// From 0 to 1.
    fileprivate var relevance: Double {
        switch self {
        case .wholeTitle: 1
        case .title: 0.8
        case .names: 0.5
        }
    }
}
