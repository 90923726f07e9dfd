// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Networks that change, and networks that do less than they should.
@Suite(.serialized, .needsNamespaces) struct RoamingTests {
    // Shows Y01: whoever is started first, and with nothing known but the account.
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
    @Test func aCableGoesOutAndComesBack() throws {
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

    // Shows Y04: the address of the invite, one that worked before, and one that a person gave.
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
}
