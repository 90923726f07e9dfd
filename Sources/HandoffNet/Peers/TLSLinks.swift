// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// A session's connection, proved on both sides.
final class TLSPeerLink: PeerLink {
    let device: DeviceID
    let isDialled: Bool
    let remoteAddress: NetworkAddress
    /// Nil once it ended.
    var connection: FrameConnection<PeerFrame>?

    init(device: DeviceID, isDialled: Bool, remoteAddress: NetworkAddress) {
        self.device = device
        self.isDialled = isDialled
        self.remoteAddress = remoteAddress
    }

    func send(_ frame: PeerFrame) { connection?.send(frame) }
    func close() { connection?.close() }
}

/// A connection on which somebody joins.
final class TLSEnrollLink: EnrollLink {
    let remoteKey: [UInt8]
    let remoteAddress: NetworkAddress
    /// Nil once it ended.
    var connection: FrameConnection<EnrollMessage>?

    init(remoteKey: [UInt8], remoteAddress: NetworkAddress) {
        self.remoteKey = remoteKey
        self.remoteAddress = remoteAddress
    }

    func send(_ message: EnrollMessage) { connection?.send(message) }
    func close() { connection?.close() }
}
