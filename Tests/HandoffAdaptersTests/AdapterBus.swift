// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire
import TestBuses
import Testing

@testable import HandoffAdapters

/// `handoff-bus` as an adapter sees it. It notes each call, such as "Publish".
final class BusHandoff {
    let guest: Guest
    private var object: BusObject?
    private var programs: [String]
    private var published = 0
    /// The unique name of the last caller of `Register`.
    private(set) var adapter = ""
    private static let interface = HandoffNames.interface

    /// Returns once it has its name.
    init(
        on fixture: isolated BusFixture, at address: String, programs: [String] = ["system:mpv"]
    ) async throws {
        self.programs = programs
        guest = try await fixture.connect(to: address)
        try await appear(isolation: fixture)
    }

    func appear(isolation: isolated (any Actor)) async throws {
        guard let bus = guest.connection else { return }
        object = try BusObject([described], at: HandoffNames.path, on: bus)
        await withCheckedContinuation { done in bus.requestName(HandoffNames.bus) { _ in done.resume() } }
    }

    func vanish() {
        guest.connection?.releaseName(HandoffNames.bus)
        object = nil
    }

    func switchOn(_ programs: [String]) {
        self.programs = programs
        object?.changed(Self.interface, ["Programs"])
    }

    var calls: [String] { guest.heard.map(\.member) }

    /// Titles of the published activities, and `-` for each withdrawal.
    var titles: [String] {
        guest.heard.compactMap { message in
            switch message.member {
            case "Publish": message[0]?.properties?["title"]?.text
            case "Withdraw": "-"
            default: nil
            }
        }
    }

    func wait(
        _ bound: Duration = .seconds(30), isolation: isolated (any Actor), until condition: ([String]) -> Bool
    ) async throws {
        try await guest.wait(bound, isolation: isolation) { _ in condition(titles) }
    }

    private var described: BusInterface {
        func method(_ name: String, _ takes: [String], _ gives: [String], _ answer: @escaping () -> [BusValue])
            -> BusInterface.Method
        {
            BusInterface.Method(
                name, takes: takes.enumerated().map { .init("a\($0)", $1) },
                gives: gives.enumerated().map { .init("b\($0)", $1) }
            ) { [weak self] message, reply in
                if name == "Register" { self?.adapter = message.sender }
                reply.answer(answer())
                self?.guest.hears(message)
            }
        }
        return BusInterface(
            Self.interface,
            methods: [
                method("Register", ["s", "o", "a{sv}"], ["a{sv}"]) { [.properties([:])] },
                method("Publish", ["a{sv}"], ["s"]) { [unowned self] in
                    published += 1
                    return [.string("\(published)")]
                },
                method("Update", ["s", "a{sv}"], []) { [] }, method("Changed", ["s"], []) { [] },
                method("Withdraw", ["s"], []) { [] },
            ],
            properties: [.init("Programs", "as") { [unowned self] in .strings(programs) }])
    }
}

extension FollowTools {
    /// For a program on the bus of the fixture.
    static func of(
        _ adapter: Guest, on fixture: isolated BusFixture, environment: [String: String] = [:],
        home: HomeFile = HomeFile(environment: ["HOME": "/nonexistent"])
    ) throws -> FollowTools {
        FollowTools(
            bus: try #require(adapter.connection), environment: environment, home: home,
            offLoop: OffLoop(fixture.loop), loop: fixture.loop)
    }
}

/// A media player on a bus, which notes each question and call.
final class BusPlayer {
    let guest: Guest
    /// Kept with this one.
    var more: [BusPlayer] = []
    private var object: BusObject?
    private var held: [(BusFailure?) -> Void] = []
    var position: Int64 = 61_500_000
    var playing = "Playing"
    var metadata: BusValue
    static let film = "https://films.example/a.mkv"

    static func metadata(_ title: String, _ url: String = film) -> BusValue {
        .properties([
            "xesam:url": .string(url), "xesam:title": .string(title), "mpris:length": .int64(120_000_000),
            "mpris:trackid": .objectPath("/a"),
        ])
    }

    init(
        on fixture: isolated BusFixture, at address: String, name: String? = "mpv", playing title: String = "A",
        hangs: Bool = false
    ) async throws {
        metadata = Self.metadata(title)
        guest = try await fixture.connect(to: address)
        guard let bus = guest.connection else { return }
        // Until `answer`.
        if hangs { bus.admission = { [unowned self] _, admit in held.append(admit) } }
        object = try BusObject([player], at: FollowedPlayer.path, on: bus)
        if let name { try await own(name, isolation: fixture) }
    }

    /// Answers all questions, also those that it left unanswered.
    func answer() {
        guest.connection?.admission = nil
        let held = held
        self.held = []
        for admit in held { admit(nil) }
    }

    var uniqueName: String { guest.connection?.uniqueName ?? "" }

    func own(_ name: String, isolation: isolated (any Actor)) async throws {
        guard let bus = guest.connection else { return }
        await withCheckedContinuation { done in
            bus.requestName("org.mpris.MediaPlayer2.\(name)") { _ in done.resume() }
        }
    }

    func leave(_ name: String = "mpv") { guest.connection?.releaseName("org.mpris.MediaPlayer2.\(name)") }

    private var player: BusInterface {
        BusInterface(
            FollowedPlayer.interface,
            methods: [
                .init("Pause") { [unowned self] message, reply in
                    reply.answer()
                    guest.hears(message)
                }
            ],
            properties: [
                .init("Metadata", "a{sv}") { [unowned self] in
                    guest.hears(BusMessage(member: "Metadata"))
                    return metadata
                },
                .init("PlaybackStatus", "s") { [unowned self] in .string(playing) },
                .init("Position", "x") { [unowned self] in .int64(position) },
            ])
    }

    func change(_ properties: [String: BusValue]) {
        guest.connection?.emit(
            FollowedPlayer.path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
            [.string(FollowedPlayer.interface), .properties(properties), .strings([])])
    }
}
