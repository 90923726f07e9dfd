// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HandoffSystem
import TestPrograms
import Testing

/// The daemon as started by a service manager: the real program, the real `systemd-socket-activate`, and a socket that
/// receives the notifications.
// Shows L04.
@Suite struct ServiceTests {
    /// `systemd-socket-activate` closes all inherited files, including the one with which `Process` detects its end. So
    /// a shell in between forwards the signal, and ends with its exit code.
    private static let activator = [
        "/bin/sh", "-c",
        "\"$@\" & trap 'kill $!' TERM; wait $!; code=$?; while kill -0 $! 2>/dev/null; do wait $!; code=$?; done; exit $code",
        "sh", "/usr/bin/systemd-socket-activate",
    ]
    private static let hasActivator = FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-socket-activate")

    private let home: Place

    init() throws { home = try Place() }

    private final class Place {
        let root: String

        init() throws {
            // Short, because a socket's path is limited.
            var template = Array("/tmp/handoff-unit-XXXXXX".utf8CString)
            guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
            root = String(cString: made)
            try FileManager.default.createDirectory(
                atPath: root + "/run", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }

        deinit { try? FileManager.default.removeItem(atPath: root) }

        var socket: String { root + "/run/daemon.sock" }

        func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

        func daemon(_ before: [String] = [], _ environment: [String: String] = [:]) throws -> Program {
            try Program(
                before + [
                    Program.built + "/handoffd", "--root", root, "--beacons", "false", "--listen", "127.0.0.1:0",
                ], environment: environment)
        }

        func handoff(_ arguments: String...) async throws -> String {
            let command = try Program(
                [Program.built + "/handoff"] + arguments, environment: ["HANDOFF_ROOT": root, "TZ": "UTC"])
            guard await command.end() == 0 else { throw CocoaError(.executableLoad) }
            return command.output
        }
    }

    private func manager() async throws -> ServiceManagerSocket {
        try await ServiceManagerSocket(home.root + "/notify")
    }

    @Test func itSaysWhenItIsReadyAndWhenItStops() async throws {
        let manager = try await manager()
        let daemon = try home.daemon([], ["NOTIFY_SOCKET": manager.path])
        try await manager.program.hear("READY=1")
        // Ready means that its socket answers.
        #expect(try await home.handoff("status").hasPrefix("device"))
        daemon.send(SIGTERM)
        try await manager.program.hear("STOPPING=1")
        #expect(await daemon.end() == 0)
        #expect(manager.program.output == "listening\nREADY=1\nSTOPPING=1\n")
    }

    @Test func itSaysThatItLivesTwiceInTheTimeOfTheWatchdog() async throws {
        let manager = try await manager()
        // A shell keeps its process number when it becomes the daemon, and the watchdog applies to that number.
        let daemon = try home.daemon(
            ["/bin/sh", "-c", "WATCHDOG_PID=$$ exec \"$0\" \"$@\""],
            ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "200000"])
        try await manager.program.hear("READY=1")
        for _ in 0..<3 { try await manager.program.hear("WATCHDOG=1") }
        daemon.send(SIGTERM)
        #expect(await daemon.end() == 0)
    }

    @Test func daemonWorksWithoutTheServiceManager() async throws {
        let daemon = try home.daemon([], ["NOTIFY_SOCKET": home.root + "/nobody"])
        try await daemon.warn("The service manager could not be notified")
        #expect(try await home.handoff("status").hasPrefix("device"))
        daemon.send(SIGTERM)
        #expect(await daemon.end() == 0)
    }

    @Test(.enabled(if: Self.hasActivator, "systemd is not installed"))
    func theFirstProgramThatAsksStartsItAndTheSocketStays() async throws {
        let daemon = try home.daemon(Self.activator + ["--listen", home.socket])
        try await daemon.warn("Listening on")
        #expect(!daemon.errors.contains("Ready"))
        // No daemon runs yet: the request waits in the socket until the daemon has started.
        #expect(try await home.handoff("account", "create").contains("recovery"))
        #expect(daemon.errors.contains("Ready"))
        daemon.send(SIGTERM)
        #expect(await daemon.end() == 0)
        #expect(home.isThere(home.socket))
        #expect(!home.isThere(home.root + "/run/files.sock"))
    }

    @Test(.enabled(if: Self.hasActivator, "systemd is not installed"))
    func aSocketThatIsRemovedUnderTheServiceManagerIsMadeAgain() async throws {
        let daemon = try home.daemon(Self.activator + ["--listen", home.socket])
        try await daemon.warn("Listening on")
        #expect(try await home.handoff("status").hasPrefix("device"))
        #expect(unlink(home.socket) == 0)
        try await daemon.warn("Created the socket again")
        #expect(try await home.handoff("status").hasPrefix("device"))
        daemon.send(SIGTERM)
        #expect(await daemon.end() == 0)
    }

    @Test(.enabled(if: Self.hasActivator, "systemd is not installed"))
    func aSocketAtAnotherPlaceIsRefused() async throws {
        let elsewhere = home.root + "/elsewhere.sock"
        let daemon = try home.daemon(Self.activator + ["--listen", elsewhere])
        try await daemon.warn("Listening on")
        _ = try? await connect(to: elsewhere)
        #expect(await daemon.end() == 1)
        let words =
            "handoffd: the socket that the service manager passed listens at \(elsewhere); "
            + "it should listen at \(home.socket)"
        #expect(daemon.errors.contains(words), "\(daemon.errors)")
        #expect(home.isThere(elsewhere))
    }

    @Test(.enabled(if: Self.hasActivator, "systemd is not installed"))
    func twoSocketsAreRefused() async throws {
        let elsewhere = home.root + "/elsewhere.sock"
        let daemon = try home.daemon(
            Self.activator + ["--fdname", "clients:more", "--listen", home.socket, "--listen", elsewhere])
        try await daemon.warn("Listening on \(elsewhere)")
        _ = try? await connect(to: elsewhere)
        #expect(await daemon.end() == 1)
        #expect(daemon.errors.contains("passed 2 sockets (clients, more)"), "\(daemon.errors)")
    }

    @Test(.enabled(if: Self.hasActivator, "systemd is not installed"))
    func manuallyStartedDaemonKeepsTheServiceManagersSocket() async throws {
        let service = try home.daemon(Self.activator + ["--listen", home.socket])
        try await service.warn("Listening on")
        let byHand = try home.daemon()
        #expect(await byHand.end() == 1)
        #expect(
            byHand.errors.contains(
                "the service manager listens at \(home.socket) for handoffd: start it with systemctl"),
            "\(byHand.errors)")
        #expect(!service.errors.contains("Ready"))
        #expect(try await home.handoff("status").hasPrefix("device"))
        service.send(SIGTERM)
        #expect(await service.end() == 0)
    }

    @Test func theSecondDaemonExitsAndNamesTheFirst() async throws {
        let first = try home.daemon()
        try await first.warn("Ready")
        let second = try home.daemon()
        #expect(await second.end() == 1)
        #expect(
            second.errors.contains("another handoffd (process ") && second.errors.contains(" is already running here"),
            "\(second.errors)")
        first.send(SIGTERM)
        #expect(await first.end() == 0)
    }

    /// The connection wakes the listening program.
    private func connect(to path: String) async throws {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let address = try #require(sockaddr_un(path: path))
        let result = address.withSocketAddress { Glibc.connect(handle.fileDescriptor, $0, $1) }
        #expect(result == 0)
    }
}
