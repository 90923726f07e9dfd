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

    private let offers: SearchedOffers
    private let continuing: ActivityContinuing
    private let icons: AppIcons
    private let strings: DesktopStrings
    private var object: BusObject?

    init(
        _ offers: SearchedOffers, continuing: ActivityContinuing, icons: AppIcons, strings: DesktopStrings
    ) {
        self.offers = offers
        self.icons = icons
        self.continuing = continuing
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
        offers.find([line]) { [icons, strings] found in
            let now = WallTime.now
            let matches = found.enumerated().map { index, found in
                let details = strings.current.details(of: found.activity, at: now)
                // Preferred to the icon's name.
                let picture = icons.composed(of: found.activity).map { ["icon-data": $0.busPixels] } ?? [:]
                return BusValue.structure([
                    .string(ResultID(found.activity, showing: details).text),
                    .string(found.activity.title.text.neverMarkup),
                    .string(icons.iconOrPath(of: found.activity)), .int32(found.place.runnerType),
                    .double(found.place.relevance - Double(index) / 100),
                    .properties(
                        [
                            "subtext": .string(details.neverMarkup),
                            "actions": .strings(found.activity.isForBrowserToo ? [Self.inBrowser] : []),
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
        continuing.start(.init(id.key, offers[id.key], inBrowser: action == Self.inBrowser))
        reply.answer()
    }
}

extension OfferSearch.Place {
    /// `Plasma::QueryMatch::Type`: exact matches come first among all results.
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
