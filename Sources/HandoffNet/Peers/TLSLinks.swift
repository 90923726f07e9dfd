// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire
internal import NIOCore

final class TLSPeerLink: PeerLink {
    let device: DeviceID
    let isDialled: Bool
    let endpoint: PeerEndpoint
    var connection: FrameConnection<PeerFrame>?

    init(device: DeviceID, isDialled: Bool, endpoint: PeerEndpoint) {
        self.device = device
        self.isDialled = isDialled
        self.endpoint = endpoint
    }

    func send(_ frame: PeerFrame) { connection?.send(frame) }
    func close() { connection?.close() }
    func drop() { connection?.cut(nil) }
}

final class TLSEnrollLink: EnrollLink {
    let remoteKey: [UInt8]
    let source: String
    let host: String
    let hasPublicCode: Bool
    var connection: FrameConnection<EnrollMessage>?

    init(remoteKey: [UInt8], from remote: SocketAddress?, hasPublicCode: Bool) {
        self.remoteKey = remoteKey
        self.hasPublicCode = hasPublicCode
        source = remote?.senderNetwork ?? ""
        host = remote.flatMap { NetworkAddress($0) }?.host ?? ""
    }

    func send(_ message: EnrollMessage) { connection?.send(message) }
    func close() { connection?.close() }
}
