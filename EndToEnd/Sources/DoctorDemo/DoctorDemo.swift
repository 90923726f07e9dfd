// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices

/// Breaks five things on two devices, one after another, and shows how `handoff doctor` answers on the laptop.
@main struct DoctorDemo {
    private static let options = Network.Options(ipv6: false)
    private let timeline = Timeline()

    static func main() {
        Stage.playAsProgram(orSay: "The demo failed") { stage in
            if let missing = Network.missing { throw Unmet(missing) }
            try DoctorDemo().play(on: stage)
        }
    }

    private func play(on stage: Stage) throws {
        timeline.say("Two devices, laptop and desktop, on one network.")
        let pair = try Pair(offOn: stage, Self.options)
        let (laptop, desktop) = (pair.laptop, pair.desktop)
        try pair.begin(with: [])
        for device in [laptop, desktop] { try device.awaitSession(within: .seconds(10)) }
        // These devices have no desktop, which the doctor reports as well.
        let usual = try failures(on: laptop)

        timeline.heading("1. A firewall on the laptop drops beacons.")
        try laptop.filter("udp dport 47474 drop")
        try show(on: laptop, without: usual)
        try laptop.run("nft", "flush ruleset")

        timeline.heading("2. handoffd does not run on the desktop.")
        try desktop.killDaemon()
        try show(on: laptop, without: usual)
        try desktop.startDaemon()
        try desktop.awaitSession(within: .seconds(10))

        timeline.heading("3. The laptop offers nothing.")
        try laptop.handoff("policy", "off", "advertising")
        try show(on: laptop, without: usual)
        try laptop.handoff("policy", "on", "advertising")

        timeline.heading("4. The network isolates its devices from each other, as a guest Wi-Fi.")
        try pair.network.isolateDevices()
        for device in [laptop, desktop] {
            try device.stopDaemon()
            try device.startDaemon()
        }
        try show(on: laptop, without: usual)

        timeline.heading("5. Another program has the laptop's port, and the network is gone.")
        try laptop.stopDaemon()
        try laptop.holdPort()
        try laptop.startDaemon()
        try laptop.run("ip", "link", "set", "eth0", "down")
        try show(on: laptop, without: usual)
    }

    private func failures(on device: Device) throws -> [JSON] {
        try JSON(text: device.command(["doctor", "--json"]).output).elements.filter { $0["result"] == "failed" }
    }

    private func show(on device: Device, without usual: [JSON]) throws {
        timeline.note(device.name, "handoff doctor")
        for finding in try failures(on: device) where !usual.contains(finding) {
            timeline.detail("failed: \(finding["seen"]?.string ?? "")")
            if let advice = finding["advice"]?.string { timeline.detail("        \(advice)") }
        }
    }
}
