// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffCore
package import HandoffTrust
package import HandoffWire
package import Logging
package import NIOCore
internal import NIOPosix

/// Mutual TLS 1.3 over TCP. Who is at the other end is the hash of the key that the handshake proved; ALPN says what the
/// connection is for. Everything runs on the one loop.
package final class TLSPeerNetwork: PeerNetwork {
    /// Where a device listens if nobody says otherwise and the port is free; known so that firewalls can be told.
    package static let usualPort: UInt16 = 47474
    /// From the first packet to the proof.
    package static let handshakeTime: TimeAmount = .seconds(10)
    /// A joining connection is a stranger's: it may not stay longer.
    package static let enrollTime: TimeAmount = .seconds(60)
    /// Connections that carry streams, at a time; more than the daemon joins, so that it is the one to say no.
    package static let streams = 512

    package weak var sessionHandler: (any PeerSessionHandler)?
    package weak var streamHandler: (any PeerStreamHandler)?
    package weak var enrollmentHandler: (any EnrollmentHandler)?
    package private(set) var listeningAddress: NetworkAddress?

    let loop: any EventLoop
    let log: Logger
    private var credentials: TLSCredentials
    private(set) var ownDevice: DeviceID
    private let listen: NetworkAddress?
    private var listening: EventLoopFuture<any Channel>?
    let streamsAtOnce: Int
    private(set) var isStopped = false

    private var unproven = UnprovenConnections<UInt64>()
    /// How to end each connection that has not proved itself, dialled or accepted, and each joining one.
    var provisional: [UInt64: (Failure) -> Void] = [:]
    private var lastNumber: UInt64 = 0
    private var links: [ObjectIdentifier: TLSPeerLink] = [:]
    var streamDials = DialQueue<DeviceID, () -> Void>()
    /// By their numbers among the connections.
    var streams: [UInt64: ChannelStreamLink] = [:]

    /// `listen` nil: all interfaces, the usual port if it is free, else any.
    package init(
        key: DeviceKey, certificate: DeviceCertificate, listen: NetworkAddress?, loop: any EventLoop, log: Logger,
        streamsAtOnce: Int = TLSPeerNetwork.streams
    ) throws {
        credentials = try TLSCredentials(key: key, certificate: certificate)
        ownDevice = key.id
        self.listen = listen
        self.loop = loop
        self.log = log
        self.streamsAtOnce = streamsAtOnce
    }

    /// This device has another key, so it is another device to whoever connects from now on. Connections that are there
    /// keep the one they have.
    package func identify(key: DeviceKey, certificate: DeviceCertificate) throws {
        credentials = try TLSCredentials(key: key, certificate: certificate)
        ownDevice = key.id
    }

    package func start() throws {
        let socket = try ListeningSocket.open(listen, usualPort: Self.usualPort)
        listeningAddress = socket.address
        let bound = NIOLoopBound(self, eventLoop: loop)
        var bootstrap = ServerBootstrap(group: loop, childGroup: loop)
        for (option, value) in PeerSocketOptions.all { bootstrap = bootstrap.childChannelOption(option, value: value) }
        listening =
            bootstrap
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try bound.value.accepted(channel) }
            }
            .withBoundSocket(socket.give())
    }

    package func stop() {
        isStopped = true
        listening?.whenSuccess { $0.close(promise: nil) }
        listening = nil
        for end in provisional.values { end(Failure(.cancelled, "the daemon is stopping")) }
        for link in links.values { link.close() }
        for stream in streams.values { stream.cut(Failure(.cancelled, "the daemon is stopping")) }
    }

    // MARK: Connections that have not proved themselves

    func makeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    func settled(_ number: UInt64) {
        provisional[number] = nil
        unproven.settled(number)
    }

    // MARK: Accepted

    /// Throws: the channel is closed.
    private func accepted(_ channel: any Channel) throws {
        guard !isStopped, let remote = channel.remoteAddress, let address = NetworkAddress(remote) else {
            throw Failure(.cancelled, "the daemon is stopping")
        }
        let number = makeNumber()
        let handshake = TLSHandshake(
            channel: channel, deadline: .now() + Self.handshakeTime,
            judge: { [weak self] key throws(Failure) in try self?.judgeDialler(key) },
            settled: { [weak self] result in self?.acceptedSettled(number, channel, address, result) })
        try channel.pipeline.syncOperations.addHandlers([
            credentials.acceptingHandler(handshake.verification), handshake,
        ])
        provisional[number] = { [weak handshake] in handshake?.fail($0) }
        if let pushedOut = unproven.arrived(number, from: remote.senderNetwork) {
            provisional[pushedOut]?(Failure(.limitReached, "too many unidentified connections"))
        }
    }

    func admission(of device: DeviceID) -> Admission { sessionHandler?.admission(of: device) ?? .stranger }

    private var isEnrolling: Bool { enrollmentHandler?.isEnrolling ?? false }

    /// Within the handshake it is not yet settled what the connection is for.
    private func judgeDialler(_ key: DevicePublicKey) throws(Failure) {
        guard key.id != ownDevice else { throw Failure(.notAMember, "that is this device") }
        guard admission(of: key.id).mayDial(isEnrolling: isEnrolling) else { throw .notAMember(key.id) }
    }

    private func acceptedSettled(
        _ number: UInt64, _ channel: any Channel, _ address: NetworkAddress,
        _ result: Result<TLSHandshake.Proof, Failure>
    ) {
        do {
            let proof = try result.get()
            guard admission(of: proof.device).mayDial(for: proof.purpose, isEnrolling: isEnrolling) else {
                throw Failure.notAMember(proof.device)
            }
            switch proof.purpose {
            case .session:
                settled(number)
                let link = try openSession(proof, on: channel, .address(address), isDialled: false)
                sessionHandler?.linkAccepted(link)
            case .stream:
                // A member's, but it has a place among the others until it has said which stream it is for.
                try openOfferedStream(number, proof, on: channel)
            case .enroll:
                // Still a stranger's: it stays among those that can be pushed out, to its end.
                let link = try openEnrolling(number, proof, on: channel, isDialled: false)
                enrollmentHandler?.enrollLinkAccepted(link)
            }
        } catch {
            settled(number)
            let failure = Failure(.connectionUnavailable, explaining: error)
            log.debug("Connection refused", metadata: ["from": "\(address)", "reason": "\(failure)"])
            channel.close(promise: nil)
        }
    }

    // MARK: Dialled

    package func dial(
        _ endpoint: PeerEndpoint, expecting device: DeviceID?,
        completion: @escaping (Result<any PeerLink, Failure>) -> Void
    ) {
        connect(endpoint, for: .session) { [weak self] key throws(Failure) in
            try self?.judgeAnswerer(key, expecting: device)
        } completion: { [weak self] result in
            completion(
                result.flatMap { channel, proof in
                    guard let self else { return .failure(Failure(.cancelled, "the daemon is stopping")) }
                    return Self.catching { try self.openSession(proof, on: channel, endpoint, isDialled: true) }
                })
        }
    }

    package func dialToEnroll(
        _ address: NetworkAddress, completion: @escaping (Result<any EnrollLink, Failure>) -> Void
    ) {
        // Anybody may answer: the code decides, once the channel is there.
        connect(.address(address), for: .enroll) { _ in
        } completion: { [weak self] result in
            completion(
                result.flatMap { channel, proof in
                    guard let self else { return .failure(Failure(.cancelled, "the daemon is stopping")) }
                    return Self.catching {
                        try self.openEnrolling(self.makeNumber(), proof, on: channel, isDialled: true)
                    }
                })
        }
    }

    func judgeAnswerer(_ key: DevicePublicKey, expecting device: DeviceID?) throws(Failure) {
        guard key.id != ownDevice else { throw Failure(.notAMember, "that is this device") }
        guard device == nil || key.id == device else {
            throw Failure(.notAMember, "another device answered: \(key.id.short)")
        }
        guard admission(of: key.id).mayAnswer else { throw .notAMember(key.id) }
    }

    func connect(
        _ endpoint: PeerEndpoint, for purpose: ConnectionPurpose, until deadline: NIODeadline? = nil,
        judge: @escaping (DevicePublicKey) throws(Failure) -> Void,
        completion: @escaping (Result<(any Channel, TLSHandshake.Proof), Failure>) -> Void
    ) {
        let number = makeNumber()
        switch endpoint {
        case .address(let address):
            let dial = TLSDial(
                credentials: credentials, address: address, purpose: purpose,
                deadline: deadline ?? .now() + Self.handshakeTime, judge: judge
            ) { [weak self] result in
                self?.provisional[number] = nil
                completion(result)
            }
            provisional[number] = { dial.fail($0) }
            dial.start(on: loop)
        }
    }

    // MARK: Links

    private func openSession(
        _ proof: TLSHandshake.Proof, on channel: any Channel, _ endpoint: PeerEndpoint, isDialled: Bool
    ) throws -> any PeerLink {
        let link = TLSPeerLink(device: proof.device, isDialled: isDialled, endpoint: endpoint)
        let connection = FrameConnection<PeerFrame>(
            channel: channel, rules: .init(lost: .deviceLost), log: log,
            received: { [weak self, unowned link] frame in self?.sessionHandler?.frameReceived(frame, on: link) },
            ended: { [weak self] failure in
                link.connection = nil
                guard let self else { return }
                self.links[ObjectIdentifier(link)] = nil
                self.sessionHandler?.linkClosed(link, failure: failure)
            })
        try channel.pipeline.syncOperations.addHandler(connection)
        link.connection = connection
        links[ObjectIdentifier(link)] = link
        return link
    }

    private func openEnrolling(
        _ number: UInt64, _ proof: TLSHandshake.Proof, on channel: any Channel, isDialled: Bool
    ) throws -> any EnrollLink {
        let link = TLSEnrollLink(remoteKey: proof.key.spki, source: channel.remoteAddress?.senderNetwork ?? "")
        let deadline = loop.assumeIsolated().scheduleTask(in: Self.enrollTime) { [weak self] in
            self?.provisional[number]?(Failure(.connectionUnavailable, "joining took too long"))
        }
        // Whoever comes says who it is and proves the code, and has no more to say: nothing longer is taken from it.
        let most = isDialled ? Limits.enrollFrameBytes : Limits.joinRequestBytes
        let rules = FrameConnection<EnrollMessage>.Rules(
            firstFrameBytes: most, frameBytes: most, lost: .connectionUnavailable)
        let connection = FrameConnection<EnrollMessage>(
            channel: channel, rules: rules, log: log,
            received: { [weak self, unowned link] message in
                self?.enrollmentHandler?.enrollMessageReceived(message, on: link)
            },
            ended: { [weak self] failure in
                deadline.cancel()
                link.connection = nil
                guard let self else { return }
                self.settled(number)
                self.enrollmentHandler?.enrollLinkClosed(link, failure: failure)
            })
        try channel.pipeline.syncOperations.addHandler(connection)
        link.connection = connection
        provisional[number] = { [connection] in connection.cut($0) }
        return link
    }

    private static func catching<Link>(_ open: () throws -> Link) -> Result<Link, Failure> {
        do {
            return .success(try open())
        } catch {
            return .failure(Failure(.connectionUnavailable, explaining: error))
        }
    }
}

extension Failure {
    static func notAMember(_ device: DeviceID) -> Failure {
        Failure(.notAMember, "device \(device.short) does not belong to this account")
    }
}
