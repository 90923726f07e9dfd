// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffClient
import HandoffStrings
import HandoffWire
import TestBuses
import Testing

@testable import HandoffDesktop

/// Called like tray hosts do, on a real bus. Shows L12.
@Suite(.timeLimit(.minutes(1))) struct TrayTests {
    private func three() throws -> [ListedActivity] {
        [try .sample(1, "Shopping list"), try .sample(2, "Holidays"), try .sample(3, "snake_case")]
    }

    @Test func itIsThereWithEachWatcherThatComes() async throws {
        try await withPrivateBus { fixture, bus in
            let guest = try await fixture.begin(
                at: bus.address, ScriptedDaemon(offering: try three()), tray: .automatic)
            let first = try await Watcher(fixture.connect(to: bus.address), isolation: fixture)
            try await first.isRegistered(1, isolation: fixture)
            first.guest.connection?.releaseName(Watcher.name)
            let second = try await Watcher(fixture.connect(to: bus.address), isolation: fixture)
            try await second.isRegistered(1, isolation: fixture)
            #expect(try await guest.icon("Status", isolation: fixture)?.text == "Active")
            #expect(try await guest.icon("IconName", isolation: fixture)?.text == "org.handoff.Handoff-symbolic")
            #expect(try await guest.icon("Menu", isolation: fixture)?.text == "/StatusNotifierItem/Menu")
            #expect(try await guest.icon("ItemIsMenu", isolation: fixture)?.flag == true)
            #expect(
                try await guest.icon("ToolTip", isolation: fixture)?.elements?.last?.text
                    == "3 activities on other devices")
        }
    }

    @Test func trayWithoutAHostIsOnTheBusOnlyIfWanted() async throws {
        try await withPrivateBus { fixture, bus in
            var isShown = false
            let watcher = try await Watcher(fixture.connect(to: bus.address), isShown: { isShown }, isolation: fixture)
            // Three such programs; each owns the tray's name while it exists.
            let automatic = try await fixture.begin(at: bus.address, ScriptedDaemon(), tray: .automatic)
            // By now, the program has asked whether a host exists.
            _ = await automatic.call(
                BusCall(Watcher.name, "/StatusNotifierWatcher", "org.freedesktop.DBus.Peer", "Ping"), isolation: fixture
            )
            #expect(watcher.guest.heard.isEmpty)
            isShown = true
            watcher.object.emit(Watcher.name, "StatusNotifierHostRegistered")
            try await watcher.isRegistered(1, isolation: fixture)
        }
    }

    @Test func settingOfTheTrayTakesEffectImmediately() async throws {
        try await withPrivateBus { fixture, bus in
            let (host, watcher) = try await fixture.host(at: bus.address, ScriptedDaemon(offering: try three()))
            var owners: [String?] = []
            let watch = try host.connection?.watchName(Watcher.item) { [unowned host] in
                owners.append($0)
                host.hears(BusMessage())
            }
            try await host.wait(toHear: 1, isolation: fixture)
            try host.folder?.set(#""tray": "off""#)
            try await host.wait(toHear: 2, isolation: fixture)
            #expect(owners.map { $0 == nil } == [false, true])
            try host.folder?.set(#""tray": "auto""#)
            try await watcher.isRegistered(2, isolation: fixture)
            #expect(try await host.icon("Status", isolation: fixture)?.text == "Active")
            withExtendedLifetime(watch) {}
        }
    }

    @Test func itIsHiddenWhereThereIsNothing() async throws {
        try await withPrivateBus { fixture, bus in
            let daemon = ScriptedDaemon()
            let (host, _) = try await fixture.host(at: bus.address, daemon)
            #expect(try await host.icon("Status", isolation: fixture)?.text == "Passive")
            #expect(
                try await host.lines(isolation: fixture).map(\.words) == [
                    "(Nothing to continue)", "Open Handoff", "Settings",
                ])
            try await host.hears("NewStatus", "s", of: "org.kde.StatusNotifierItem", isolation: fixture)
            daemon.offer(try three())
            try await host.wait(isolation: fixture) { $0.heard.last?[0]?.text == "Active" }
            let labels = try await host.lines(isolation: fixture).map(\.words)
            #expect(
                labels == [
                    "Shopping list – Notes · laptop", "Holidays – Notes · laptop", "snake__case – Notes · laptop",
                    "Open Handoff", "Settings",
                ])
            // While the menu is open, the icon stays.
            _ = try await host.menu("AboutToShow", .int32(0), isolation: fixture)
            daemon.vanish()
            await host.settles(isolation: fixture)
            #expect(try await host.icon("Status", isolation: fixture)?.text == "Active")
            _ = try await host.menu(
                "Event", .int32(0), .string("closed"), .variant(.string("")), .uint32(0), isolation: fixture)
            try await host.wait(isolation: fixture) { $0.heard.last?[0]?.text == "Passive" }
        }
    }

    /// With version 3 of the menu, some hosts report clicks only with `EventGroup`.
    @Test(arguments: [false, true]) func aPressContinues(inGroups: Bool) async throws {
        try await withPrivateBus { fixture, bus in
            let daemon = ScriptedDaemon(offering: try three())
            let (host, _) = try await fixture.host(at: bus.address, daemon)
            let line = try #require(try await host.lines(isolation: fixture).first { $0.words.hasPrefix("Holidays") })
            let press: [BusValue] = [
                .int32(line.number), .string("clicked"), .variant(.string("")), .uint32(0),
            ]
            if inGroups {
                let about = try await host.menu("AboutToShowGroup", .array(of: .int32, [.int32(0)]), isolation: fixture)
                #expect(about.signature == "aiai")
                let events = BusValue.array(of: .structure(press.map(\.type)), [.structure(press)])
                let answer = try await host.menu("EventGroup", events, isolation: fixture)
                #expect(answer.body == [.array(of: .int32, [])])
            } else {
                #expect(try await host.menu("AboutToShow", .int32(line.number), isolation: fixture)[0]?.flag == false)
                _ = try await host.menu("Event", press[0], press[1], press[2], press[3], isolation: fixture)
            }
            var starts = daemon.starts.makeAsyncIterator()
            #expect(await starts.next()?.activity == (try three())[1].offer.activity)
        }
    }

    // Shows L12: six languages.
    @Test func itSpeaksTheLanguageOfItsUser() async throws {
        try await withPrivateBus { fixture, bus in
            let daemon = ScriptedDaemon()
            let three = try three()
            let (host, _) = try await fixture.host(at: bus.address, daemon, environment: ["LANG": "de_DE.UTF-8"])
            #expect(
                try await host.lines(isolation: fixture).map(\.words) == [
                    "(Nichts zum Fortsetzen)", "Handoff öffnen", "Einstellungen",
                ])
            let tip = { () async throws -> String? in
                try await host.icon("ToolTip", isolation: fixture)?.elements?.last?.text
            }
            #expect(try await tip() == "Nichts zum Fortsetzen")
            for (offers, said) in [
                (three, "3 Aktivitäten auf anderen Geräten"), ([three[0]], "1 Aktivität auf einem anderen Gerät"),
            ] {
                daemon.offer(offers)
                await host.settles(isolation: fixture)
                #expect(try await tip() == said)
            }
        }
    }

    // Shows G05. Xfce's panel reports that it is about to show the menu, but never that it was closed.
    @Test(arguments: [false, true]) func openMenuDoesNotReorder(isSaidToClose: Bool) async throws {
        try await withPrivateBus { fixture, bus in
            let three = try three()
            let daemon = ScriptedDaemon(offering: three)
            let (host, _) = try await fixture.host(at: bus.address, daemon)
            for (signal, signature) in [("LayoutUpdated", "ui"), ("ItemsPropertiesUpdated", "a(ia{sv})a(ias)")] {
                try await host.hears(signal, signature, of: "com.canonical.dbusmenu", isolation: fixture)
            }
            let tells = { (event: String) async throws in
                _ = try await host.menu(
                    "Event", .int32(0), .string(event), .variant(.string("")), .uint32(0), isolation: fixture)
            }
            let first = try await host.menu("AboutToShow", .int32(0), isolation: fixture)
            #expect(first[0]?.flag == false)
            if isSaidToClose { try await tells("opened") }
            daemon.offer([try .sample(4, "News"), three[2], three[0]])
            try await host.wait(toHear: 1, isolation: fixture)
            // One item changed, and none was added or removed.
            #expect(host.heard[0].member == "ItemsPropertiesUpdated")
            #expect(host.heard[0][0]?.elements?.count == 1)
            #expect(
                try await host.lines(isolation: fixture).map(\.words) == [
                    "Shopping list – Notes · laptop", "(Holidays – Notes · laptop)", "snake__case – Notes · laptop",
                    "Open Handoff", "Settings",
                ])
            if isSaidToClose {
                try await tells("closed")
            } else {
                let again = try await host.menu("AboutToShowGroup", .array(of: .int32, [.int32(0)]), isolation: fixture)
                #expect(again.body == [.array(of: .int32, [.int32(0)]), .array(of: .int32, [])])
            }
            try await host.wait(toHear: 2, isolation: fixture)
            #expect(host.heard[1].member == "LayoutUpdated")
            #expect(
                try await host.lines(isolation: fixture).map(\.words) == [
                    "News – Notes · laptop", "snake__case – Notes · laptop", "Shopping list – Notes · laptop",
                    "Open Handoff", "Settings",
                ])
        }
    }

    // Shows G05. The host reports only the opening of the menu.
    @Test func idleMenuIsTreatedAsClosed() async throws {
        try await withPrivateBus { fixture, bus in
            let three = try three()
            let watcher = try await Watcher(fixture.connect(to: bus.address), isolation: fixture)
            let host = try await fixture.connect(to: bus.address)
            let daemon = DaemonClient(
                ScriptedDaemon(), hello: LocalHello(role: .control, name: DisplayText(cleaning: "test")),
                on: fixture.loop)
            let continuing = ActivityContinuing(DesktopContinuation(by: daemon))
            let folder = try UserFolder()
            try folder.set(#""tray": "on""#)
            let settings = SettingsWatch(Locations(root: folder.path), on: fixture.loop)
            let tray = Tray(
                settings, daemon: daemon, icons: AppIcons(daemon, on: fixture.loop), continuing: continuing,
                window: HandoffWindow(),
                longestLook: .milliseconds(20),
                strings: DesktopStrings([:]), on: fixture.loop)
            host.kept = [tray, settings, folder]
            tray.offersChanged(three)
            tray.busConnected(try #require(host.connection))
            try await watcher.isRegistered(1, isolation: fixture)
            try await host.hears("LayoutUpdated", "ui", of: "com.canonical.dbusmenu", isolation: fixture)
            _ = try await host.menu("AboutToShow", .int32(0), isolation: fixture)
            tray.offersChanged([three[2], three[0], three[1]])
            try await host.wait(toHear: 1, isolation: fixture)
            #expect(try await host.lines(isolation: fixture)[0].words == "snake__case – Notes · laptop")
        }
    }

    // Shows L12.
    @Test func pauseSwitchesHandoffOffUntilItEndsOrIsEnded() async throws {
        try await withPrivateBus { fixture, bus in
            let daemon = ScriptedDaemon(offering: try three())
            daemon.rule(PolicySummary())
            let (host, _) = try await fixture.host(at: bus.address, daemon)
            try await host.hears("LayoutUpdated", "ui", of: "com.canonical.dbusmenu", isolation: fixture)
            let lines = { try await host.lines(isolation: fixture) }
            #expect(
                try await lines().map(\.words).suffix(4) == [
                    "Pause for 1 Hour", "Pause Until Tomorrow", "Open Handoff", "Settings",
                ])
            let press = { (words: String) async throws in
                let line = try #require(try await lines().first { $0.words == words })
                _ = try await host.menu(
                    "Event", .int32(line.number), .string("clicked"), .variant(.string("")), .uint32(0),
                    isolation: fixture)
                await host.settles(isolation: fixture)
            }
            try await press("Pause for 1 Hour")
            let changes = daemon.asked.compactMap { message -> PolicyChange? in
                guard case .policy(.setPolicy(let change)) = message else { return nil }
                return change
            }
            #expect(changes.map(\.subject.direction) == HandoffDirection.both)
            let end = try #require(changes.first?.until)
            #expect(abs(end.milliseconds - WallTime.now.milliseconds - 3_600_000) < 60_000)
            daemon.offer([])
            await host.settles(isolation: fixture)
            // Otherwise there would be no way to resume.
            #expect(try await host.icon("Status", isolation: fixture)?.text == "Active")
            let words = "Paused until \(end.localClock)"
            #expect(try await lines().map(\.words) == ["(\(words))", "Resume", "Open Handoff", "Settings"])
            #expect(try await host.icon("ToolTip", isolation: fixture)?.elements?.last?.text == words)
            try await press("Resume")
            #expect(try await lines().first?.words == "(Nothing to continue)")
            #expect(try await host.icon("Status", isolation: fixture)?.text == "Passive")
        }
    }

    @Test func administratorsSwitchLeavesNothingToPause() async throws {
        try await withPrivateBus { fixture, bus in
            let daemon = ScriptedDaemon(offering: try three())
            daemon.rule(
                PolicySummary(
                    off: HandoffDirection.allCases.map { PolicySwitch(PolicySubject($0), isByAdministrator: true) }))
            let (host, _) = try await fixture.host(at: bus.address, daemon)
            #expect(try await host.lines(isolation: fixture).count == 5)
        }
    }

    // Shows L12, L17.
    @Test func menuShowsIconsAndAges() async throws {
        try await withPrivateBus { fixture, bus in
            let folder = try UserFolder()
            let offer = try ListedActivity.sample(1, "Shopping list").since(minutesAgo: 5)
            let daemon = ScriptedDaemon(offering: [offer, try .sample(2, "News", target: .webPage)], isThere: true)
            try daemon.install(in: folder, picture: "picture")
            // On the bus only once the icons are known.
            let (host, _) = try await fixture.host(at: bus.address, daemon, isThere: false)
            let layout = try await host.menu("GetLayout", .int32(0), .int32(-1), .strings([]), isolation: fixture)
            let items = layout[1]?.elements?[2].elements?.compactMap { $0.unwrapped.elements?[1].properties } ?? []
            #expect(items.first?["label"]?.text == "Shopping list – Notes · laptop · 5 min ago")
            #expect(items.first?["icon-data"]?.bytes == Array("picture".utf8))
            withExtendedLifetime(folder) {}
            #expect(items.dropFirst().first?["icon-name"]?.text == "web-browser")
        }
    }

    @Test func unknownMenuItemsAreNamed() async throws {
        try await withPrivateBus { fixture, bus in
            let (host, _) = try await fixture.host(at: bus.address, ScriptedDaemon(offering: try three()))
            let hovers = { (numbers: [Int32]) -> BusValue in
                let events = numbers.map {
                    BusValue.structure([.int32($0), .string("hovered"), .variant(.int32(0)), .uint32(0)])
                }
                return .array(of: .structure([.int32, .string, .variant, .uint32]), events)
            }
            let answer = try await host.menu("EventGroup", hovers([0, 1, 99]), isolation: fixture)
            #expect(answer.body == [.array(of: .int32, [.int32(99)])])
            _ = try await host.menu("EventGroup", hovers(Array(repeating: 0, count: 256)), isolation: fixture)
            for call: (String, [BusValue]) in [
                ("EventGroup", [hovers(Array(repeating: 0, count: 257))]),
                ("GetLayout", [.int32(99), .int32(-1), .strings([])]),
                ("GetProperty", [.int32(1), .string("colour")]),
            ] {
                let answer = await host.call(
                    BusCall(Watcher.item, "/StatusNotifierItem/Menu", "com.canonical.dbusmenu", call.0, call.1),
                    isolation: fixture)
                #expect(throws: BusFailure.self) { try answer.get() }
            }
            let label = try await host.menu("GetProperty", .int32(1), .string("label"), isolation: fixture)
            #expect(label[0]?.text == "Open Handoff")
            let all = try await host.menu(
                "GetGroupProperties", .array(of: .int32, []), .strings(["label"]), isolation: fixture)
            #expect(all[0]?.elements?.count == 6)
        }
    }

    @Test func theWindowIsOpenedWithTheTokenOfThePress() async throws {
        try await withPrivateBus { fixture, bus in
            let window = try await fixture.connect(to: bus.address)
            let connection = try #require(window.connection)
            window.kept = [
                try BusObject(
                    [
                        BusInterface(
                            "org.freedesktop.Application",
                            methods: [
                                .init("Activate", takes: [.init("platform_data", "a{sv}")]) { message, reply in
                                    window.hears(message)
                                    reply.answer()
                                },
                                .init(
                                    "ActivateAction",
                                    takes: [
                                        .init("action_name", "s"), .init("parameter", "av"),
                                        .init("platform_data", "a{sv}"),
                                    ]
                                ) { message, reply in
                                    window.hears(message)
                                    reply.answer()
                                },
                            ])
                    ], at: "/org/handoff/Handoff", on: connection)
            ]
            try await withCheckedThrowingContinuation { done in
                connection.requestName("org.handoff.Handoff") { done.resume(with: $0) }
            }
            let (host, _) = try await fixture.host(at: bus.address, ScriptedDaemon(), tray: .on)
            let item = { (member: String, body: [BusValue]) async throws in
                _ = try await host.asks(
                    Watcher.item, "/StatusNotifierItem", "org.kde.StatusNotifierItem", member, body, isolation: fixture)
            }
            try await item("ProvideXdgActivationToken", [.string("front-1")])
            try await item("Activate", [.int32(0), .int32(0)])
            try await window.wait(toHear: 1, isolation: fixture)
            #expect(window.heard[0][0]?.properties?["activation-token"]?.text == "front-1")
            // The token is only used once.
            _ = try await host.menu(
                "Event", .int32(1), .string("clicked"), .variant(.string("")), .uint32(0), isolation: fixture)
            try await window.wait(toHear: 2, isolation: fixture)
            #expect(window.heard[1][0]?.properties == [:])
            try await item(
                "ProvideXdgActivationToken", [.string(String(repeating: "a", count: Limits.activationTokenBytes + 1))])
            try await item("SecondaryActivate", [.int32(0), .int32(0)])
            try await window.wait(toHear: 3, isolation: fixture)
            #expect(window.heard[2][0]?.properties == [:])
            try await item("ProvideXdgActivationToken", [.string("front-2")])
            let lines = try await host.lines(isolation: fixture)
            let settings = try #require(lines.first { $0.words == "Settings" })
            _ = try await host.menu(
                "Event", .int32(settings.number), .string("clicked"), .variant(.string("")), .uint32(0),
                isolation: fixture)
            try await window.wait(toHear: 4, isolation: fixture)
            #expect(window.heard[3][0]?.text == "settings")
            #expect(window.heard[3][1]?.elements == [])
            #expect(window.heard[3][2]?.properties?["activation-token"]?.text == "front-2")
        }
    }
}

