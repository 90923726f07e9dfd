// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffSystem
import HandoffWire
import Logging
import TestPrograms
import Testing

@testable import HandoffHost

/// A real socket and real descriptors. Shows X08.
@Suite struct DescriptorListenerTests {
    private let folder = TemporaryDirectory()
    private let listener: DescriptorListener

    init() throws {
        listener = try Self.listener(in: folder)
        try folder.file("letter", "Dear Anna,")
    }

    private static func listener(in folder: TemporaryDirectory, userID: UInt32 = getuid()) throws -> DescriptorListener
    {
        try DescriptorListener(
            path: folder.path("files.sock"), userID: userID,
            log: Logger(label: "descriptors") { _ in SwiftLogNoOpLogHandler() })
    }

    private static func token() -> FileToken {
        var random = SystemRandomNumberGenerator()
        return .random(using: &random)
    }

    private func opened(_ name: String, _ flags: CInt = O_RDONLY) throws -> OpenFile {
        try OpenFile.open(folder.path(name), flags | O_NONBLOCK)
    }

    /// Returns once all earlier datagrams were handled; rejected descriptors are closed too.
    private func caughtUp(in folder: String? = nil) throws {
        let telltale = Telltale()
        let file = telltale.takeFile()
        try RawSender(to: (folder ?? self.folder.path) + "/files.sock").send(
            Self.token().bytes, with: [file.descriptor])
        _ = consume file
        try #require(telltale.closes(within: 10_000), "the listener reads nothing")
    }

    private func text(_ token: FileToken) throws -> String? {
        guard let file = listener.files.borrow(token) else { return nil }
        return String(decoding: try file.readAll(limit: 100), as: UTF8.self)
    }

    private func send(_ token: FileToken, _ name: String, _ flags: CInt = O_RDONLY) throws {
        let file = try opened(name, flags)
        try RawSender(to: folder.path("files.sock")).send(token.bytes, with: [file.descriptor])
    }

    /// Without pending descriptors to close.
    private func descriptorsHeld(_ name: String) throws -> Int {
        _ = listener.files.sweep(at: .now)
        return descriptors(of: folder.path(name))
    }

    // MARK: Accepted files

    @Test func fileThatIsSentIsHeldForItsProcess() throws {
        let token = Self.token()
        try DescriptorSocket.connected(to: folder.path("files.sock")).send(
            token.bytes, with: opened("letter"))
        try caughtUp()
        #expect(listener.files.claim(token, of: getpid()) {})
        #expect(!listener.files.claim(Self.token(), of: getpid()) {})
        #expect(try text(token) == "Dear Anna,")
        #expect(try descriptorsHeld("letter") == 1)
        listener.files.forget(token)
        #expect(try descriptorsHeld("letter") == 0)
    }

    @Test func folderIsHeldToo() throws {
        try folder.folder("letters")
        let token = Self.token()
        try send(token, "letters", O_RDONLY | O_DIRECTORY)
        try caughtUp()
        #expect(listener.files.claim(token, of: getpid()) {})
    }

    /// The file stays the sent one, even if its name is reused.
    @Test func fileThatIsReplacedByNameStaysWhatItWas() throws {
        let token = Self.token()
        try send(token, "letter")
        try folder.file("other", "Dear Bob,")
        rename(folder.path("other"), folder.path("letter"))
        try caughtUp()
        #expect(try text(token) == "Dear Anna,")
    }

    @Test func socketIsForThisUserAndGoesWhenItStops() throws {
        #expect(folder.mode("files.sock") == 0o600)
        listener.stop()
        #expect(!folder.exists("files.sock"))
        // A second stop does not affect the next listener.
        let next = try Self.listener(in: folder)
        listener.stop()
        #expect(folder.exists("files.sock"))
        next.stop()
    }

