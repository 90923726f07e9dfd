// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// This version and another one as two devices: `make test-versions`. Shows Y07.
@Suite(.serialized, .needsNamespaces) struct VersionTests {
    /// The folder of an older release's programs.
    private static let older = folder(in: "HANDOFF_OLDER")
    /// The folder of programs that speak only another version of the protocol between devices.
    private static let apart = folder(in: "HANDOFF_APART")

    private static func folder(in variable: String) -> URL? {
        ProcessInfo.processInfo.environment[variable].map { URL(filePath: $0, directoryHint: .isDirectory) }
    }

    private func pair(on stage: Stage, _ programs: URL?, isLaptopOther: Bool) throws -> Pair {
        let pair = try Pair(offOn: stage, .init(ipv6: false))
        (isLaptopOther ? pair.laptop : pair.desktop).programs = try #require(programs)
        for device in [pair.laptop, pair.desktop] { try device.startDaemon() }
        try pair.laptop.found(with: [pair.desktop])
        return pair
    }

    private func id(of title: String, on device: Device) throws -> String {
        let offers = try device.json("activity", "list").elements
        return try #require(offers.first { $0["title"]?.string == title }?["activity"]?.string)
    }

    /// `isAppNew`: on the older device, an app of this version, which the user has updated before Handoff.
    @Test(.enabled(if: older != nil, "make test-versions"), arguments: [true, false], [true, false])
    func olderReleaseContinuesInBothDirections(isLaptopOlder: Bool, isAppNew: Bool) throws {
        try Stage.play { stage in
            let pair = try pair(on: stage, Self.older, isLaptopOther: isLaptopOlder)
            for device in [pair.laptop, pair.desktop] {
                try device.install(isAppNew ? .monkeyBrowser : .monkeyBrowser(beside: device.programs))
            }
            let browser = try pair.browse()
            let log = try pair.desktop.log(of: .monkeyBrowser)
            let page = try id(of: Pair.title, on: pair.desktop)
            try pair.desktop.handoff("activity", "continue", page)
            #expect(try log.next(starting: "continued tab=1") == "continued tab=1 url=\(Pair.page)")
            try browser.output.next(starting: "was-continued tab=1")

            try pair.laptop.handoff("activity", "send", page, "--to", "desktop")
            try browser.say("quit")
            let watch = try pair.desktop.watchActivities()
            let left = try watch.output.next("only what was sent") {
                $0.contains(#""sent":true"#) && !$0.contains(#""sent":false"#)
            }
            let sent = try #require(try JSON(text: left).elements.first?["activity"]?.string)
            try pair.desktop.handoff("activity", "continue", sent)
            try log.next(starting: "continued")
        }
    }

    @Test(.enabled(if: older != nil, "make test-versions"), arguments: [true, false])
    func olderReleaseCarriesStatesAndStreamsAndManagesDevices(isLaptopOlder: Bool) throws {
        try Stage.play { stage in
            let pair = try pair(on: stage, Self.older, isLaptopOther: isLaptopOlder)
            let (laptop, desktop) = (pair.laptop, pair.desktop)
            try pair.offer("Shopping list", state: #"{"items":["milk"]}"#)
            if !isLaptopOlder {
                let why = try laptop.command(["doctor", "--why", "desktop", "com.example.notes.editing"])
                #expect(why.output.contains("desktop has an older version of Handoff"), "\(why.output)")
            }
            let outcome = try desktop.json("activity", "continue", id(of: "Shopping list", on: desktop))
            #expect(outcome["activity"]?["userInfo"]?["items"]?.elements.first?.string == "milk", "\(outcome)")

            let original = try pair.file("original", of: 5_000_000, on: stage)
            _ = try laptop.stream(original.path, as: "Large", to: desktop)
            let copy = stage.folder.appending(path: "copy")
            let large = try id(of: "Large", on: desktop)
            try desktop.handoff("activity", "continue", large, "--stream-to", copy.path, within: .seconds(60))
            let isSame = FileManager.default.contentsEqual(atPath: original.path, andPath: copy.path)
            #expect(isSame)

            try desktop.handoff("device", "rename", "laptop", "notebook")
            let watch = try laptop.start("device", "list", "--json")
            try watch.output.next("the new name", within: .seconds(5)) { $0.contains("notebook") }
            try laptop.handoff("device", "remove", "desktop", "--yes")
            try desktop.daemon?.errors.next("the removal") { $0.hasSuffix("Session closed") }
            #expect(try desktop.json("status")["account"]?.string == nil)
        }
    }

    @Test(.enabled(if: apart != nil, "make test-versions"), arguments: [true, false])
    func versionsThatDoNotMeetAreNamedOnBothDevices(isLaptopNewer: Bool) throws {
        try Stage.play { stage in
            let pair = try pair(on: stage, Self.apart, isLaptopOther: isLaptopNewer)
            for (device, other) in [(pair.laptop, pair.desktop), (pair.desktop, pair.laptop)] {
                try device.daemon?.errors.next("the versions") { $0.contains("Protocol versions are incompatible") }
                let isNewer = (device === pair.laptop) == isLaptopNewer
                let advice = "update Handoff on \(isNewer ? "the other" : "this") device"
                let known = try device.json("device", "list").elements.first { $0["name"]?.string == other.name }
                let problem = known?["problem"]?.string ?? ""
                #expect(problem.hasSuffix(advice), "\(problem)")
                let examined = try device.command(["doctor"]).output
                #expect(examined.contains(advice), "\(examined)")
            }
        }
    }
}
