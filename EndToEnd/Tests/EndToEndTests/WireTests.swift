// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// The traffic between two devices, as visible on the cable. Shows X05.
@Suite(.serialized, .needsNamespaces) struct WireTests {
    private static let user = "anna.mustermann"
    private static let hosts = ("annas-thinkpad", "annas-tower")

    // Shows T02, X06, X07: joining, offering and continuing reveal nothing about the devices, their user, the app or
    // the code.
    @Test func trafficRevealsNoSecrets() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage, hosts: Self.hosts)
            let devices = [pair.laptop, pair.desktop]
            let cable = try pair.network.capture("laptop")
            for device in devices {
                device.environment.merge(["USER": Self.user, "LOGNAME": Self.user]) { $1 }
                try device.startDaemon()
            }
            try pair.laptop.handoff("account", "create")
            let invitation = try pair.laptop.invite()
            try pair.desktop.join(invitation.code)
            let joining = try cable.traffic()

            for device in devices { try device.install(.monkeyBrowser) }
            let browser = try pair.browse()
            try pair.desktop.handoff("activity", "continue")
            try browser.output.next(starting: "was-continued tab=1")
            let all = try cable.traffic()

            // There was traffic to examine: beacons and joining, then a session, and nothing else on UDP and TCP.
            #expect(joining.beacons.count >= 2)
            let encrypted = try [joining, all].map { try $0.records.count { $0.kind == .applicationData } }
            #expect(encrypted[0] >= 4)
            // The offer, the fetch, its answer, and the notification of the continuation: each waits for the previous
            // one.
            #expect(encrypted[1] >= encrypted[0] + 4)
            #expect(all.datagrams.allSatisfy { $0.isBeacon })

            let secrets = try secrets(of: pair, code: invitation.code)
            #expect(Secret.readable(secrets, in: all).map(\.description) == [])
            // Clear text is found. The refusal, which ends the read, shows that it was captured.
            try pair.desktop.run("bash", "-c", "exec 3<>/dev/udp/10.77.0.1/9; echo LapTop >&3; ! read -t 5 -u 3")
            #expect(Secret.readable(secrets, in: try cable.traffic()).map(\.description) == ["name of laptop"])
        }
    }

    private func secrets(of pair: Pair, code: String) throws -> [Secret] {
        let account = try #require(try pair.laptop.json("account", "show")["account"]?.string)
        var secrets = [
            Secret("user", Self.user), Secret("host of laptop", Self.hosts.0), Secret("host of desktop", Self.hosts.1),
            Secret("bundle and activity type", App.monkeyBrowser.bundle), Secret("app", App.monkeyBrowser.executable),
            Secret("title", Pair.title), Secret("page", "weather.example"), try Secret("code", shown: code, group: 7),
            try Secret("account", hexadecimal: account),
        ]
        for device in try pair.laptop.json("device", "list").elements {
            let (name, id) = (try #require(device["name"]?.string), try #require(device["device"]?.string))
            secrets.append(Secret("name of \(name)", name))
            secrets.append(Secret("short id of \(name)", String(id.prefix(7))))
            secrets.append(try Secret("id of \(name)", shown: id, group: 14))
        }
        return secrets
    }

    // Shows X01, X02: the clear text before and after a restart with another address shares only content that every
    // device sends.
    @Test func twoCapturesCannotBeJoined() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage, .init(ipv6: false))
            let devices = [pair.laptop, pair.desktop]
            let cable = try pair.network.capture("laptop")
            try pair.begin(with: [])
            try pair.offer("Before")
            let before = try cable.traffic()

            for device in devices { try device.stopDaemon() }
            try pair.network.readdress("laptop")
            let laterCable = try pair.network.capture("laptop")
            for device in devices { try device.startDaemon() }
            try pair.offer("After")
            let after = try laterCable.traffic()
            for device in devices { try device.stopDaemon() }

            let strangers = Pair(
                network: pair.network, laptop: try Device("strangers-laptop", on: stage, network: pair.network),
                desktop: try Device("strangers-desktop", on: stage, network: pair.network))
            let theirCable = try pair.network.capture("strangers-laptop")
            try strangers.begin(with: [])
            try strangers.offer("Theirs")
            let theirs = try theirCable.traffic()

            #expect(try traces(in: before, and: after, notIn: theirs).isEmpty)
            // A device that stays the same is found.
            #expect(try !traces(in: before, and: before, notIn: theirs).isEmpty)

            // Beacons share nothing but their version, even from the same device.
            let beacons = (before.beacons + after.beacons + theirs.beacons).map { $0.dropFirst() }
            #expect(beacons.count >= 6)
            #expect(runs(of: 8, in: beacons).count == beacons.count * (156 - 7))
        }
    }

    /// Parts shared by two captures and absent from strangers' traffic. Next to fixed content, a byte or two of random
    /// content may agree by chance, so eight bytes in a row are a trace only if no four of them are in strangers'
    /// traffic.
    private func traces(in one: Traffic, and other: Traffic, notIn strangers: Traffic) throws -> Set<UInt64> {
        let shared = runs(of: 8, in: try inClear(one)).intersection(runs(of: 8, in: try inClear(other)))
        let common = runs(of: 4, in: try inClear(strangers))
        return shared.filter { run in (0...4).allSatisfy { !common.contains(run >> ($0 * 8) & 0xFFFF_FFFF) } }
    }

    /// Beacons without their version, calls, and the hellos of TLS.
    private func inClear(_ traffic: Traffic) throws -> [Data] {
        let hellos = try traffic.records.filter { $0.kind == .handshake }.map(\.body)
        #expect(!traffic.beacons.isEmpty && !hellos.isEmpty)
        return traffic.beacons.map { $0.dropFirst() } + traffic.openings + hellos
    }

    /// All sequences of `length` bytes, at most eight, as numbers.
    private func runs(of length: Int, in texts: [Data]) -> Set<UInt64> {
        var runs: Set<UInt64> = []
        for text in texts {
            var last: UInt64 = 0
            for (index, byte) in text.enumerated() {
                last = last << 8 | UInt64(byte)
                if index >= length - 1 { runs.insert(last & UInt64.max >> ((8 - length) * 8)) }
            }
        }
        return runs
    }

    // Shows B07, X09: a state of 60,000 bytes stays on the laptop until the desktop's user accepts it.
    @Test func onlyTheOfferIsSentBeforeTheUserAccepts() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            let cable = try pair.network.capture("laptop")
            try pair.begin(options: Pair.watched)
            _ = try pair.browse(to: Pair.page + "?" + String(repeating: "x", count: 60_000))
            // Its daemon has the state by then, in case the browser quits.
            try pair.awaitSavedState()
            let offered = try bytesSent(in: cable.traffic())
            #expect((1_000..<30_000).contains(offered))
            try pair.desktop.handoff("activity", "continue")
            #expect(try bytesSent(in: cable.traffic()) > offered + 60_000)
        }
    }

    private func bytesSent(in traffic: Traffic) throws -> Int {
        try traffic.records.filter { $0.isFromDevice && $0.kind == .applicationData }.reduce(0) { $0 + $1.body.count }
    }
}
