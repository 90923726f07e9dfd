// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// `handoff doctor`, after something has really been broken.
// Shows Y06, G01.
@Suite(.serialized, .needsNamespaces) struct DoctorTests {
    /// The only failed finding of this check.
    private func failure(_ check: String, on device: Device) throws -> DoctorFinding {
        let failed = try device.examine().filter { $0.check == check && $0.result == "failed" }
        #expect(failed.count == 1, "\(failed)")
        return try #require(failed.first)
    }

    private static let options = Network.Options(ipv6: false)

    private func begin(on stage: Stage) throws -> Pair {
        let pair = try Pair(offOn: stage, Self.options)
        try pair.begin(with: [])
        for device in [pair.laptop, pair.desktop] { try device.awaitSession(within: .seconds(10)) }
        return pair
    }

    @Test func devicesThatWorkPass() throws {
        try Stage.play { stage in
            let pair = try begin(on: stage)
            let ports = try [pair.laptop, pair.desktop].flatMap { try $0.examine().filter { $0.check == "port" } }
            let reached = ports.filter { $0.seen.hasSuffix("another device has connected to it") }
            #expect(reached.count >= 1 && ports.count == 2, "one of them has called the other: \(ports)")
            for (device, other) in [(pair.laptop, pair.desktop), (pair.desktop, pair.laptop)] {
                let findings = try device.examine()
                let passed = findings.filter { $0.result == "passed" }.map(\.seen)
                #expect(passed.contains("beacons pass on eth0"))
                let software = try other.json("status")["software"]?.string ?? ""
                #expect(passed.contains("\(other.name) is connected, with \(software)"))
                let failed = Set(findings.filter { $0.result == "failed" }.map(\.check))
                // These devices have no session bus, and nobody has confirmed the key.
                #expect(failed.isSubset(of: ["desktop", "recoveryKey"]), "\(findings)")
            }
        }
    }

    @Test func firewallThatDropsBeaconsIsNamed() throws {
        try Stage.play { stage in
            let pair = try begin(on: stage)
            try pair.laptop.filter("udp dport 47474 drop")
            let interface = try failure("interface", on: pair.laptop)
            #expect(interface.seen.contains("sent on eth0 do not return"))
            let firewall = try failure("firewall", on: pair.laptop)
            #expect(firewall.seen == "nftables: the chain inet filter input drops what other devices send to UDP 47474")
            // The advice helps.
            let rule = "insert rule inet filter input udp dport 47474 accept"
            #expect(firewall.advice == "run as root: nft \(rule)")
            try pair.laptop.run("nft", rule)
            let after = try pair.laptop.examine().filter { $0.check == "firewall" || $0.check == "interface" }
            let results = Set(after.map(\.result))
            #expect(results == ["passed"])
        }
    }

