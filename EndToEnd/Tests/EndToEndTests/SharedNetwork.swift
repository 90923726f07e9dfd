// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// A person's laptop and desktop, in use, on a network where a neighbour is too.
struct SharedNetwork {
    enum Neighbour {
        case stranger
        /// The account let it in.
        case member
        /// It did once, and has removed it since.
        case formerMember
    }

    let network: Network
    let laptop: Device
    let desktop: Device
    private let neighbour: Device
    private let publisher: RunningProgram

    /// For one of the person's devices to answer the other, however the neighbour behaves.
    static let patience = Duration.seconds(2)
    /// For a restarted device to be back, whatever happens.
    static let longestReturn = Duration.seconds(3)
    /// Afterwards it is back in at most this many times what it took at its slowest before, by the same clock and questions,
    static let returnFactor = 2
    /// and this much: the last beacon of a burst comes 600 ms after the first, and the device with the higher id leaves the
    /// other one 250 ms to dial, so that two returns differ by as much where a datagram was lost.
    static let returnLuck = Duration.milliseconds(850)
    /// More memory than before, KiB, while the neighbour does its worst.
    static let memory = 8 * 1024
    /// More descriptors than before: those of one source that may be unproven at a time, and a command's.
    static let descriptors = 24 + 8

    /// What Dispatch keeps open from the first time on that signatures were checked on all cores.
    static let allCores = 3
    /// More memory than before, KiB, while a member does its worst.
    static let memoryForMembers = 16 * 1024

    private let role: Neighbour
    /// What the laptop offers.
    private let activity: String

