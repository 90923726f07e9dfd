// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// The policy of a machine's administrator, with a real daemon and command line of its user. Shows P02.
@Suite(.serialized, .needsNamespaces) struct AdministratorTests {
    // Shows P02, P01: it applies from its writing until its removal, over a restart, independent of the user's settings.
    @Test func administratorSwitchesHoldUntilTheFileIsRemoved() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            let administrator = try Administrator(of: "laptop", on: pair.network, stage: stage)
            try pair.begin(with: [])
            try pair.offer("Shopping")
            let watch = try pair.desktop.watchActivities()
            try watch.output.next("the laptop's activity") { $0.contains("Shopping") }

            try administrator.rule(#"{"advertising": false}"#)
            try watch.output.next("the activity to go", within: .seconds(2)) { !$0.contains("Shopping") }
            try expectRuling(on: pair.laptop)
            // This fails also for one app, and for settings that the policy leaves open.
            for words in [["advertising"], ["both"], [], ["advertising", "--app", "com.example.notes"]] {
                let refused = try pair.laptop.command(["policy", "on"] + words)
                #expect(refused.code == 1)
                #expect(refused.errors == Self.refusal)
            }
            let refused = try pair.laptop.command(["policy", "on", "advertising", "--json"])
            let error = try #require(try JSON(text: refused.output)["error"])
            #expect(error["code"]?.string == "notAllowed")
            #expect(error["reason"]?.string == Self.reason)
            // The user may still switch it off.
            try pair.laptop.handoff("policy", "off", "receiving")
            #expect(try pair.laptop.command(["policy", "on"]).errors == Self.refusal)
            try expectRuling(on: pair.laptop)
            let script = try pair.laptop.command(["activity", "publish", "--type", "com.example.notes.editing"])
            #expect(script.code == 1 && script.errors.contains(Self.ruling), "\(script.errors)")

            try pair.laptop.killDaemon()
            try pair.laptop.startDaemon()
            try expectRuling(on: pair.laptop)
            #expect(try pair.laptop.command(["policy", "on"]).errors == Self.refusal)

            try administrator.rule(nil)
            try pair.laptop.daemon?.errors.next("the ruling to be lifted", within: .seconds(2)) {
                $0.hasSuffix("Administrator's policy changed")
            }
            #expect(try pair.laptop.json("status")["policy"]?["off"] == .array([]))
            #expect(try pair.laptop.handoff("policy", "on") == "advertising and receiving are on")
            try pair.offer("Again")
        }
    }

    // Shows P02: a mistyped policy is not treated as absent.
    @Test func aFileThatCannotBeUnderstoodSwitchesEverythingOffAndIsNamed() throws {
        try Stage.play { stage in
            let network = try Network(on: stage)
            let laptop = try Device("laptop", on: stage, network: network)
            let administrator = try Administrator(of: "laptop", on: network, stage: stage)
            try administrator.rule(#"{"advertizing": false}"#)
            try laptop.startDaemon()
            let policy = try #require(try laptop.json("status")["policy"])
            let deciders = policy["off"]?.elements.compactMap { $0["by"]?.string }
            #expect(deciders == ["administrator", "administrator", "administrator"])
            let problem = try #require(policy["problem"]?.string)
            #expect(problem.contains("/etc/handoff/policy.json") && problem.contains("advertizing"), "\(problem)")
            #expect(try laptop.handoff("status").contains("warning     \(problem)"))
            #expect(try laptop.command(["policy", "on"]).code == 1)
        }
    }

    private static let ruling = "advertising is switched off on this device by its administrator"
    private static let reason = "\(ruling), so it cannot be switched on"
    private static let refusal = "handoff: \(reason)"

    /// As `status` reports it.
    private func expectRuling(on device: Device, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let off = try #require(try device.json("status")["policy"]?["off"]?.elements, sourceLocation: sourceLocation)
        #expect(
            off == [.object(["direction": .string("advertising"), "by": .string("administrator")])],
            sourceLocation: sourceLocation)
        let lines = try device.handoff("status").split(separator: "\n")
        #expect(lines.contains("policy      advertising off, by the administrator"), sourceLocation: sourceLocation)
    }
}

/// Writes a device's /etc/handoff.
struct Administrator {
    private let folder: URL

    /// Call before any program is started on the device.
    init(of device: String, on network: Network, stage: Stage) throws {
        folder = try network.folder("handoff", inSettingsOf: device)
    }

    /// Nil removes the policy.
    func rule(_ policy: String?) throws {
        let file = folder.appending(path: "policy.json")
        guard let policy else { return try FileManager.default.removeItem(at: file) }
        try Data(policy.utf8).write(to: file, options: .atomic)
    }
}