private struct Watcher {
    static let name = "org.kde.StatusNotifierWatcher"
    static let item = "org.kde.StatusNotifierItem-\(getpid())-1"

    let guest: Guest
    let object: BusObject

    /// `isShown`: whether a host shows the items. Registrations are recorded as calls of `guest`.
    init(_ guest: Guest, isShown: @escaping () -> Bool = { true }, isolation: isolated (any Actor)) async throws {
        self.guest = guest
        let connection = try #require(guest.connection)
        object = try BusObject(
            [
                BusInterface(
                    Self.name,
                    methods: [
                        .init("RegisterStatusNotifierItem", takes: [.init("service", "s")]) { message, reply in
                            guest.hears(message)
                            reply.answer()
                        }
                    ],
                    properties: [.init("IsStatusNotifierHostRegistered", "b") { .boolean(isShown()) }],
                    signals: [.init("StatusNotifierHostRegistered")])
            ], at: "/StatusNotifierWatcher", on: connection)
        try await withCheckedThrowingContinuation { done in
            connection.requestName(Self.name) { done.resume(with: $0) }
        }
    }

    func isRegistered(_ times: Int, isolation: isolated (any Actor)) async throws {
        try await guest.wait(toHear: times, isolation: isolation)
        #expect(guest.heard.last?[0]?.text == Self.item)
    }
}

