// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
internal import HandoffWire
internal import NIOCore
internal import NIOPosix

/// One attempt to reach a device: name to address, connection, handshake. Answers once, after `start` returned.
final class TLSDial {
    typealias Outcome = Result<(any Channel, TLSHandshake.Proof), Failure>

    private let credentials: TLSCredentials
    private let address: NetworkAddress
    private let purpose: ConnectionPurpose
    private let deadline: NIODeadline
    private let judge: (DevicePublicKey) throws(Failure) -> Void
    private var completion: ((Outcome) -> Void)?
    /// More than one where a name has several addresses, tried side by side.
    private var handshakes: [TLSHandshake] = []

    init(
        credentials: TLSCredentials, address: NetworkAddress, purpose: ConnectionPurpose, deadline: NIODeadline,
        judge: @escaping (DevicePublicKey) throws(Failure) -> Void, completion: @escaping (Outcome) -> Void
    ) {
        self.credentials = credentials
        self.address = address
        self.purpose = purpose
        self.deadline = deadline
        self.judge = judge
        self.completion = completion
    }

    func start(on loop: any EventLoop) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        var bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(TLSPeerNetwork.handshakeTime)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try bound.value.prepare(channel) }
            }
        for (option, value) in PeerSocketOptions.all { bootstrap = bootstrap.channelOption(option, value: value) }
        // A name is looked up on a thread of NIO's, not on the loop.
        let connected =
            address.socketAddress.map { bootstrap.connect(to: $0) }
            ?? bootstrap.connect(host: address.host, port: Int(address.port))
        connected.assumeIsolated().whenFailure { error in
            self.fail(Failure(.connectionUnavailable, "\(self.address) cannot be reached: \(error)"))
        }
    }

    func fail(_ failure: Failure) {
        finish(.failure(failure))
        for handshake in handshakes { handshake.fail(failure) }
        handshakes = []
    }

    private func prepare(_ channel: any Channel) throws {
        let handshake = TLSHandshake(
            channel: channel, deadline: deadline, judge: judge,
            settled: { [weak self] result in self?.settled(channel, result) })
        let tls = try credentials.diallingHandler(purpose, handshake.verification)
        try channel.pipeline.syncOperations.addHandlers([tls, handshake])
        handshakes.append(handshake)
    }

    private func settled(_ channel: any Channel, _ result: Result<TLSHandshake.Proof, Failure>) {
        handshakes.removeAll { $0.channel === channel }
        switch result {
        case .failure(let failure): finish(.failure(failure))
        case .success(let proof):
            guard proof.purpose == purpose, completion != nil else { return channel.close(promise: nil) }
            finish(.success((channel, proof)))
        }
    }

    private func finish(_ outcome: Outcome) {
        let completion = completion
        self.completion = nil
        completion?(outcome)
    }
}
