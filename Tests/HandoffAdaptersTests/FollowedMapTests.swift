// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import TestBuses
import TestPrograms
import Testing

@testable import HandoffAdapters

struct FollowedMapTests {
    // Shows M05.
    @Test func storedPointIsReadWithSixDecimals() throws {
        let point = try #require(FollowedMap.point(in: "[48.100000000000001, -11.500000499]\n"))
        #expect(point.url == "geo:48.100000,-11.500000")
        #expect(point.title == "48.100000, -11.500000")
        let south = try #require(MapPoint(latitude: -0.0000014, longitude: 180))
        #expect(south.url == "geo:-0.000001,180.000000")
    }

    @Test(arguments: [
        "[0.0, 0.0]", "[nan, 1.0]", "[inf, 1.0]", "[90.1, 0.0]", "[1.0, -180.5]", "[1.0]", "[1.0, 2.0, 3.0]", "",
        "@ad []",
        "No such schema “org.gnome.Maps”",
    ])
    func malformedAnswerHasNoPoint(answer: String) {
        #expect(FollowedMap.point(in: answer) == nil)
    }

    /// Any program of the user can send the signal, and each look starts a program.
    @Test(.timeLimit(.minutes(1))) func signalsOfAFloodCauseFewLooks() async throws {
        let folder = URL(filePath: NSTemporaryDirectory() + "handoff-map-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (program, looks) = (folder.appending(path: "gsettings"), folder.appending(path: "looks"))
        try Program.write("#!/bin/sh\necho >>'\(looks.path)'\necho '[1.5, 2.5]'\n", to: program.path)
        try await withPrivateBus { fixture, bus in
            let (adapter, sender) = (
                try await fixture.connect(to: bus.address), try await fixture.connect(to: bus.address)
            )
            let tools = try FollowTools.of(adapter, on: fixture, environment: ["PATH": "\(folder.path):/usr/bin:/bin"])
            let start = ContinuousClock.now
            let map = try FollowedMap(tools)
            var shown = 0
            map.changed = { _, _ in
                shown += 1
                adapter.hears(BusMessage(member: "shown"))
            }
            for _ in 0..<500 {
                sender.connection?.emit(
                    "/ca/desrt/dconf/Writer/user", "ca.desrt.dconf.Writer", "Notify",
                    [.string("/org/gnome/maps/zoom-level"), .strings([""]), .string("")])
            }
            try await adapter.wait(isolation: fixture) { _ in shown >= 2 }
            let periods = start.duration(to: .now) / FollowedMap.spacing
            let count = try String(contentsOf: looks, encoding: .utf8).count
            #expect(count >= 2 && Double(count) <= periods + 1)
        }
    }

    // Shows M05.
    @Test func pointOfAnotherDeviceIsChecked() throws {
        func state(_ latitude: BusValue, _ longitude: BusValue) throws -> ProgramState {
            try ProgramState(["user-info": .properties(["latitude": latitude, "longitude": longitude])])
        }
        let point = try #require(MapPoint(latitude: 52.52, longitude: 13.405))
        let read = try state(.double(52.52), .double(13.405))
        #expect(read == ProgramState(source: .point(point)))
        #expect(try ProgramState(["user-info": read.userInfo]) == read)
        for (latitude, longitude) in [
            (BusValue.double(.nan), BusValue.double(1)), (.double(1), .double(.infinity)), (.double(91), .double(1)),
            (.double(1), .double(-181)), (.string("1"), .string("2")), (.int64(1), .int64(2)),
        ] {
            #expect(throws: BusFailure.self) { try state(latitude, longitude) }
        }
    }
}