extension Guest {
    fileprivate func menu(
        _ member: String, _ body: BusValue..., isolation: isolated (any Actor)
    ) async throws -> BusMessage {
        try await asks(
            Watcher.item, "/StatusNotifierItem/Menu", "com.canonical.dbusmenu", member, body, isolation: isolation)
    }

    fileprivate func icon(_ property: String, isolation: isolated (any Actor)) async throws -> BusValue? {
        try await asks(
            Watcher.item, "/StatusNotifierItem", "org.freedesktop.DBus.Properties", "Get",
            [.string("org.kde.StatusNotifierItem"), .string(property)], isolation: isolation)[0]
    }

    /// Numbers and labels of the items, without ages; disabled items in brackets.
    fileprivate func lines(isolation: isolated (any Actor)) async throws -> [(number: Int32, words: String)] {
        let layout = try await menu(
            "GetLayout", .int32(0), .int32(-1), .strings([]), isolation: isolation)
        #expect(layout.signature == "u(ia{sv}av)")
        let items = layout[1]?.elements?[2].elements?.compactMap { $0.unwrapped.elements } ?? []
        return items.compactMap { item in
            guard case .int32(let number) = item[0], let label = item[1].properties?["label"]?.text else { return nil }
            let words = label.split(separator: " · ").prefix(2).joined(separator: " · ")
            let isEnabled = item[1].properties?["enabled"]?.flag ?? true
            return (number, isEnabled ? words : "(\(words))")
        }
    }

    fileprivate func hears(
        _ signal: String, _ signature: String, of interface: String, isolation: isolated (any Actor)
    ) async throws {
        kept.append(
            try #require(connection).onSignal(interface, signal, signature, from: Watcher.item) { [unowned self] in
                hears($0)
            })
        _ = await call(.bus("GetId", []), isolation: isolation)
    }
}

extension BusFixture {
    fileprivate func host(
        at address: String, _ daemon: ScriptedDaemon, tray: TrayPreference = .automatic, isThere: Bool = true,
        environment: [String: String] = [:]
    ) async throws -> (host: Guest, watcher: Watcher) {
        let watcher = try await Watcher(connect(to: address), isolation: self)
        let host = try await begin(at: address, daemon, tray: tray, isThere: isThere, environment: environment)
        try await watcher.isRegistered(1, isolation: self)
        return (host, watcher)
    }
}
