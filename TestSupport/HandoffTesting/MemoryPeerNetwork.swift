// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// With the checks of the real handshake.
package final class MemoryPeerNetwork: PeerNetwork {
    package weak var sessionHandler: (any PeerSessionHandler)?
    package weak var streamHandler: (any PeerStreamHandler)?
    package weak var enrollmentHandler: (any EnrollmentHandler)?
    package weak var callDirectory: (any CallDirectory)?

    private let hub: MemoryNetwork
    weak var node: MemoryNode?
    private(set) var isListening = false
    package var startFailure: Failure?
    package private(set) var dials: [NetworkAddress] = []

    init(hub: MemoryNetwork) { self.hub = hub }

    package func start() throws {
        if let startFailure { throw startFailure }
        isListening = true
    }

    package var listeningProblem: String? { nil }

    package var listeningAddress: NetworkAddress? { isListening ? node?.address : nil }

    package func dial(
        _ endpoint: PeerEndpoint, expecting device: DeviceID?,
        completion: @escaping (Result<any PeerLink, Failure>) -> Void
    ) {
        let preference = hub.preference
        reach(endpoint, for: .session) { [self] node, result in
            completion(
                result.flatMap { answerer in
                    guard answerer.device != node.device, device == nil || device == answerer.device else {
                        return .failure(Failure(.notAMember, "another device answered: \(answerer.device.short)"))
                    }
                    guard admission(of: answerer.device).mayAnswer else {
                        return .failure(Failure(.notAMember, "that device does not belong to this account"))
                    }
                    return .success(connect(node, to: answerer, for: .session, preference))
                })
        }
    }

    package func dialToEnroll(
        _ address: NetworkAddress, with secret: CallSecret,
        completion: @escaping (Result<any EnrollLink, Failure>) -> Void
    ) {
        reach(.address(address), for: .enroll, with: secret) { [self] node, result in
            completion(
                result.map {
                    connect(node, to: $0, for: .enroll, hasPublicCode: $0.network.caller(with: secret) == .announced)
                })
        }
    }

    package func dialStream(
        _ endpoint: PeerEndpoint, expecting device: DeviceID, hello: StreamHello,
        completion: @escaping (Result<any StreamLink, Failure>) -> Void
    ) {
        let deadline = hub.time.now.advanced(by: hub.dialTimeout)
        reach(endpoint, for: .stream) { [self] node, result in
            switch result {
            case .failure(let failure): completion(.failure(failure))
            case .success(let answerer):
                guard answerer.device == device, admission(of: device).mayAnswer else {
                    let reason = "another device answered: \(answerer.device.short)"
                    completion(.failure(Failure(.notAMember, reason)))
                    return
                }
                if let obstacle = hub.interceptsStream?(hello, answerer.host) {
                    let patience = obstacle == .refused ? .zero : hub.time.now.duration(to: deadline)
                    hub.time.schedule(after: patience) {
                        completion(.failure(Failure(.connectionUnavailable, "\(endpoint) does not answer")))
                    }
                    return
                }
                hub.streams.append(
                    MemoryStreamConnection(
                        hub: hub, dialler: node, acceptor: answerer, hello: hello, deadline: deadline,
                        completion: completion))
            }
        }
    }

    package func stop() {
        isListening = false
        guard let node else { return }
        for connection in hub.connections where connection.involves(node) { connection.close(by: node) }
        for stream in hub.streams where stream.involves(node) { stream.cut(by: node) }
    }

    // MARK: The handshake

    /// Takes one round trip. Calls `answer` once, never before it returns, unless this host goes off.
    private func reach(
        _ endpoint: PeerEndpoint, for purpose: ConnectionPurpose, with secret: CallSecret? = nil,
        answer: @escaping (MemoryNode, Result<MemoryNode, Failure>) -> Void
    ) {
        guard let node, node.isOn else { return }
        let address: NetworkAddress
        switch endpoint {
        case .address(let host): address = host
        }
        dials.append(address)
        let end = hub.time.now.advanced(by: hub.dialTimeout)
        knock(at: address, from: node.host, for: purpose, with: secret, until: end, again: .seconds(1)) {
            if node.isOn { answer(node, $0) }
        }
    }

    /// Retries after one second, two, four, as TCP does.
    private func knock(
        at address: NetworkAddress, from host: MemoryNetwork.Host, for purpose: ConnectionPurpose,
        with secret: CallSecret?, until end: Instant, again pause: Duration,
        answer: @escaping (Result<MemoryNode, Failure>) -> Void
    ) {
        let there = hub.drawLatency(host, address.host)
        let back = hub.drawLatency(host, address.host)
        func fail(_ reason: String, after delay: Duration) {
            hub.time.schedule(after: delay) { answer(.failure(Failure(.connectionUnavailable, reason))) }
        }
        hub.time.schedule(after: there) { [self] in
            guard let node, let other = hub.node(at: address.host), hub.reaches(node, from: host, address.host) else {
                let left = hub.time.now.duration(to: end)
                guard pause < left else { return fail("no device answers at \(address)", after: left) }
                return hub.time.schedule(after: pause) { [self] in
                    knock(
                        at: address, from: host, for: purpose, with: secret, until: end, again: pause * 2,
                        answer: answer)
                }
            }
            guard other.network.isListening, other.port == address.port else {
                return fail("\(address) refuses the connection", after: back)
            }
            guard other.network.admits(node.device, for: purpose, with: secret) else {
                return fail("\(address) ended the handshake", after: back)
            }
            hub.time.schedule(after: back) { [hub] in
                guard other.isOn, hub.reaches(node, from: host, address.host) else {
                    return fail("\(address) fell silent in the handshake", after: hub.time.now.duration(to: end))
                }
                answer(.success(other))
            }
        }
    }

    /// Devices in the roster share a secret with us; a joining device has the code's. Without a directory, any caller
    /// is admitted.
    func admits(_ device: DeviceID, for purpose: ConnectionPurpose, with secret: CallSecret?) -> Bool {
        guard purpose == .enroll else { return admission(of: device).mayDial(for: purpose) }
        guard enrollmentHandler != nil else { return false }
        guard callDirectory != nil else { return true }
        let caller = caller(with: secret)
        return caller == .invited || caller == .announced
    }

    private func caller(with secret: CallSecret?) -> Caller? {
        callDirectory?.callers.first { $0.secret == secret }?.caller
    }

    private func admission(of device: DeviceID) -> Admission { sessionHandler?.admission(of: device) ?? .stranger }

    private func connect(
        _ node: MemoryNode, to other: MemoryNode, for purpose: ConnectionPurpose,
        _ preference: LinkPreference = .direct,
        hasPublicCode: Bool = false
    ) -> MemoryLink {
        let connection = MemoryConnection(
            hub: hub, purpose: purpose, dialler: node, acceptor: other, preference: preference)
        connection.accepted.hasPublicCode = hasPublicCode
        hub.linksOpened += 1
        hub.connections.append(connection)
        connection.open()
        return connection.dialled
    }
}
