// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffClient
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
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        try await fixture.everyWatcherIsTold(at: bus.address, ScriptedDaemon(offering: try three()))
        await fixture.stop()
    }

    @Test func trayWithoutAHostIsOnTheBusOnlyIfWanted() async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        try await fixture.hostIsWaitedFor(at: bus.address, ScriptedDaemon())
        await fixture.stop()
    }

    @Test func itIsHiddenWhereThereIsNothing() async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        try await fixture.iconComesAndGoes(at: bus.address, ScriptedDaemon(), three: try three())
        await fixture.stop()
    }

    /// With version 3 of the menu, some hosts report clicks only with `EventGroup`.
    @Test(arguments: [false, true]) func aPressContinues(inGroups: Bool) async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        let daemon = ScriptedDaemon(offering: try three())
        try await fixture.pressContinues(at: bus.address, daemon, inGroups: inGroups)
        var starts = daemon.starts.makeAsyncIterator()
        #expect(await starts.next()?.activity == (try three())[1].offer.activity)
        await fixture.stop()
    }

    // Shows L12: six languages.
    @Test func itSpeaksTheLanguageOfItsUser() async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        try await fixture.traySpeaksGerman(at: bus.address, ScriptedDaemon(), three: try three())
        await fixture.stop()
    }

    // Shows G05. Xfce's panel reports that it is about to show the menu, but never that it was closed.
    @Test(arguments: [false, true]) func openMenuDoesNotReorder(isSaidToClose: Bool) async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        let daemon = ScriptedDaemon(offering: try three())
        try await fixture.openMenuStays(at: bus.address, daemon, three: try three(), isSaidToClose: isSaidToClose)
        await fixture.stop()
    }

    // Shows G05.
    @Test func idleMenuIsTreatedAsClosed() async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        try await fixture.openMenuCloses(at: bus.address, ScriptedDaemon(), three: try three())
        await fixture.stop()
    }

    @Test func unknownMenuItemsAreNamed() async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        try await fixture.unknownItemsAreNamed(at: bus.address, ScriptedDaemon(offering: try three()))
        await fixture.stop()
    }

    @Test func theWindowIsOpenedWithTheTokenOfThePress() async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        try await fixture.windowIsOpened(at: bus.address, ScriptedDaemon())
        await fixture.stop()
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

    /// Numbers and labels of the items; disabled items in brackets.
    fileprivate func lines(isolation: isolated (any Actor)) async throws -> [(number: Int32, words: String)] {
        let layout = try await menu(
            "GetLayout", .int32(0), .int32(-1), .strings([]), isolation: isolation)
        #expect(layout.signature == "u(ia{sv}av)")
        let items = layout[1]?.elements?[2].elements?.compactMap { $0.unwrapped.elements } ?? []
        return items.compactMap { item in
            guard case .int32(let number) = item[0], let words = item[1].properties?["label"]?.text else { return nil }
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
        at address: String, _ daemon: ScriptedDaemon, tray: TrayPreference = .automatic,
        environment: [String: String] = [:]
    ) async throws -> (host: Guest, watcher: Watcher) {
        let watcher = try await Watcher(connect(to: address), isolation: self)
        let host = try await begin(at: address, daemon, tray: tray, environment: environment)
        try await watcher.isRegistered(1, isolation: self)
        return (host, watcher)
    }

    fileprivate func everyWatcherIsTold(at address: String, _ daemon: ScriptedDaemon) async throws {
        let guest = try await begin(at: address, daemon, tray: .automatic)
        let first = try await Watcher(connect(to: address), isolation: self)
        try await first.isRegistered(1, isolation: self)
        first.guest.connection?.releaseName(Watcher.name)
        let second = try await Watcher(connect(to: address), isolation: self)
        try await second.isRegistered(1, isolation: self)
        #expect(try await guest.icon("Status", isolation: self)?.text == "Active")
        #expect(try await guest.icon("IconName", isolation: self)?.text == "org.handoff.Handoff")
        #expect(try await guest.icon("Menu", isolation: self)?.text == "/StatusNotifierItem/Menu")
        #expect(try await guest.icon("ItemIsMenu", isolation: self)?.flag == true)
        #expect(
            try await guest.icon("ToolTip", isolation: self)?.elements?.last?.text == "3 activities on other devices")
    }

    fileprivate func hostIsWaitedFor(at address: String, _ daemon: ScriptedDaemon) async throws {
        var isShown = false
        let watcher = try await Watcher(connect(to: address), isShown: { isShown }, isolation: self)
        // Three such programs; each owns the tray's name while it exists.
        let automatic = try await begin(at: address, daemon, tray: .automatic)
        // By now, the program has asked whether a host exists.
        _ = await automatic.call(
            BusCall(Watcher.name, "/StatusNotifierWatcher", "org.freedesktop.DBus.Peer", "Ping"), isolation: self)
        #expect(watcher.guest.heard.isEmpty)
        isShown = true
        watcher.object.emit(Watcher.name, "StatusNotifierHostRegistered")
        try await watcher.isRegistered(1, isolation: self)
    }

    fileprivate func iconComesAndGoes(
        at address: String, _ daemon: ScriptedDaemon, three: [ListedActivity]
    ) async throws {
        let (host, _) = try await host(at: address, daemon)
        #expect(try await host.icon("Status", isolation: self)?.text == "Passive")
        #expect(try await host.lines(isolation: self).map(\.words) == ["Open Handoff", "(Nothing to continue.)"])
        try await host.hears("NewStatus", "s", of: "org.kde.StatusNotifierItem", isolation: self)
        daemon.offer(three)
        try await host.wait(isolation: self) { $0.heard.last?[0]?.text == "Active" }
        let labels = try await host.lines(isolation: self).map(\.words)
        #expect(
            labels == ["Open Handoff", "Shopping list – laptop", "Holidays – laptop", "snake__case – laptop"])
        // While the menu is open, the icon stays.
        _ = try await host.menu("AboutToShow", .int32(0), isolation: self)
        daemon.vanish()
        await host.settles(isolation: self)
        #expect(try await host.icon("Status", isolation: self)?.text == "Active")
        _ = try await host.menu(
            "Event", .int32(0), .string("closed"), .variant(.string("")), .uint32(0), isolation: self)
        try await host.wait(isolation: self) { $0.heard.last?[0]?.text == "Passive" }
    }

    fileprivate func traySpeaksGerman(
        at address: String, _ daemon: ScriptedDaemon, three: [ListedActivity]
    ) async throws {
        let (host, _) = try await host(at: address, daemon, environment: ["LANG": "de_DE.UTF-8"])
        #expect(
            try await host.lines(isolation: self).map(\.words) == [
                "Handoff öffnen", "(Nichts zum Fortsetzen.)",
            ])
        func tip() async throws -> String? {
            try await host.icon("ToolTip", isolation: self)?.elements?.last?.text
        }
        #expect(try await tip() == "Nichts zum Fortsetzen.")
        for (offers, said) in [
            (three, "3 Aktivitäten auf anderen Geräten"), ([three[0]], "1 Aktivität auf einem anderen Gerät"),
        ] {
            daemon.offer(offers)
            await host.settles(isolation: self)
            #expect(try await tip() == said)
        }
    }

    fileprivate func pressContinues(at address: String, _ daemon: ScriptedDaemon, inGroups: Bool) async throws {
        let (host, _) = try await host(at: address, daemon)
        let line = try #require(try await host.lines(isolation: self).first { $0.words.hasPrefix("Holidays") })
        let press: [BusValue] = [
            .int32(line.number), .string("clicked"), .variant(.string("")), .uint32(0),
        ]
        if inGroups {
            let about = try await host.menu("AboutToShowGroup", .array(of: .int32, [.int32(0)]), isolation: self)
            #expect(about.signature == "aiai")
            let events = BusValue.array(of: .structure(press.map(\.type)), [.structure(press)])
            let answer = try await host.menu("EventGroup", events, isolation: self)
            #expect(answer.body == [.array(of: .int32, [])])
        } else {
            #expect(try await host.menu("AboutToShow", .int32(line.number), isolation: self)[0]?.flag == false)
            _ = try await host.menu("Event", press[0], press[1], press[2], press[3], isolation: self)
        }
    }

    fileprivate func openMenuStays(
        at address: String, _ daemon: ScriptedDaemon, three: [ListedActivity], isSaidToClose: Bool
    ) async throws {
        let (host, _) = try await host(at: address, daemon)
        for (signal, signature) in [("LayoutUpdated", "ui"), ("ItemsPropertiesUpdated", "a(ia{sv})a(ias)")] {
            try await host.hears(signal, signature, of: "com.canonical.dbusmenu", isolation: self)
        }
        func tells(_ event: String) async throws {
            _ = try await host.menu(
                "Event", .int32(0), .string(event), .variant(.string("")), .uint32(0), isolation: self)
        }
        let first = try await host.menu("AboutToShow", .int32(0), isolation: self)
        #expect(first[0]?.flag == false)
        if isSaidToClose { try await tells("opened") }
        daemon.offer([try .sample(4, "News"), three[2], three[0]])
        try await host.wait(toHear: 1, isolation: self)
        // One item changed, and none was added or removed.
        #expect(host.heard[0].member == "ItemsPropertiesUpdated")
        #expect(host.heard[0][0]?.elements?.count == 1)
        #expect(
            try await host.lines(isolation: self).map(\.words) == [
                "Open Handoff", "Shopping list – laptop", "(Holidays – laptop)", "snake__case – laptop",
            ])
        if isSaidToClose {
            try await tells("closed")
        } else {
            let again = try await host.menu("AboutToShowGroup", .array(of: .int32, [.int32(0)]), isolation: self)
            #expect(again.body == [.array(of: .int32, [.int32(0)]), .array(of: .int32, [])])
        }
        try await host.wait(toHear: 2, isolation: self)
        #expect(host.heard[1].member == "LayoutUpdated")
        #expect(
            try await host.lines(isolation: self).map(\.words) == [
                "Open Handoff", "News – laptop", "snake__case – laptop", "Shopping list – laptop",
            ])
    }

    fileprivate func unknownItemsAreNamed(at address: String, _ daemon: ScriptedDaemon) async throws {
        let (host, _) = try await host(at: address, daemon)
        let hovers = { (numbers: [Int32]) -> BusValue in
            let events = numbers.map {
                BusValue.structure([.int32($0), .string("hovered"), .variant(.int32(0)), .uint32(0)])
            }
            return .array(of: .structure([.int32, .string, .variant, .uint32]), events)
        }
        let answer = try await host.menu("EventGroup", hovers([0, 1, 99]), isolation: self)
        #expect(answer.body == [.array(of: .int32, [.int32(99)])])
        _ = try await host.menu("EventGroup", hovers(Array(repeating: 0, count: 256)), isolation: self)
        for call: (String, [BusValue]) in [
            ("EventGroup", [hovers(Array(repeating: 0, count: 257))]),
            ("GetLayout", [.int32(99), .int32(-1), .strings([])]),
            ("GetProperty", [.int32(1), .string("colour")]),
        ] {
            let answer = await host.call(
                BusCall(Watcher.item, "/StatusNotifierItem/Menu", "com.canonical.dbusmenu", call.0, call.1),
                isolation: self)
            #expect(throws: BusFailure.self) { try answer.get() }
        }
        let label = try await host.menu("GetProperty", .int32(1), .string("label"), isolation: self)
        #expect(label[0]?.text == "Open Handoff")
        let all = try await host.menu(
            "GetGroupProperties", .array(of: .int32, []), .strings(["label"]), isolation: self)
        #expect(all[0]?.elements?.count == 5)
    }

    fileprivate func windowIsOpened(at address: String, _ daemon: ScriptedDaemon) async throws {
        let window = try await connect(to: address)
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
                            }
                        ])
                ], at: "/org/handoff/Handoff", on: connection)
        ]
        try await withCheckedThrowingContinuation { done in
            connection.requestName("org.handoff.Handoff") { done.resume(with: $0) }
        }
        let (host, _) = try await host(at: address, daemon, tray: .on)
        func item(_ member: String, _ body: [BusValue]) async throws {
            _ = try await host.asks(
                Watcher.item, "/StatusNotifierItem", "org.kde.StatusNotifierItem", member, body, isolation: self)
        }
        try await item("ProvideXdgActivationToken", [.string("front-1")])
        try await item("Activate", [.int32(0), .int32(0)])
        try await window.wait(toHear: 1, isolation: self)
        #expect(window.heard[0][0]?.properties?["activation-token"]?.text == "front-1")
        // The token is only used once.
        _ = try await host.menu(
            "Event", .int32(1), .string("clicked"), .variant(.string("")), .uint32(0), isolation: self)
        try await window.wait(toHear: 2, isolation: self)
        #expect(window.heard[1][0]?.properties == [:])
        try await item(
            "ProvideXdgActivationToken", [.string(String(repeating: "a", count: Limits.activationTokenBytes + 1))])
        try await item("SecondaryActivate", [.int32(0), .int32(0)])
        try await window.wait(toHear: 3, isolation: self)
        #expect(window.heard[2][0]?.properties == [:])
    }

    /// A host that reports only the opening of the menu.
    fileprivate func openMenuCloses(at address: String, _ daemon: ScriptedDaemon, three: [ListedActivity]) async throws
    {
        let watcher = try await Watcher(connect(to: address), isolation: self)
        let host = try await connect(to: address)
        let daemon = DaemonClient(
            daemon, hello: LocalHello(role: .control, name: DisplayText(cleaning: "test")), on: loop)
        let continuing = ActivityContinuing(DesktopContinuation(by: daemon))
        let tray = Tray(
            .on, continuing: continuing, window: HandoffWindow(), longestLook: .milliseconds(20),
            strings: DesktopStrings([:]), on: loop)
        host.kept = [tray]
        tray.offersChanged(three)
        tray.busConnected(try #require(host.connection))
        try await watcher.isRegistered(1, isolation: self)
        try await host.hears("LayoutUpdated", "ui", of: "com.canonical.dbusmenu", isolation: self)
        _ = try await host.menu("AboutToShow", .int32(0), isolation: self)
        tray.offersChanged([three[2], three[0], three[1]])
        try await host.wait(toHear: 1, isolation: self)
        #expect(try await host.lines(isolation: self)[1].words == "snake__case – laptop")
    }
}