    /// The real firewalld, with its usual zones.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/firewalld")))
    func firewalldIsNamedWithTheZone() throws {
        try Stage.play { stage in
            let pair = try begin(on: stage)
            try pair.laptop.startFirewalld()
            try pair.laptop.run("firewall-cmd", "--permanent", "--zone=home", "--add-interface=eth0")
            try pair.laptop.run("firewall-cmd", "--reload")
            let firewall = try failure("firewall", on: pair.laptop)
            #expect(
                firewall.seen.hasPrefix("firewalld: the chain inet firewalld filter_INPUT drops"), "\(firewall.seen)")
            let command = try #require(firewall.advice.wholeMatch(of: /run as root: (.+--zone=home.+)/)?.1)
            try pair.laptop.run("sh", "-c", String(command))
            let results = Set(try pair.laptop.examine().filter { $0.check == "firewall" }.map(\.result))
            #expect(results == ["passed"])
        }
    }

    @Test func doctorDistinguishesAStoppedDaemonFromADeviceThatIsOff() throws {
        try Stage.play { stage in
            let pair = try begin(on: stage)
            try pair.desktop.killDaemon()
            let stopped = try failure("device", on: pair.laptop)
            #expect(stopped.seen.contains("answers, but no program listens there"))
            try pair.network.unplug("desktop")
            try pair.laptop.run("ip", "neigh", "flush", "all")
            let off = try failure("device", on: pair.laptop)
            #expect(off.seen.contains("nothing has the address 10.77.0.2:47474 here"))
        }
    }

    @Test func networkThatIsolatesItsDevicesIsNamed() throws {
        try Stage.play { stage in
            let pair = try begin(on: stage)
            try pair.network.isolateDevices()
            // Either daemon may call first; both sessions end by then.
            for device in [pair.laptop, pair.desktop] {
                try device.stopDaemon()
                try device.startDaemon()
            }
            let away = try failure("device", on: pair.laptop)
            #expect(away.seen.contains("although the router answers"), "\(away.seen)")
            #expect(away.advice.contains("isolates its devices"))
        }
    }

    @Test func firewallOfTheOtherDeviceIsSuspected() throws {
        try Stage.play { stage in
            let pair = try begin(on: stage)
            try pair.desktop.killDaemon()
            try pair.desktop.filter("meta l4proto { tcp, udp } drop")
            try pair.desktop.startDaemon()
            let away = try failure("device", on: pair.laptop)
            #expect(away.seen.contains("does not answer"), "\(away.seen)")
            #expect(away.advice.contains("its firewall drops TCP port 47474"))
        }
    }

    /// By libfaketime: wrong by hours, and without a battery.
    @Test(
        .enabled(if: Device.canFakeTime),
        arguments: [("+2h", "2 h|1 h 59 min", "ahead of"), ("-50y", "\\d+ d", "behind")])
    func wrongClockIsNamedOnBothDevices(difference: String, amount: String, side: String) throws {
        try Stage.play { stage in
            let pair = try begin(on: stage)
            try pair.desktop.stopDaemon()
            pair.desktop.fakeTime(difference)
            try pair.desktop.startDaemon()
            for device in [pair.laptop, pair.desktop] { try device.awaitSession(within: .seconds(30)) }
            let seen = try failure("clock", on: pair.laptop)
            let sentence = try Regex("the clock of desktop is (\(amount))( \\S+ \\S+)? \(side) this device's")
            #expect(seen.seen.contains(sentence), "\(seen.seen)")
            #expect(seen.advice.contains("timedatectl set-ntp true"))
            let other = try failure("clock", on: pair.desktop)
            #expect(other.seen.contains("the clock of laptop is"), "\(other.seen)")
        }
    }

    /// Made with a clock of years ago, which was set since: its key and its account have no dates that matter.
    @Test(.enabled(if: Device.canFakeTime)) func clockThatWasSetLaterAgrees() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage, Self.options)
            for device in [pair.laptop, pair.desktop] { device.fakeTime("-16y") }
            try pair.begin(with: [])
            pair.laptop.fakeTime("+30s")
            pair.desktop.fakeTime("+0s")
            for device in [pair.laptop, pair.desktop] {
                try device.stopDaemon()
                try device.startDaemon()
            }
            for device in [pair.laptop, pair.desktop] {
                try device.awaitSession(within: .seconds(30))
                let clocks = try device.examine().filter { $0.check == "clock" }
                #expect(clocks.map(\.seen) == ["the clocks of the connected devices agree"])
            }
        }
    }

    @Test func deviceThatIsInAnotherAccountNowIsNamed() throws {
        try Stage.play { stage in
            let pair = try begin(on: stage)
            // The laptop does not learn that the desktop left.
            try pair.laptop.stopDaemon()
            try pair.desktop.handoff("account", "leave", "--yes")
            let tablet = try Device("tablet", on: stage, network: pair.network)
            try tablet.startDaemon()
            try pair.laptop.startDaemon()
            try pair.desktop.found(with: [tablet])
            try tablet.awaitSession(within: .seconds(10))
            let seen = try failure("beacons", on: pair.laptop)
            #expect(seen.seen.hasPrefix("beacons from 10.77.0.2:47474, the last address of desktop, do not open here"))
            let others = try tablet.examine().filter { $0.check == "beacons" }
            #expect(others.map(\.result) == ["unknown"])
        }
    }

    @Test func tunnelThatTakesTheRouteIsNamed() throws {
        try Stage.play { stage in
            let pair = try begin(on: stage)
            let list = try pair.laptop.json("device", "list").elements
            let address = list.first { $0["name"]?.string == "desktop" }?["address"]?.string ?? ""
            let host = String(address.prefix { $0 != ":" })
            for command in [
                ["tuntap", "add", "dev", "vpn0", "mode", "tun"], ["addr", "add", "10.99.0.2/32", "dev", "vpn0"],
                ["link", "set", "vpn0", "up"], ["route", "add", "\(host)/32", "dev", "vpn0"],
            ] {
                try pair.laptop.run(["ip"] + command)
            }
            try pair.laptop.daemon?.errors.next("the end of the session", within: .seconds(15)) {
                $0.hasSuffix("Session closed")
            }
            let away = try failure("device", on: pair.laptop)
            #expect(away.seen.contains("does not answer through vpn0, a VPN"), "\(away.seen)")
        }
    }

    /// Shows Q06: a disk that was copied.
    @Test func keyOnTwoMachinesIsNamedOnEachDevice() throws {
        try Stage.play { stage in
            let pair = try begin(on: stage)
            try pair.laptop.stopDaemon()
            let copy = try Device("copy", on: stage, network: pair.network)
            try FileManager.default.copyItem(
                at: pair.laptop.root.appending(path: "state"), to: copy.root.appending(path: "state"))
            for device in [pair.laptop, copy] { try device.startDaemon() }
            for device in [pair.laptop, copy, pair.desktop] {
                try device.daemon?.errors.next("a copy", within: .seconds(30)) {
                    $0.hasSuffix("Two machines have the key of one device")
                }
                let warning = try failure("warning", on: device)
                #expect(warning.seen.contains("On the copy, stop handoffd"), "\(warning.seen)")
            }
        }
    }

    @Test func portThatAnotherProgramHasIsNamed() throws {
        try Stage.play { stage in
            let network = try Network(on: stage, Self.options)
            let laptop = try Device("laptop", on: stage, network: network)
            try laptop.holdPort()
            try laptop.startDaemon()
            let warning = try failure("warning", on: laptop)
            #expect(warning.seen.contains("another program has port 47474"))
            let holder = try laptop.examine().first { $0.check == "port" && $0.result == "unknown" }
            #expect(holder?.seen.hasPrefix("python3 (process ") == true, "\(holder?.seen ?? "")")
            let account = try failure("account", on: laptop)
            #expect(account.advice.contains("handoff account create"))
        }
    }

    @Test func machineWithoutADaemonOrANetworkIsExaminedToo() throws {
        try Stage.play { stage in
            let network = try Network(on: stage, Self.options)
            let laptop = try Device("laptop", on: stage, network: network)
            let daemon = try failure("daemon", on: laptop)
            #expect(daemon.advice.contains("handoffd"))
            try laptop.run("ip", "link", "set", "eth0", "down")
            let interface = try failure("interface", on: laptop)
            #expect(interface.seen == "this machine has no network")
        }
    }

    @Test func switchedOffOffersAreNamed() throws {
        try Stage.play { stage in
            let pair = try begin(on: stage)
            try pair.laptop.handoff("policy", "off", "advertising")
            let policy = try failure("policy", on: pair.laptop)
            #expect(policy.seen == "advertising is switched off on this device")
        }
    }
}

struct DoctorFinding {
    let check: String
    let result: String
    let seen: String
    let advice: String
}

extension Device {
    /// Runs `handoff doctor`, and checks its exit code.
    func examine(_ question: [String] = []) throws -> [DoctorFinding] {
        let ended = try command(["doctor", "--json"] + question)
        let findings = try JSON(text: ended.output).elements.map { finding in
            func text(_ key: String) -> String { finding[key]?.string ?? "" }
            return DoctorFinding(
                check: text("check"), result: text("result"), seen: text("seen"), advice: text("advice"))
        }
        let hasFailed = findings.contains { $0.result == "failed" }
        #expect(ended.code == (hasFailed ? 1 : 0))
        return findings
    }
}
