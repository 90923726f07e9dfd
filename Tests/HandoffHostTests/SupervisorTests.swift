// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffSystem
import Testing

/// The behaviour documented in sd_notify(3) and sd_listen_fds(3), on real sockets.
// Shows L04.
@Suite struct SupervisorTests {
    private let folder = TemporaryDirectory()

    private func socket(_ type: __socket_type) throws -> OpenFile {
        let descriptor = Glibc.socket(AF_UNIX, CInt(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(descriptor >= 0)
        return OpenFile(descriptor: descriptor, path: "a socket of this test")
    }

    private func bind(_ socket: borrowing OpenFile, to path: String) throws {
        let address = try #require(sockaddr_un(path: path))
        let number = socket.descriptor
        #expect(address.withSocketAddress { Glibc.bind(number, $0, $1) } == 0)
    }

    private func next(_ socket: borrowing OpenFile) -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = recv(socket.descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    // MARK: Notifications

    @Test func itIsToldAtThePathThatItNames() throws {
        let manager = try socket(SOCK_DGRAM)
        try bind(manager, to: folder.path("notify"))
        let supervisor = Supervisor(environment: ["NOTIFY_SOCKET": folder.path("notify")], process: getpid())
        try supervisor.ready()
        try supervisor.alive()
        try supervisor.stopping()
        let heard = [next(manager), next(manager), next(manager)]
        #expect(heard == ["READY=1", "WATCHDOG=1", "STOPPING=1"])
    }

    @Test func itIsToldAtANameWithoutAFile() throws {
        let manager = try socket(SOCK_DGRAM)
        // For an address with only a family, the kernel chooses a name.
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let number = manager.descriptor
        #expect(address.withSocketAddress { pointer, _ in Glibc.bind(number, pointer, 2) } == 0)
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(number, $0, &length)
            }
        }
        let name = withUnsafeBytes(of: address.sun_path) { String(decoding: $0[1..<Int(length) - 2], as: UTF8.self) }
        try Supervisor(environment: ["NOTIFY_SOCKET": "@" + name], process: getpid()).ready()
        let heard = next(manager)
        #expect(heard == "READY=1")
    }

    @Test func readyWithoutASupervisorSucceeds() throws { try Supervisor.absent.ready() }

    @Test(arguments: ["", "notify", "/", "@", "/" + String(repeating: "long", count: 40)])
    func invalidNotifySocketAddressIsAnError(address: String) {
        #expect(throws: SystemError.self) {
            try Supervisor(environment: ["NOTIFY_SOCKET": address], process: getpid()).ready()
        }
    }

    @Test func aManagerThatIsGoneIsAnError() {
        let supervisor = Supervisor(environment: ["NOTIFY_SOCKET": folder.path("nobody")], process: getpid())
        do {
            try supervisor.ready()
            Issue.record("there was nobody to tell")
        } catch { #expect(error.code == ENOENT) }
    }

    @Test func aManagerThatDoesNotReadIsWaitedForNoLongerThanThePatience() throws {
        let manager = try socket(SOCK_DGRAM)
        try bind(manager, to: folder.path("notify"))
        let supervisor = Supervisor(environment: ["NOTIFY_SOCKET": folder.path("notify")], process: getpid())
        var refusal: CInt?
        var took = Duration.zero
        // More unread messages than the system allows, with any setting.
        for _ in 0..<10_000 where refusal == nil {
            do {
                took = try ContinuousClock().measure { try supervisor.alive() }
            } catch let error as SystemError {
                refusal = error.code
            }
        }
        #expect(refusal == EAGAIN)
        #expect(took < Supervisor.patience)
    }

    @Test func watchdogOfAnotherProcessIsIgnored() {
        func watchdog(_ microseconds: String, of process: String?) -> Duration? {
            var environment = ["WATCHDOG_USEC": microseconds]
            environment["WATCHDOG_PID"] = process
            return Supervisor(environment: environment, process: 7).watchdog
        }
        #expect(watchdog("600000000", of: "7") == .seconds(600))
        #expect(watchdog("600000000", of: nil) == .seconds(600))
        #expect(watchdog("600000000", of: "8") == nil)
        for wrong in ["", "0", "-1", "soon", "99999999999999999999"] { #expect(watchdog(wrong, of: "7") == nil) }
    }

    // MARK: Inherited sockets

    @Test func socketsForAnotherProcessAreNotTaken() throws {
        for environment in [
            [:], ["LISTEN_FDS": "1"], ["LISTEN_FDS": "1", "LISTEN_PID": "8"], ["LISTEN_FDS": "0", "LISTEN_PID": "7"],
            ["LISTEN_FDS": "-1", "LISTEN_PID": "7"], ["LISTEN_FDS": "all", "LISTEN_PID": "7"],
        ] {
            let socket = try Supervisor(environment: environment, process: 7).takeListener(at: folder.path("socket"))
            let isTaken = socket != nil
            #expect(!isTaken, "\(environment)")
        }
    }

    @Test func moreThanOneSocketIsRefusedByTheirNames() throws {
        for (count, shown) in [("2", "2"), ("9999999", "\(Supervisor.mostSockets)")] {
            let supervisor = Supervisor(
                environment: ["LISTEN_FDS": count, "LISTEN_PID": "7", "LISTEN_FDNAMES": "clients:web"], process: 7)
            do {
                _ = try supervisor.takeListener(at: "/run/daemon.sock")
                Issue.record("one of two was taken")
            } catch {
                #expect(
                    error.description == "the service manager passed \(shown) sockets (clients, web); "
                        + "only one is expected, at /run/daemon.sock")
            }
        }
    }

    @Test func faultOfASocketThatIsNotTheListenerIsNamed() throws {
        let path = folder.path("daemon.sock")
        let elsewhere = folder.path("elsewhere.sock")
        /// `#expect` needs copyable values.
        func fault(_ socket: borrowing OpenFile, at path: String) -> String? { socket.faultAsListener(at: path) }
        try folder.file("plain", "")
        let plain = fault(try OpenFile.open(folder.path("plain"), O_RDONLY), at: path)
        #expect(plain == "is not a socket")
        let datagram = fault(try socket(SOCK_DGRAM), at: path)
        #expect(datagram == "is not a Unix stream socket")
        let stream = try socket(SOCK_STREAM)
        let silent = fault(stream, at: path)
        #expect(silent == "does not listen")
        try bind(stream, to: elsewhere)
        let number = stream.descriptor
        #expect(listen(number, 1) == 0)
        let there = fault(stream, at: path)
        #expect(there == "listens at \(elsewhere)")
        let right = fault(stream, at: elsewhere)
        #expect(right == nil)
        // By any path of the folder.
        try folder.link("other", to: folder.path(""))
        let linked = fault(stream, at: folder.path("other/elsewhere.sock"))
        #expect(linked == nil)
        unlink(elsewhere)
        let gone = fault(stream, at: path)
        #expect(gone == "listens at \(elsewhere), which is gone")
    }

    @Test func listenerIsDetectedWithoutConnecting() throws {
        let path = folder.path("daemon.sock")
        #expect(!UnixSockets.isListenedTo(path))
        do {
            let stream = try socket(SOCK_STREAM)
            try bind(stream, to: path)
            #expect(!UnixSockets.isListenedTo(path))
            let number = stream.descriptor
            #expect(listen(number, 1) == 0)
            #expect(UnixSockets.isListenedTo(path))
            #expect(!UnixSockets.isListenedTo(folder.path("daemon.soc")))
        }
        #expect(!UnixSockets.isListenedTo(path))
    }
}
