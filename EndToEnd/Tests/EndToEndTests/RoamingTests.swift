// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Networks that change, and limited networks.
@Suite(.serialized, .needsNamespaces) struct RoamingTests {
    // Shows Y01: in any order of starts, and with only the account known.
    @Test(arguments: [Network.Options(ipv6: false), .init(ipv4: false), .init(tunnel: true)])
    func devicesFindEachOtherWithinASecond(options: Network.Options) throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage, options)
            try pair.begin(with: [])
            for (first, second) in [(pair.laptop, pair.desktop), (pair.desktop, pair.laptop)] {
                for device in [first, second] {
                    try device.stopDaemon()
                    device.forgetAddresses()
                }
                try first.startDaemon()
                try second.startDaemon()
                try second.awaitSession(within: .seconds(1))
            }
        }
    }

    // Shows Y01: on every interface.
    @Test func aLaptopIsOnTwoNetworks() throws {
        try Stage.play { stage in
            let (wired, wireless) = (
                try Network(on: stage), try Network(on: stage, .init(defaultRoute: false), number: 1)
            )
            let laptop = try Device("laptop", on: stage, network: wired)
            _ = try wireless.connect("laptop")
            let desktop = try Device("desktop", on: stage, network: wired)
            let tablet = try Device("tablet", on: stage, network: wireless)
            for device in [laptop, desktop, tablet] { try device.startDaemon() }
            try laptop.found(with: [desktop, tablet])
            for device in [desktop, tablet] {
                try Pair(network: wired, laptop: laptop, desktop: device).offer("For \(device.name)")
            }
        }
    }

    // Shows Y02, Y03.
    @Test func sessionRecoversAfterACableIsReplugged() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            let browser = try pair.browse()
            let watch = try pair.desktop.watchActivities()
            try watch.output.next("the page in the list") { $0.contains(Pair.title) }
            try pair.network.unplug("laptop")
            try watch.output.next("the page to go", within: .seconds(15)) { !$0.contains(Pair.title) }
            try pair.network.plug("laptop")
            try watch.output.next("the page to be back", within: .seconds(3)) { $0.contains(Pair.title) }
            try pair.desktop.handoff("activity", "continue")
            try browser.output.next(starting: "was-continued tab=1")
        }
    }

    // Shows Y02.
    @Test func theLaptopGetsAnotherAddress() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage, .init(ipv6: false))
            try pair.begin(with: [])
            try pair.offer("Before")
            try pair.network.readdress("laptop")
            try pair.offer("After", within: .seconds(3))
            #expect(try pair.desktop.json("activity", "list").elements.count == 2)
        }
    }

    // Shows Y04: the address of the invite, an address that worked before, and one given by the user.
    @Test func aNetworkDropsMulticast() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage, .init(ipv6: false, multicast: false))
            let cable = try pair.network.capture("desktop")
            let devices = [pair.laptop, pair.desktop]
            for device in devices { try device.startDaemon() }
            try pair.laptop.handoff("account", "create")
            let invitation = try pair.laptop.invite()
            try pair.desktop.join(invitation.code, at: invitation.address)
            try pair.offer("With the invite")

            for device in devices { try device.stopDaemon() }
            for device in devices { try device.startDaemon() }
            try pair.offer("With what was known")

            for device in devices { try device.stopDaemon() }
            for device in devices { device.forgetAddresses() }
            try pair.laptop.startDaemon()
            try pair.desktop.startDaemon(["--peer", invitation.address])
            try pair.offer("With what a person said")

            let beacons = try cable.traffic().datagrams.filter(\.isBeacon)
            #expect(!beacons.isEmpty)
            #expect(beacons.allSatisfy { $0.flow.isFromDevice })
        }
    }

    // Shows Y01: a setting that takes effect at once.
    @Test func beaconsAreSwitchedWhileTheDaemonRuns() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            let devices = [pair.laptop, pair.desktop]
            for device in devices { try device.stopDaemon() }
            for device in devices { device.forgetAddresses() }
            try pair.desktop.handoff("config", "set", "beacons", "false")
            for device in devices { try device.startDaemon() }
            let sockets = { try pair.desktop.output(of: "ss", "-Hlun", "sport = :47474") }
            #expect(try sockets() == [])
            let isSwitched = { (isOn: Bool) in
                try pair.desktop.handoff("config", "set", "beacons", "\(isOn)")
                try pair.desktop.daemon?.errors.next("the switch", within: .seconds(10)) {
                    $0.contains("on=\(isOn)") && $0.hasSuffix("Setting of beacons changed")
                }
            }
            try isSwitched(true)
            try pair.offer("Found by beacons", within: .seconds(3))
            #expect(try !sockets().isEmpty)
            try isSwitched(false)
            #expect(try sockets() == [])
            try pair.offer("Over the same session", within: .seconds(3))
        }
    }

    // Shows Q05: as with WireGuard, whose interfaces have no multicast. Peers behind it are redialled at once.
    @Test func aTunnelWithoutMulticastIsRedialledAtOnce() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage, .init(ipv6: false, multicast: false))
            for device in [pair.laptop, pair.desktop] {
                try device.run("ip", "link", "set", "eth0", "multicast", "off")
                try device.startDaemon(Pair.watched)
            }
            try pair.laptop.handoff("account", "create")
            let invitation = try pair.laptop.invite()
            let address = "\(try pair.network.address(of: "laptop")):47474"
            #expect(invitation.address == address)
            try pair.desktop.join(invitation.code, at: address)
            for device in [pair.laptop, pair.desktop] { try device.awaitSession(within: .seconds(10)) }
            // Without this the desktop would ask for that address each second. Packets into a tunnel are lost silently.
            let hardware = try pair.laptop.output(of: "cat", "/sys/class/net/eth0/address").first ?? ""
            try pair.desktop.run(
                "ip", "neigh", "replace", "10.77.0.1", "lladdr", hardware, "dev", "eth0", "nud", "permanent")
            let route = ["10.77.0.0/24", "dev", "eth0"]
            let losses = [(["link", "set", "eth0", "down"], ["link", "set", "eth0", "up"])]
            for (loss, end) in losses + [(["route", "del"] + route, ["route", "add"] + route)] {
                try pair.laptop.run(["ip"] + loss)
                for device in [pair.laptop, pair.desktop] {
                    try device.daemon?.errors.next("the end of the session", within: .seconds(30)) {
                        $0.hasSuffix("Session closed")
                    }
                }
                // The next pause is then longer still. It is long at once if the other device had dialled that session.
                var (lastTry, pause) = (ContinuousClock.now, Duration.zero)
                while pause < .seconds(6) {
                    try pair.laptop.daemon?.errors.next("a try", within: .seconds(90)) { $0.hasSuffix("Dial failed") }
                    pause = lastTry.duration(to: .now)
                    lastTry = .now
                }
                try pair.laptop.run(["ip"] + end)
                for device in [pair.desktop, pair.laptop] { try device.awaitSession(within: .seconds(1)) }
            }
        }
    }

    // Shows Q05: containers that start and stop cause no traffic.
    @Test func containersAreNotHeardOnTheNetwork() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            try pair.begin(with: [])
            try pair.offer("Before")
            let cable = try pair.network.capture("laptop", withStreams: false)
            for number in 1...15 {
                let script = """
                    ip link add br$0 type bridge && ip link add c$0 type veth peer name d$0 && ip link set c$0 master br$0 &&
                    ip addr add 172.18.$0.1/24 dev br$0 && ip link set c$0 up && ip link set d$0 up && ip link set br$0 up &&
                    sleep 0.1 && ip link del c$0 && ip link del br$0
                    """
                try pair.laptop.run("sh", "-c", script, "\(number)")
            }
            try pair.offer("After")
            let beacons = try cable.traffic().datagrams.filter { $0.isBeacon && $0.flow.isFromDevice }
            // The rest of the initial burst, over both address families.
            #expect(beacons.count <= 6)
        }
    }
}
