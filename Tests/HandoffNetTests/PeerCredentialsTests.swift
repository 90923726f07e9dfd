// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffSystem
import NIOCore
import TestPrograms
import Testing

@testable import HandoffNet

/// Shows T09: identifies the program at the other end of a socket, with real processes.
@Suite struct PeerCredentialsTests {
    private final class Door {
        let path: String
        private let listener: OwnedDescriptor

        init() throws {
            var template = Array("/tmp/handoff-XXXXXX".utf8CString)
            mkdtemp(&template)
            path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) + "/door"
            let listener = try OwnedDescriptor.socket(AF_UNIX, SOCK_STREAM)
            try listener.bind(to: try SocketAddress(unixDomainSocketPath: path))
            try listener.listen(backlog: 4)
            self.listener = listener
        }

        func accept(_ certainty: PeerCertainty = .here) throws -> PeerCredentials {
            let socket = Glibc.accept(listener.number, nil, nil)
            try #require(socket >= 0)
            defer { close(socket) }
            return try #require(PeerCredentials(socket: socket, certainty: certainty))
        }

        deinit { try? FileManager.default.removeItem(atPath: String(path.dropLast("/door".count))) }
    }

    /// A program that connects, and then runs `then` in Perl, which every Debian has.
    private func run(_ then: String, at path: String, as executable: String = "/usr/bin/perl") async throws -> Program {
        let program = try Program(
            [
                executable, "-MSocket", "-e",
                """
                socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un($ARGV[0])) or die;
                $| = 1; print "connected"; \(then)
                """, path,
            ], environment: [:], takesInput: true)
        try await program.hear("connected")
        return program
    }

    @Test func programThatConnectedIsKnownByItsFile() async throws {
        let door = try Door()
        let program = try await run("<STDIN>;", at: door.path)
        defer { program.send(SIGTERM) }
        let credentials = try door.accept()
        #expect(credentials.processID == program.id)
        #expect(credentials.userID == getuid())
        let file = try #require(FileNumbers(of: "/usr/bin/perl"))
        #expect(credentials.program?.inode == file.inode)
        #expect(credentials.program?.device == file.device)
    }

    /// Including the interfaces of old kernels.
    @Test(arguments: [PeerCertainty.held, .opened, .number])
    func programIsKnownHoweverTheKernelTellsOfIt(_ certainty: PeerCertainty) async throws {
        let door = try Door()
        let program = try await run("<STDIN>;", at: door.path)
        defer { program.send(SIGTERM) }
        #expect(try door.accept(certainty).program?.path.hasPrefix("/usr/bin/perl") == true)
    }

    @Test(arguments: [PeerCertainty.held, .opened, .number])
    func processThatEndedBeforeAcceptanceIsUnknown(_ certainty: PeerCertainty) async throws {
        let door = try Door()
        let program = try await run("", at: door.path)
        #expect(await program.end() == 0)
        #expect(try door.accept(certainty).program == nil)
    }

    /// An unreachable mount would block the daemon's loop.
    @Test(.enabled(if: SilentFileSystem.isPossible), arguments: [PeerCertainty.held, .opened, .number])
    func programFromADeadMountIsKnown(_ certainty: PeerCertainty) async throws {
        let mount = try SilentFileSystem(serving: "/usr/bin/perl")
        let door = try Door()
        let program = try await run("<STDIN>;", at: door.path, as: mount.program)
        defer { program.send(SIGKILL) }
        let file = try #require(FileNumbers(of: mount.program))
        mount.fallSilent()
        let known = try door.accept(certainty).program
        #expect(known == RunningProgram(path: mount.program, device: file.device, inode: file.inode))
        // Verifies that the mount really does not answer.
        DetachedThread.start { [path = mount.program] in _ = access(path, F_OK) }
        #expect(await mount.wasAskedInVain())
    }

    @Test func programWhoseFileWasReplacedIsNotTheNewFile() async throws {
        let door = try Door()
        let copy = String(door.path.dropLast("/door".count)) + "/program"
        try FileManager.default.copyItem(atPath: "/usr/bin/perl", toPath: copy)
        let program = try await run("<STDIN>;", at: door.path, as: copy)
        defer { program.send(SIGTERM) }
        try FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: "/usr/bin/perl", toPath: copy)
        let file = try #require(FileNumbers(of: copy))
        let credentials = try door.accept()
        #expect(credentials.program != nil)
        #expect(credentials.program?.inode != file.inode)
    }
}

extension RunningProgram {
    static var thisProcess: RunningProgram {
        get throws {
            let file = try #require(FileNumbers(of: "/proc/self/exe"))
            return RunningProgram(
                path: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
                device: file.device, inode: file.inode)
        }
    }
}
