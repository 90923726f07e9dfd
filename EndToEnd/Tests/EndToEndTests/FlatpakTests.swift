// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// A real Flatpak app whose only permission is the bus name for taking part, between two devices of an ordinary user.
// Shows L16.
@Suite(.serialized, .enabled(if: Flatpak.missing == nil, "\(Flatpak.missing ?? "")")) struct FlatpakTests {
    private static let user: UInt32 = 65534

    private func device(_ name: String, from repository: URL, on stage: Stage) throws -> (Device, Flatpak) {
        let device = try Device(name, on: stage, user: Self.user)
        let flatpak = try Flatpak(on: device, from: repository, user: Self.user, of: stage)
        try device.startDaemon(["--listen", "127.0.0.1:0", "--beacons", "false"])
        _ = try device.startBus()
        for name in ["org.handoff.Handoff1", "org.handoff.Participant1"] {
            try device.run("gdbus", "wait", "--session", "--timeout", "20", name)
        }
        return (device, flatpak)
    }

    @Test func appRegistersPublishesAndIsContinuedWithItsDocument() throws {
        try Stage.play { stage in
            let repository = try Flatpak.makeRepository(in: stage.folder)
            let (laptop, here) = try device("laptop", from: repository, on: stage)
            let (desktop, there) = try device("desktop", from: repository, on: stage)
            try laptop.handoff("account", "create")
            let invitation = try laptop.invite()
            try desktop.join(invitation.code, at: invitation.address)
            let watch = try desktop.watchActivities()
            let app = try here.run()
            #expect(try app.output.next(starting: "registered").contains("'receives': True"))
            try app.say("write Shopping: milk and bread")
            let list = try watch.output.next("the note") { $0.contains("Shopping") }
            let offer = try #require(try JSON(text: list).elements.first)
            #expect(offer["app"]?.string == Flatpak.app)
            #expect(offer["target"]?["app"]?.string == Flatpak.app)

            // The daemon starts the other device's Flatpak by its exported entry.
            let log = try there.log()
            try desktop.handoff("activity", "continue", try #require(offer["activity"]?.string))
            try app.output.next("that it was continued") { $0 == "went to desktop" }
            try log.next("the name of the origin") { $0 == "coming from laptop" }
            try log.next("the note") { $0 == "continued Shopping" }
            // A path of the documents portal, in the sandbox.
            let document = try log.next(starting: "document")
            #expect(document.hasPrefix("document /run/user/65534/doc/"), "\(document)")
            #expect(document.hasSuffix("/Shopping.txt milk and bread"), "\(document)")
            // The app has written to it.
            let received = desktop.root.appending(path: "received")
            let files = FileManager.default.enumerator(at: received, includingPropertiesForKeys: nil)?.compactMap {
                $0 as? URL
            }
            let copy = try #require(files?.first { $0.lastPathComponent == "Shopping.txt" })
            #expect(try String(contentsOf: copy, encoding: .utf8) == "milk and bread!")
        }
    }

    @Test func sandboxMayOnlyTakePartAndAsNoOtherApp() throws {
        try Stage.play { stage in
            let (_, here) = try device("laptop", from: try Flatpak.makeRepository(in: stage.folder), on: stage)
            let options = ["--talk-name=org.handoff.Handoff1", "--own-name=\(Flatpak.app)"]
            let curious = try here.run(Flatpak.other, options, claim: Flatpak.app)
            try curious.output.next("the other app's name") { $0 == "owns 1" }
            let refused = try curious.output.next("a refusal") { $0.hasPrefix("no registered") }
            #expect(refused.contains("this program runs in the Flatpak \(Flatpak.other)"), "\(refused)")
            try curious.say("claim \(Flatpak.other)")
            #expect(try curious.output.next(starting: "registered").contains("'receives': True"))
            let plain = try here.run()
            for verb in ["list", "continue", "send"] {
                // Its sandbox hides the name.
                try plain.say(verb)
                try plain.output.next("a refusal") { $0.hasPrefix("no ") && $0.contains("ServiceUnknown") }
                // A user may give it the name, but handoff-bus refuses it.
                try curious.say(verb)
                try curious.output.next("a refusal") { $0.hasPrefix("no ") && $0.contains("AccessDenied") }
            }
        }
    }
}
