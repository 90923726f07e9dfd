// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import HandoffCore
import HandoffWire
import TestBuses
import Testing

@testable import HandoffAdapters

/// Signals as Dolphin sends them, on a real bus. Shows M05.
@Suite(.timeLimit(.minutes(1))) struct DolphinTests {
    private static let program = "org.kde.dolphin"

    private final class Desk {
        let handoff: BusHandoff
        let home: String
        private let offers: ProgramOffers
        private let finder: DolphinPrograms
        private let adapter: Guest
        private let dolphin: Guest

        init(on fixture: isolated BusFixture, at address: String, folders: Int) async throws {
            home = NSTemporaryDirectory() + "handoff-dolphin-\(UUID().uuidString)"
            for folder in 0..<folders {
                try FileManager.default.createDirectory(
                    atPath: "\(home)/\(folder)", withIntermediateDirectories: true)
            }
            handoff = try await BusHandoff(on: fixture, at: address, programs: ["system:\(program)"])
            adapter = try await fixture.connect(to: address)
            dolphin = try await fixture.connect(to: address)
            let files = HomeFile(environment: ["HOME": home])
            offers = ProgramOffers(home: files, to: address, on: fixture.loop)
            offers.switchedOn([try BundleID(systemProgram: program)])
            let following = try FollowTools.of(adapter, on: fixture, home: files)
            finder = try DolphinPrograms(
                FinderTools(
                    programs: [try #require(KnownProgram.of(entry: program))], offers: offers, following: following
                ) { _, _ in "dolphin" })
            // Then the bus knows which signals it wants.
            _ = await adapter.call(.bus("GetId", []), isolation: fixture)
            await dolphin.becomesKnown(to: adapter, isolation: fixture)
        }

        deinit { try? FileManager.default.removeItem(atPath: home) }

        func tell(_ member: String, _ url: String) {
            dolphin.connection?.emit("/", "org.kde.KDirNotify", member, [.string(url)])
        }

        func enter(_ folder: Int) { tell("enteredDirectory", "file://\(home)/\(folder)") }
        func leave(_ folder: Int) { tell("leftDirectory", "file://\(home)/\(folder)") }
    }

    @Test func folderThatWasEnteredLastIsOffered() async throws {
        try await withPrivateBus { fixture, bus in
            let desk = try await Desk(on: fixture, at: bus.address, folders: 2)
            desk.tell("enteredDirectory", "tags:/")
            desk.enter(0)
            try await desk.handoff.wait(isolation: fixture) { $0 == ["0"] }
            desk.enter(1)
            try await desk.handoff.wait(isolation: fixture) { $0 == ["0", "1"] }
            desk.leave(1)
            try await desk.handoff.wait(isolation: fixture) { $0 == ["0", "1", "0"] }
            desk.leave(0)
            try await desk.handoff.wait(isolation: fixture) { $0.last == "-" }
        }
    }

    @Test func lastFolderOfABurstIsOffered() async throws {
        try await withPrivateBus { fixture, bus in
            let count = AnnouncedInstances<FollowedDolphin>.maximumWaiting + 4
            let desk = try await Desk(on: fixture, at: bus.address, folders: count)
            for folder in 0..<count { desk.enter(folder) }
            try await desk.handoff.wait(isolation: fixture) { $0.last == "\(count - 1)" }
        }
    }

    @Test func oldestFoldersAreForgotten() async throws {
        try await withPrivateBus { fixture, bus in
            let count = FollowedDolphin.maximumFolders + 1
            let desk = try await Desk(on: fixture, at: bus.address, folders: count)
            desk.enter(0)
            try await desk.handoff.wait(isolation: fixture) { $0 == ["0"] }
            for folder in 1..<count { desk.enter(folder) }
            try await desk.handoff.wait(isolation: fixture) { $0.last == "\(count - 1)" }
            // The first is still open, but forgotten.
            for folder in 1..<count { desk.leave(folder) }
            try await desk.handoff.wait(isolation: fixture) { $0.last == "-" }
        }
    }
}
