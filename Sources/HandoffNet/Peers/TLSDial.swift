// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
internal import HandoffWire
internal import NIOCore
internal import NIOPosix

/// Completes once, after `start` returned.
final class TLSDial {
    typealias Outcome = Result<(any Channel, TLSHandshake.Proof), Failure>

    private let credentials: TLSCredentials
    private let address: NetworkAddress
    private let purpose: ConnectionPurpose
    private let secrets: [CallSecret]
    private let deadline: NIODeadline
    private let judge: (DevicePublicKey) throws(Failure) -> Void
    private var completion: ((Outcome) -> Void)?
    private var handshake: TLSHandshake?

    init(
        credentials: TLSCredentials, address: NetworkAddress, purpose: ConnectionPurpose, secrets: [CallSecret],
        deadline: NIODeadline, judge: @escaping (DevicePublicKey) throws(Failure) -> Void,
        completion: @escaping (Outcome) -> Void
    ) {
        self.credentials = credentials
        self.address = address
        self.purpose = purpose
        self.secrets = secrets
        self.deadline = deadline
        self.judge = judge
        self.completion = completion
    }

    func start(on loop: any EventLoop) {
        guard !secrets.isEmpty else {
            return loop.assumeIsolated().execute {
                self.fail(Failure(.notAMember, "this account has no other device to call"))
            }
        }
        if let address = address.socketAddress { return connect(to: [address], on: loop) }
        let overdue = loop.assumeIsolated().scheduleTask(deadline: deadline) {
            self.fail(Failure(.connectionUnavailable, "\(self.address.host) was not resolved in time"))
        }
        NameLookup.addresses(of: address, on: loop).assumeIsolated().whenComplete { result in
            overdue.cancel()
            let addresses = (try? result.get()) ?? []
            guard !addresses.isEmpty else {
                return self.fail(Failure(.connectionUnavailable, "no address found for \(self.address.host)"))
            }
            self.connect(to: addresses, on: loop)
        }
    }

    private func connect(to addresses: [SocketAddress], on loop: any EventLoop) {
        // The deadline has passed.
        guard completion != nil else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        var bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(TLSPeerNetwork.handshakeTime)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try bound.value.prepare(channel) }
            }
        for (option, value) in PeerSocketOptions.all { bootstrap = bootstrap.channelOption(option, value: value) }
        bootstrap.connect(to: addresses[0]).assumeIsolated().whenFailure { error in
            guard addresses.count > 1 else {
                let reason = Failure(.connectionUnavailable, explaining: error).reason
                return self.fail(Failure(.connectionUnavailable, "\(self.address) cannot be reached: \(reason)"))
            }
            self.connect(to: Array(addresses.dropFirst()), on: loop)
        }
    }

    func fail(_ failure: Failure) {
        finish(.failure(failure))
        handshake?.fail(failure)
        handshake = nil
    }

    private func prepare(_ channel: any Channel) throws {
        let handshake = TLSHandshake(
            channel: channel, deadline: deadline, judge: judge,
            settled: { [weak self] result in self?.settled(channel, result) })
        let tls = try credentials.diallingHandler(purpose, handshake.verification)
        try channel.pipeline.syncOperations.addHandlers([CallPlacing(secrets: secrets), tls, handshake])
        self.handshake = handshake
    }

    private func settled(_ channel: any Channel, _ result: Result<TLSHandshake.Proof, Failure>) {
        guard handshake?.channel === channel else { return }
        handshake = nil
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