    init(on stage: Stage, _ options: Network.Options = .init(), neighbour role: Neighbour = .stranger) throws {
        self.role = role
        network = try Network(on: stage, options)
        laptop = try Device("laptop", on: stage, network: network)
        desktop = try Device("desktop", on: stage, network: network)
        neighbour = try Device("neighbour", on: stage, network: network)
        for device in [laptop, desktop, neighbour] { try device.startDaemon() }
        if role == .stranger {
            // It has a key and a certificate of its own now, which is all that is wanted of its daemon.
            try neighbour.stopDaemon()
            try laptop.found(with: [desktop])
        } else {
            try laptop.found(with: [desktop, neighbour])
            try neighbour.stopDaemon()
            if role == .formerMember { try laptop.handoff("device", "remove", "neighbour", "--yes") }
        }
        publisher = try laptop.start(
            "activity", "publish", "--type", "com.example.notes.editing", "--title", "Shopping", "--user-info",
            #"{"buy": "milk"}"#)
        let offered = try publisher.output.next(starting: "offered as ")
        activity = String(offered.dropFirst("offered as ".count))
        let watch = try desktop.watchActivities()
        try watch.output.next("the laptop's activity") { $0.contains("Shopping") }
        watch.stop()
    }

    /// Starts the neighbour's doing, towards the laptop. `name`: of the device in whose name it speaks.
    func start(
        _ kind: String, count: Int, inTheNameOf name: String? = nil, _ options: [String] = []
    ) throws -> RunningProgram {
        guard role == .stranger else {
            return try neighbour.start(
                program: [
                    Builds.member, try network.address(of: "laptop"), "47474", kind, "--count", "\(count)", "--state",
                    neighbour.root.appending(path: "state").path,
                ] + options, name: kind)
        }
        let credentials = neighbour.root.appending(path: "state/device.pem").path
        let spoofing = try name.map { ["--name-of", try network.address(of: $0)] } ?? []
        return try neighbour.start(
            program: [
                Builds.neighbour, try network.address(of: "laptop"), "47474", kind, "--count", "\(count)", "--pem",
                credentials,
            ] + spoofing,
            name: kind)
    }

    /// The neighbour's program, and the id of what it offers, which the laptop lists.
    func offered(by kind: String) throws -> (RunningProgram, activity: String) {
        let watch = try laptop.watchActivities()
        defer { watch.stop() }
        let member = try start(kind, count: 1)
        let line = try watch.output.next("the member's activity") { $0.contains(#""title":"harmless""#) }
        let listed = try JSON(text: line).elements.first { $0["title"]?.string == "harmless" }
        return (member, try #require(listed?["activity"]?.string))
    }

    /// Lets the neighbour do it, and uses both devices before, while and after. Returns what the neighbour saw.
    func endure(_ kind: String, count: Int, _ options: String...) throws -> JSON {
        try endure { try start(kind, count: count, options) }
    }

    /// `begin` returns the neighbour's program, of which the next line is its report. `meanwhile` is done while it goes on;
    /// without it the session between the two devices has to stand throughout.
    func endure(_ begin: () throws -> RunningProgram, meanwhile: (() throws -> Void)? = nil) throws -> JSON {
        let daemon = try #require(laptop.daemon)
        let trusted = try trust()
        try ping()
        let usual = try max(restartDesktop(), restartDesktop())
        try ping()
        try daemon.forgetPeak()
        let before = try daemon.vitals()

        let trouble = try begin()
        let lines = trouble.output.lines.count
        let standing = try standing()
        var most = 0
        for round in 0... {
            try ping()
            if round == 0 { try meanwhile?() }
            most = max(most, try daemon.vitals().descriptors)
            // Some more while it holds what it has opened.
            if trouble.output.lines.count > lines, round >= 3 { break }
        }
        let report = try JSON(text: try trouble.output.next("its report") { $0.hasPrefix("{") })
        let during = try daemon.vitals()
        #expect(most <= before.descriptors + Self.descriptors, "descriptors: \(before.descriptors), \(most)")
        let memory = role == .stranger ? Self.memory : Self.memoryForMembers
        #expect(during.peak <= before.resident + memory, "KiB: \(before.resident), \(during.peak)")
        if meanwhile == nil { #expect(try self.standing() == standing) }
        try trouble.say("enough")
        try trouble.waitForExit()

        try wait("the laptop to let go of what the neighbour opened", within: .seconds(12)) {
            try ping()
            return try daemon.vitals().descriptors <= before.descriptors + 1 + (role == .stranger ? 0 : Self.allCores)
        }
        #expect(try trust() == trusted)
        try expectDesktopBack(within: usual * Self.returnFactor + Self.returnLuck)
        try ping()
        #expect(try trust() == trusted)
        return report
    }

    /// What the laptop has with the desktop.
    private struct Standing: Equatable {
        /// Opened and closed since its daemon was started.
        let sessions: [String]
        /// Where it talks with the desktop,
        let address: String?
        /// and where it would look for it after a restart.
        let known: Data
    }

    private func standing() throws -> Standing {
        let list = try laptop.json("device", "list").first(where: "name", is: "desktop")
        // Of the neighbour too there may be some, where it is a member.
        let short = try #require(list?["device"]?.string?.split(separator: "-").first)
        return Standing(
            sessions: try #require(laptop.daemon).errors.lines.filter {
                $0.contains("device=\(short) ") && ($0.hasSuffix("Session opened") || $0.hasSuffix("Session closed"))
            },
            address: list?["address"]?.string,
            known: try Data(contentsOf: laptop.root.appending(path: "state/addresses")))
    }

    /// The desktop continues what the laptop offers, and the laptop's daemon answers its own user.
    func ping() throws {
        // By its id: a program of the laptop's user may offer something newer.
        let continued = try desktop.command(["activity", "continue", activity, "--json"], within: Self.patience)
        #expect(continued.code == 0 && continued.output.contains("milk"), "\(continued.errors)")
        #expect(try laptop.command(["status"], within: Self.patience).code == 0)
    }

    /// Who belongs to the account, and under which names, as both devices see it.
    func trust() throws -> [[String]] {
        try [laptop, desktop].map { device in
            try device.json("device", "list").elements.map { member in
                // What a member may well say is what it calls itself.
                let isNamed = role == .stranger || ["laptop", "desktop"].contains(member["name"]?.string)
                let said = ["device", "kind", "admitted", "admittedBy"] + (isNamed ? ["name"] : [])
                return said.map {
                    "\(member[$0] ?? .null)"
                }.joined(
                    separator: " ")
            }.sorted()
        }
    }

    /// How long it takes from its start until both devices have all of each other again.
    @discardableResult
    func restartDesktop() throws -> Duration {
        try desktop.killDaemon()
        let start = ContinuousClock.now
        try desktop.startDaemon()
        try waitForDesktop(within: Self.longestReturn)
        return ContinuousClock.now - start
    }

    private func expectDesktopBack(within bound: Duration) throws {
        if try restartDesktop() <= bound { return }
        // What the neighbour has done for good shows twice; that something else kept this machine busy does not.
        let again = try restartDesktop()
        #expect(again <= bound, "back after \(again)")
    }

    func waitForDesktop(within bound: Duration) throws {
        try wait("the desktop to be back", within: bound) {
            try laptop.json("device", "list").first(where: "name", is: "desktop")?["connected"]?.bool == true
                && desktop.json("activity", "list").elements.contains { "\($0)".contains("Shopping") }
        }
    }

    /// Asks again until it is so: nothing outside of the daemon is told when it has let go of something.
    func wait(_ wanted: String, within bound: Duration, until isMet: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + bound
        while try !isMet() {
            guard ContinuousClock.now < deadline else { throw Unmet("waited \(bound) for \(wanted)") }
        }
    }
}