    /// Like programs that clean temporary folders, and like a log-out, which removes the folder too.
    @Test(.timeLimit(.minutes(1)), arguments: [false, true]) func socketThatIsRemovedIsMadeAgain(withItsFolder: Bool)
        async throws
    {
        let runtime = folder.path("run")
        try folder.folder("run")
        chmod(runtime, 0o700)
        let listener = try DescriptorListener(
            path: runtime + "/files.sock", log: Logger(label: "descriptors") { _ in SwiftLogNoOpLogHandler() })
        let (restored, told) = AsyncStream.makeStream(of: Bool.self)
        listener.watch(runtime + "/daemon.sock") { told.yield((runtime + "/files.sock").isThere) }
        #expect(unlink(runtime + "/files.sock") == 0)
        if withItsFolder { #expect(rmdir(runtime) == 0) }
        for await isThere in restored {
            #expect(isThere)
            break
        }
        let token = Self.token()
        let letter = try opened("letter")
        try DescriptorSocket.connected(to: runtime + "/files.sock").send(token.bytes, with: letter)
        try caughtUp(in: runtime)
        #expect(listener.files.claim(token, of: getpid()) {})
        listener.stop()
        #expect(!(runtime + "/files.sock").isThere)
    }

    @Test func staleSocketIsReplacedButAnotherFileIsNot() throws {
        let dead = TemporaryDirectory()
        _ = try DescriptorSocket.bound(to: dead.path("files.sock"))
        #expect(dead.exists("files.sock"))
        try Self.listener(in: dead).stop()
        try dead.file("files.sock", "mine")
        #expect(throws: Failure(.stateNotWritable, "")) { try Self.listener(in: dead) }
        #expect(dead.text("files.sock") == "mine")
    }

    // MARK: Rejected datagrams

    @Test func datagramWithoutADescriptorIsDropped() throws {
        let sender = try RawSender(to: folder.path("files.sock"))
        let token = Self.token()
        try sender.send(token.bytes, with: [])
        try caughtUp()
        #expect(listener.files.count == 0)
    }

    @Test(arguments: [2, 3, 253]) func moreDescriptorsThanOneAreAllClosed(count: Int) throws {
        let letter = try opened("letter")
        let token = Self.token()
        try RawSender(to: folder.path("files.sock")).send(
            token.bytes, with: Array(repeating: letter.descriptor, count: count))
        try caughtUp()
        _ = consume letter
        #expect(listener.files.count == 0)
        #expect(try descriptorsHeld("letter") == 0)
    }

    @Test(arguments: [0, 1, 31, 33, 4096]) func datagramOfAnotherSizeIsDroppedWithItsDescriptor(size: Int) throws {
        let letter = try opened("letter")
        try RawSender(to: folder.path("files.sock")).send(
            Array(repeating: 7, count: size), with: [letter.descriptor])
        try caughtUp()
        _ = consume letter
        #expect(listener.files.count == 0)
        #expect(try descriptorsHeld("letter") == 0)
    }

    /// O_PATH, which Swift's Glibc does not export.
    private static let path: CInt = 0o10000000

    @Test(arguments: [O_WRONLY, O_RDWR, path, O_WRONLY | O_APPEND])
    func fileThatCannotBeReadAloneIsClosed(flags: CInt) throws {
        try send(Self.token(), "letter", flags)
        try caughtUp()
        #expect(listener.files.count == 0)
        #expect(try descriptorsHeld("letter") == 0)
    }

    @Test func descriptorsOfOtherKindsAreClosed() throws {
        mkfifo(folder.path("pipe"), 0o600)
        for (path, flags) in [(folder.path("pipe"), O_RDONLY), ("/dev/null", O_RDONLY), ("/dev/tty", O_RDONLY)] {
            let descriptor = open(path, flags | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            let file = OpenFile(descriptor: descriptor, path: path)
            try RawSender(to: folder.path("files.sock")).send(Self.token().bytes, with: [file.descriptor])
        }
        let socket = try DescriptorSocket.connected(to: folder.path("files.sock"))
        try RawSender(to: folder.path("files.sock")).send(Self.token().bytes, with: [socket.descriptor])
        try caughtUp()
        #expect(listener.files.count == 0)
        #expect(try descriptorsHeld("pipe") == 0)
    }

    @Test func fileOfAnotherUserIsClosed() throws {
        let other = TemporaryDirectory()
        let strict = try Self.listener(in: other, userID: getuid() + 1)
        let letter = try opened("letter")
        try RawSender(to: other.path("files.sock")).send(Self.token().bytes, with: [letter.descriptor])
        _ = consume letter
        try caughtUp(in: other.path)
        #expect(strict.files.count == 0)
        #expect(try descriptorsHeld("letter") == 0)
        strict.stop()
    }

    /// By the kernel's credentials; only root can act as another user here.
    @Test(.enabled(if: getuid() == 0)) func programOfAnotherUserIsRefused() async throws {
        // As if the folder were open to others.
        chmod(folder.path, 0o755)
        chmod(folder.path("files.sock"), 0o666)
        let token = Self.token()
        let program = try Program(
            [
                "/usr/bin/python3", "-c",
                """
                import os, socket, sys
                letter = os.open(sys.argv[2], os.O_RDONLY)
                if sys.argv[3] != "0": os.setuid(int(sys.argv[3]))
                sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                sender.connect(sys.argv[1])
                socket.send_fds(sender, [bytes.fromhex(sys.argv[4])], [letter])
                """, folder.path("files.sock"), folder.path("letter"), "65534", token.hex,
            ], environment: [:])
        #expect(await program.end() == 0, "\\(program.errors)")
        try caughtUp()
        #expect(listener.files.count == 0)
        #expect(try descriptorsHeld("letter") == 0)
    }

    /// A process that sends ten thousand files holds only as many as the limit, and briefly a few more.
    @Test func floodHoldsWhatOneProcessMayHold() throws {
        let sender = try RawSender(to: folder.path("files.sock"))
        let letter = try opened("letter")
        var most = 0
        for number in 0..<10_000 {
            try sender.send(Self.token().bytes, with: [letter.descriptor])
            if number.isMultiple(of: 250) { most = max(most, descriptors(of: folder.path("letter"))) }
        }
        try caughtUp()
        _ = consume letter
        #expect(listener.files.count == HeldFilesLimits.perProcess)
        #expect(try descriptorsHeld("letter") == HeldFilesLimits.perProcess)
        // Plus those of one turn, and the sender's own.
        #expect(most <= HeldFilesLimits.perProcess + 32)
    }
}
