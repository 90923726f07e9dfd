// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire
internal import NIOCore

final class TLSPeerLink: PeerLink {
    let device: DeviceID
    let isDialled: Bool
    let endpoint: PeerEndpoint
    let localHost: String?
    var connection: FrameConnection<PeerFrame>?
    private var limiting: Scheduled<Void>?

    init(device: DeviceID, isDialled: Bool, endpoint: PeerEndpoint, localHost: String?) {
        self.localHost = localHost
        self.device = device
        self.isDialled = isDialled
        self.endpoint = endpoint
    }

    func send(_ frame: PeerFrame) { connection?.send(frame) }
    func close() { connection?.close() }
    func drop() { connection?.cut(nil) }

    /// Suspends the kernel's limits for some seconds.
    func streamMoved() {
        guard let channel = connection?.channel else { return }
        if limiting == nil { channel.set(PeerSocketOptions.withoutLimits) }
        limiting?.cancel()
        limiting = channel.eventLoop.assumeIsolated().scheduleTask(in: PeerSocketOptions.limitsSuspended) {
            [weak self] in
            self?.limiting = nil
            channel.set(PeerSocketOptions.limits)
        }
    }

    func ended() {
        limiting?.cancel()
        connection = nil
    }
}

extension Channel {
    /// A connection that has just closed has no options.
    fileprivate func set(_ options: [PeerSocketOptions.Setting]) {
        for (option, value) in options { try? syncOptions?.setOption(option, value: value) }
    }
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
