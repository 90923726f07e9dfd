// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffWire
import Logging
import NIOCore

@testable import HandoffNet

/// Used on its loop only.
final class BeaconEar: BeaconAirHandler {
    enum Event: Sendable, Equatable {
        case heard([UInt8], NetworkAddress)
        case networkChanged(Set<UInt32>?)
    }

    let air: MulticastBeaconAir
    private let events: AsyncStream<Event>.Continuation

    /// `port` avoids a running daemon.
    static func open(
        port: UInt16, withLoopback: Bool, on loop: any EventLoop
    ) async throws -> (ear: NIOLoopBound<BeaconEar>, events: AsyncStream<Event>) {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let ear = try await loop.submit {
            let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let air = MulticastBeaconAir(loop: loop, withLoopback: withLoopback, port: port, log: log)
            let ear = BeaconEar(air, continuation)
            air.handler = ear
            try air.start()
            return NIOLoopBound(ear, eventLoop: loop)
        }.get()
        return (ear, events)
    }

    private init(_ air: MulticastBeaconAir, _ events: AsyncStream<Event>.Continuation) {
        self.air = air
        self.events = events
    }

    func datagramReceived(_ datagram: [UInt8], from address: NetworkAddress) { events.yield(.heard(datagram, address)) }
    func networkChanged(on interfaces: Set<UInt32>?) { events.yield(.networkChanged(interfaces)) }
}

/// `unshare(CLONE_NEWNET)` of this thread only. Glibc's header hides it from Swift.
func leaveNetworkNamespace() -> Int32 {
    typealias Unshare = @convention(c) (Int32) -> Int32
    guard let symbol = dlsym(nil, "unshare") else { return -1 }
    return unsafeBitCast(symbol, to: Unshare.self)(0x4000_0000)
}
