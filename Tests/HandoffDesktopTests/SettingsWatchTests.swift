// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import HandoffCore
import HandoffSystem
import HandoffWire
import TestBuses
import TestPrograms
import Testing

@testable import HandoffDesktop

/// Changes of config.json while the desktop program runs, on a real loop and a real disk.
// Shows L01.
@Suite(.timeLimit(.minutes(1))) struct SettingsWatchTests {
    private let folder: UserFolder

    init() throws { folder = try UserFolder() }

    private func play(
        _ body: (BusFixture, UserFolder) async throws -> Void
    ) async throws {
        let fixture = try BusFixture()
        try await body(fixture, folder)
        await fixture.stop()
    }

    @Test func replacedFileTakesEffectImmediately() async throws {
        try await play { fixture, folder in
            try folder.set("")
            try await fixture.follows(folder, levels: [.off, .quiet, .always]) { try folder.set($0) }
        }
    }

    /// For users who keep their settings in another folder, in which an editor saves the file.
    @Test func fileBehindALinkTakesEffectImmediately() async throws {
        let dotfiles = folder.path + "/dotfiles"
        try FileManager.default.createDirectory(atPath: dotfiles, withIntermediateDirectories: true)
        try Data("{}".utf8).write(to: URL(filePath: dotfiles + "/handoff.json"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/config/config.json", withDestinationPath: "../dotfiles/handoff.json")
        try await play { fixture, folder in
            try await fixture.follows(folder, levels: [.off, .quiet, .always]) {
                try "{\($0)}".write(toFile: dotfiles + "/handoff.json", atomically: true, encoding: .utf8)
            }
        }
    }

    /// Simulates that other programs use all inotify instances.
    @Test func unwatchableFileIsReadPeriodically() async throws {
        try await play { fixture, folder in
            try folder.set("")
            let looks = Lock(0)
            try await fixture.follows(folder, levels: [.off, .quiet, .always], lookAgain: .milliseconds(5)) {
                let look = looks.withLock { count in
                    count += 1
                    return count
                }
                return FileWatch(look < 4 ? "/etc/passwd/none" : $0)
            } change: {
                try folder.set($0)
            }
        }
    }

    private static let unwatched = [
        "/usr/bin/unshare", "--user", "--map-root-user", "/bin/sh", "-c",
        "echo 0 >/proc/sys/user/max_inotify_instances && exec \"$@\"", "sh",
    ]
    private static var mayNameSpaces: Bool {
        get async {
            guard let shell = try? Program(unwatched + ["/usr/bin/true"], environment: [:]) else { return false }
            return await shell.end() == 0
        }
    }

    /// Real programs without inotify watches.
    @Test(.enabled("there are no user namespaces here") { await Self.mayNameSpaces })
    func programsThatTheSystemTellsNothingSaySo() async throws {
        let root = folder.path
        let bus = try await PrivateBus()
        let desktop = try Program(
            Self.unwatched + [Program.built + "/handoff-bus", "--root", root],
            environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        try await desktop.warn("handoff-bus: changes of \(root)/config/config.json cannot be watched")
        let daemon = try Program(
            Self.unwatched + [
                Program.built + "/handoffd", "--root", root, "--listen", "127.0.0.1:0", "--beacons", "false",
            ], environment: [:])
        try await daemon.warn("Changes to the administrator's policy cannot be watched")
        for program in [desktop, daemon] {
            #expect(program.isRunning)
            program.send(SIGKILL)
            _ = await program.wait { !$0.isRunning }
        }
    }
}

extension BusFixture {
    /// Sets each level with `change`, which gets the line, after the previous one was reported.
    fileprivate func follows(
        _ folder: UserFolder, levels: [NotificationLevel], lookAgain: Duration = .seconds(3600),
        makeWatch: @escaping @Sendable (String) -> FileWatch = { FileWatch($0) },
        change: @Sendable (String) throws -> Void
    ) async throws {
        let (told, tell) = AsyncStream.makeStream(of: NotificationLevel.self)
        let watch = SettingsWatch(
            Locations(root: folder.path), lookAgain: lookAgain, makeWatch: makeWatch, on: loop)
        watch.onChange { tell.yield($0.notifications.level) }
        #expect(watch.settings.notifications.level == .standard)
        for level in levels {
            try change("\"notifications\": \"\(level.rawValue)\"")
            for await now in told where now == level { break }
        }
        #expect(watch.settings.notifications.level == levels.last)
    }
}
