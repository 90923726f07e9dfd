// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// A person's laptop and desktop on a network with a possibly malicious neighbour.
struct SharedNetwork {
    enum Neighbour {
        case stranger
        /// A member of the account.
        case member
        /// A removed member.
        case formerMember
    }

    let network: Network
    let laptop: Device
    let desktop: Device
    private let neighbour: Device
    private let publisher: RunningProgram

    /// For one of the person's devices to answer the other, whatever the neighbour does.
    static let patience = Duration.seconds(2)
    /// For a restarted device to reconnect, whatever happens.
    static let longestReturn = Duration.seconds(3)
    /// Limit for a device's reconnection afterwards: this factor of its slowest time before,
    static let returnFactor = 2
    /// and this much: the last beacon of a burst is sent 600 ms after the first, and the device with the higher id
    /// waits 250 ms for the other to dial, so that two reconnections differ by this much if a datagram is lost.
    static let returnLuck = Duration.milliseconds(850)
    /// Limit for additional memory during an attack, KiB.
    static let memory = 8 * 1024
    /// Limit for additional descriptors: the unauthenticated connections that one source may have at a time, and a
    /// command's.
    static let descriptors = 24 + 8

    /// Dispatch keeps this many open after the first verification of signatures on all cores.
    static let allCores = 3
    /// Limit for additional memory during a member's attack, KiB.
    static let memoryForMembers = 16 * 1024

    private let role: Neighbour
    /// The laptop's offer.
    private let activity: String

    init(on stage: Stage, _ options: Network.Options = .init(), neighbour role: Neighbour = .stranger) throws {
        self.role = role
        network = try Network(on: stage, options)
        laptop = try Device("laptop", on: stage, network: network)
        desktop = try Device("desktop", on: stage, network: network)
        neighbour = try Device("neighbour", on: stage, network: network)
        for device in [laptop, desktop, neighbour] { try device.startDaemon() }
        if role == .stranger {
            // It has its own key and certificate now, and needs its daemon for nothing else.
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

    /// Starts the neighbour's attack on the laptop. `name`: the device that it impersonates.
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

    /// The neighbour's program, and the id of its offer in the laptop's list.
    func offered(by kind: String) throws -> (RunningProgram, activity: String) {
        let watch = try laptop.watchActivities()
        defer { watch.stop() }
        let member = try start(kind, count: 1)
        let line = try watch.output.next("the member's activity") { $0.contains(#""title":"harmless""#) }
        let listed = try JSON(text: line).elements.first { $0["title"]?.string == "harmless" }
        return (member, try #require(listed?["activity"]?.string))
    }

    /// Runs the attack, and uses both devices before, during and after it. Returns the neighbour's report.
    func endure(_ kind: String, count: Int, _ options: String...) throws -> JSON {
        try endure { try start(kind, count: count, options) }
    }

    /// `begin` returns the neighbour's program, whose next line is its report. `meanwhile` runs during the attack;
    /// without it the session between the two devices must last throughout.
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
            // A few more rounds while it holds its resources.
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

    /// The laptop's connection to the desktop.
    private struct Standing: Equatable {
        /// Opened and closed since the daemon's start.
        let sessions: [String]
        /// The desktop's current address,
        let address: String?
        /// and the addresses stored for after a restart.
        let known: Data
    }

    private func standing() throws -> Standing {
        let list = try laptop.json("device", "list").first(where: "name", is: "desktop")
        // A neighbour that is a member has sessions too.
        let short = try #require(list?["device"]?.string?.split(separator: "-").first)
        return Standing(
            sessions: try #require(laptop.daemon).errors.lines.filter {
                $0.contains("device=\(short) ") && ($0.hasSuffix("Session opened") || $0.hasSuffix("Session closed"))
            },
            address: list?["address"]?.string,
            known: try Data(contentsOf: laptop.root.appending(path: "state/addresses")))
    }

    /// The desktop continues the laptop's offer, and the laptop's daemon responds to its user.
    func ping() throws {
        // By id, because a program of the laptop's user may offer something newer.
        let continued = try desktop.command(["activity", "continue", activity, "--json"], within: Self.patience)
        #expect(continued.code == 0 && continued.output.contains("milk"), "\(continued.errors)")
        #expect(try laptop.command(["status"], within: Self.patience).code == 0)
    }

    /// The members of the account and their names, on both devices.
    func trust() throws -> [[String]] {
        try [laptop, desktop].map { device in
            try device.json("device", "list").elements.map { member in
                // A member may only change its own name.
                let isNamed = role == .stranger || ["laptop", "desktop"].contains(member["name"]?.string)
                let said = ["device", "kind", "admitted", "admittedBy"] + (isNamed ? ["name"] : [])
                return said.map {
                    "\(member[$0] ?? .null)"
                }.joined(
                    separator: " ")
            }.sorted()
        }
    }

    /// The time from the desktop's start until both devices are in sync again.
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
        // A lasting effect of the neighbour shows twice; a temporary load of this machine does not.
        let again = try restartDesktop()
        #expect(again <= bound, "back after \(again)")
    }

    func waitForDesktop(within bound: Duration) throws {
        try wait("the desktop to be back", within: bound) {
            try laptop.json("device", "list").first(where: "name", is: "desktop")?["connected"]?.bool == true
                && desktop.json("activity", "list").elements.contains { "\($0)".contains("Shopping") }
        }
    }

    /// Checks repeatedly, because the daemon does not report that it released something.
    func wait(_ wanted: String, within bound: Duration, until isMet: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + bound
        while try !isMet() {
            guard ContinuousClock.now < deadline else { throw Unmet("waited \(bound) for \(wanted)") }
        }
    }
}
