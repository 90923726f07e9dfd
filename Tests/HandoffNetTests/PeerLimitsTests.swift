// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import HandoffNet

/// Shows Y03: the kernel's limits of a session while a stream moves.
@Suite struct PeerLimitsTests {
    private let channel = EmbeddedChannel()
    private let link = TLSPeerLink(
        device: DeviceID(uncheckedBytes: Array(repeating: 1, count: 32)), isDialled: true,
        endpoint: .address(NetworkAddress(host: "192.0.2.1", port: 1)), localHost: nil)

    init() throws {
        let connection = FrameConnection<PeerFrame>(
            channel: channel, rules: .init(.session, own: .caller, lost: .deviceLost),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, received: { _ in }, ended: { _ in })
        try channel.pipeline.syncOperations.addHandler(connection)
        link.connection = connection
    }

    /// Milliseconds; this channel keeps the last option alone.
    private var userTimeout: Int? {
        channel.options.lazy.filter { $0.option is ChannelOptions.Types.SocketOption }.compactMap { $0.value as? Int }
            .last
    }

    private func pass(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

    @Test func areSuspendedUntilNoStreamHasMovedForThirtySeconds() {
        link.streamMoved()
        #expect(userTimeout == 0)
        pass(29)
        link.streamMoved()
        pass(29)
        #expect(userTimeout == 0)
        pass(1)
        #expect(userTimeout == PeerSocketOptions.userTimeout)
        link.streamMoved()
        #expect(userTimeout == 0)
    }

    @Test func areLeftAloneAfterTheEnd() {
        link.streamMoved()
        link.ended()
        pass(60)
        link.streamMoved()
        #expect(userTimeout == 0)
    }
}
