// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffClient
import HandoffCore
import HandoffDaemon
import HandoffNet
import HandoffTesting
import HandoffWire
import Logging
import NIOCore
import NIOPosix

/// Real Unix sockets for the programs, real TLS or memory for the devices, one real event loop for both daemons.
final class SocketStage: Stage {
    private let folder: URL
    private let loop: any EventLoop
    private let household: NIOLoopBound<Household>

    init(devicesOverTLS: Bool) async throws {
        // Short, because the path of a socket is limited.
        let folder = URL(fileURLWithPath: "/tmp/handoff-\(UInt32.random(in: 0...UInt32.max))")
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        self.folder = folder
        self.loop = loop
        household = try await loop.submit {
            let household = try Household(folder: folder, devicesOverTLS: devicesOverTLS, loop: loop)
            return NIOLoopBound(household, eventLoop: loop)
        }.get()
    }

    func program(_ hello: LocalHello, on place: Place) async throws -> Program {
        Program(try await Line.connect(to: Self.locations(of: place, in: folder), hello: hello))
    }

    func close() async throws {
        try await loop.submit { [household] in household.value.close() }.get()
        try FileManager.default.removeItem(at: folder)
    }

    fileprivate static func locations(of place: Place, in folder: URL) -> Locations {
        Locations(root: folder.appendingPathComponent(place.rawValue).path)
    }
}

private final class Household {
    private var daemons: [DaemonFeatures] = []
    /// Advances virtual time with the wall clock.
    private var pump: RepeatedTask?

    init(folder: URL, devicesOverTLS: Bool, loop: any EventLoop) throws {
        let virtual = VirtualTime()
        let hub = MemoryNetwork(time: virtual, seed: 1)
        let time: any TimeSource = devicesOverTLS ? EventLoopTime(loop: loop) : virtual
        let log = Logger(label: "scenario") { _ in SwiftLogNoOpLogHandler() }
        for place in Place.allCases {
            let furniture = try Furniture(place, hub: hub)
            let socket = SocketStage.locations(of: place, in: folder).socket
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(place.rawValue), withIntermediateDirectories: true)
            let network =
                devicesOverTLS
                ? try TLSPeerNetwork(
                    key: furniture.credentials.key, certificate: furniture.credentials.certificate,
                    listen: NetworkAddress(host: "127.0.0.1", port: 0), loop: loop, log: log) : nil
            let daemon = try furniture.daemon(
                network: network, listener: UnixClientListener(path: socket, loop: loop, log: log),
                // The apps are already running.
                launcher: MemoryAppLauncher(time: virtual, listener: MemoryClientListener(time: virtual)), time: time)
            try daemon.start()
            daemons.append(daemon)
        }
        guard !devicesOverTLS else { return }
        let start = NIODeadline.now()
        let moved = NIOLoopBound(virtual, eventLoop: loop)
        pump = loop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(1)) { _ in
            let passed = Duration.nanoseconds((NIODeadline.now() - start).nanoseconds)
            moved.value.advance(by: moved.value.now.duration(to: Instant(sinceZero: passed)))
        }
    }

    func close() {
        pump?.cancel()
        for daemon in daemons { daemon.stop() }
        daemons = []
    }
}

/// A connection like the command line's. Only one user at a time: the scenario, or the thread that waits for it.
private final class Line: Carrier, @unchecked Sendable {
    private let client: BlockingClient

    private init(_ client: BlockingClient) { self.client = client }

    static func connect(to locations: Locations, hello: LocalHello) async throws -> Line {
        try await onAThread { Line(try BlockingClient.connect(to: locations, hello: hello, timeout: .seconds(30))) }
    }

    func send(_ frame: LocalFrame) throws { try client.send(frame) }

    func next() async throws -> LocalFrame {
        try await Self.onAThread { try self.client.receive(timeout: .seconds(30)) }
    }

    /// Keeps the test runner's few threads free.
    private static func onAThread<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Swift.Result { try work() }) }.start()
        }
    }
}
