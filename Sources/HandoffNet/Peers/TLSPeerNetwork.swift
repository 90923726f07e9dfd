// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffCore
package import HandoffTrust
package import HandoffWire
package import Logging
package import NIOCore
internal import NIOPosix

/// Mutual TLS 1.3 over TCP, on one loop. A proved key's hash identifies a device; ALPN names the purpose.
package final class TLSPeerNetwork: PeerNetwork {
    /// Fixed for firewalls.
    static let usualPort: UInt16 = 47474
    /// From the first packet to the proof.
    static let handshakeTime: TimeAmount = .seconds(10)
    /// Limited because joining devices are strangers. Includes a user's comparison of numbers.
    static let enrollTime = TimeAmount(JoinLimits.answer + JoinLimits.decision + .seconds(10))
    /// Above the daemon's limit, so that it can refuse with an error message.
    static let streams = 512

    package weak var sessionHandler: (any PeerSessionHandler)?
    package weak var streamHandler: (any PeerStreamHandler)?
    package weak var enrollmentHandler: (any EnrollmentHandler)?
    package weak var callDirectory: (any CallDirectory)?
    package private(set) var listeningAddress: NetworkAddress?
    package private(set) var listeningProblem: String?

    let loop: any EventLoop
    let log: Logger
    private var credentials: TLSCredentials
    private(set) var ownDevice: DeviceID
    private let listen: NetworkAddress?
    private var listening: EventLoopFuture<any Channel>?
    let streamsAtOnce: Int
    private let enrollTime: TimeAmount
    private(set) var isStopped = false

    private var waiting = WaitingCallers()
    /// Any host can cause these log lines.
    private var oldVersions = Pace()
    private static let oldVersionsSaid = PaceLimit(burst: 1, spacing: .seconds(60))
    /// Each ends an unproven or joining connection.
    var provisional: [UInt64: (Failure) -> Void] = [:]
    private var lastNumber: UInt64 = 0
    private var links: [ObjectIdentifier: TLSPeerLink] = [:]
    var streamDials = DialQueue<DeviceID, () -> Void>()
    var streams: [UInt64: ChannelStreamLink] = [:]

    /// `listen` nil: all interfaces, with the usual port if it is free.
    package init(
        key: DeviceKey, certificate: DeviceCertificate, listen: NetworkAddress?, loop: any EventLoop, log: Logger,
        streamsAtOnce: Int = TLSPeerNetwork.streams, enrollTime: TimeAmount = TLSPeerNetwork.enrollTime
    ) throws {
        credentials = try TLSCredentials(key: key, certificate: certificate)
        ownDevice = key.id
        self.listen = listen
        self.loop = loop
        self.log = log
        self.streamsAtOnce = streamsAtOnce
        self.enrollTime = enrollTime
    }

    /// Existing connections keep the old identity.
    package func identify(key: DeviceKey, certificate: DeviceCertificate) throws {
        credentials = try TLSCredentials(key: key, certificate: certificate)
        ownDevice = key.id
    }

    package func start() throws {
        let socket = try ListeningSocket.open(listen, usualPort: Self.usualPort)
        listeningAddress = socket.address
        if listen == nil, socket.address.port != Self.usualPort {
            let problem = Self.problem(given: socket.address.port)
            listeningProblem = problem
            log.warning("The default port is in use", metadata: ["reason": "\(problem)"])
        }
        let bound = NIOLoopBound(self, eventLoop: loop)
        var bootstrap = ServerBootstrap(group: loop, childGroup: loop)
        for (option, value) in PeerSocketOptions.all { bootstrap = bootstrap.childChannelOption(option, value: value) }
        listening =
            bootstrap
            .serverChannelInitializer { [log] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptPause(log: log))
                }
            }
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try bound.value.accepted(channel) }
            }
            .withBoundSocket(socket.give())
    }

    /// If two users' daemons run on the machine, for instance.
    private static func problem(given port: UInt16) -> String {
        "another program has port \(usualPort), so other devices reach this one on TCP port \(port) until the daemon stops: "
            + "a firewall must allow it; to use a fixed port: handoff config set listen \"*:\(usualPort + 2)\""
    }

    package func stop() {
        isStopped = true
        listening?.whenSuccess { $0.close(promise: nil) }
        listening = nil
        for end in provisional.values { end(Failure(.cancelled, "the daemon is stopping")) }
        for link in links.values { link.close() }
        for stream in streams.values { stream.cut(Failure(.cancelled, "the daemon is stopping")) }
    }

    // MARK: Unproven connections

    func makeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    func settled(_ number: UInt64) {
        provisional[number] = nil
        waiting.settled(number)
    }

    // MARK: Accepted

    private func accepted(_ channel: any Channel) throws {
        guard !isStopped, let remote = channel.remoteAddress, let address = NetworkAddress(remote) else {
            throw Failure(.cancelled, "the daemon is stopping")
        }
        let number = makeNumber()
        let deadline = NIODeadline.now() + Self.handshakeTime
        let screening = CallScreening(
            channel: channel, deadline: deadline,
            identify: { [weak self] proof, shown in self?.caller(who: proof, shown) },
            settled: { [weak self] result in self?.screened(number, channel, address, deadline, result) })
        try channel.pipeline.syncOperations.addHandler(screening)
        provisional[number] = { [weak screening] in screening?.fail($0) }
        pushOut(waiting.arrived(number, from: remote.senderNetwork))
    }

    /// Tries each secret: a hint would also help an eavesdropper. A few hundred cost less than a connection.
    private func caller(who proof: CallProof, _ shown: [[UInt8]]) -> Caller? {
        let shown = Set(shown)
        return callDirectory?.callers.first { shown.contains(proof.bytes($0.secret)) }?.caller
    }

    private func screened(
        _ number: UInt64, _ channel: any Channel, _ address: NetworkAddress, _ deadline: NIODeadline,
        _ result: Result<Caller, Failure>
    ) {
        do {
            let caller = try result.get()
            guard !isStopped else { throw Failure(.cancelled, "the daemon is stopping") }
            let handshake = TLSHandshake(
                channel: channel, deadline: deadline, judge: { _ in },
                settled: { [weak self] result in self?.acceptedSettled(number, channel, address, caller, result) })
            try channel.pipeline.syncOperations.addHandlers([
                credentials.acceptingHandler(handshake.verification), handshake,
            ])
            provisional[number] = { [weak handshake] in handshake?.fail($0) }
            pushOut(waiting.called(number, by: caller.key(at: address), standing(of: caller)))
        } catch {
            refuse(number, channel, address, error)
        }
    }

    private func acceptedSettled(
        _ number: UInt64, _ channel: any Channel, _ address: NetworkAddress, _ caller: Caller,
        _ result: Result<TLSHandshake.Proof, Failure>
    ) {
        do {
            let proof = try result.get()
            guard isAdmitted(proof, as: caller) else { throw Failure.notAMember(proof.device) }
            switch proof.purpose {
            case .session:
                settled(number)
                if isMember(caller), let remote = channel.remoteAddress {
                    waiting.memberCame(from: remote.senderNetwork)
                }
                let link = try openSession(proof, on: channel, .address(address), isDialled: false)
                sessionHandler?.linkAccepted(link)
            case .stream:
                // Unproven until it has named its stream.
                try openOfferedStream(number, proof, on: channel)
            case .enroll:
                // Still a stranger, so the connection can be displaced.
                let link = try openEnrolling(
                    number, proof, on: channel, isDialled: false, hasPublicCode: caller == .announced)
                enrollmentHandler?.enrollLinkAccepted(link)
            }
        } catch {
            refuse(number, channel, address, error)
        }
    }

    private func isAdmitted(_ proof: TLSHandshake.Proof, as caller: Caller) -> Bool {
        switch caller {
        case .invited, .announced: proof.purpose == .enroll
        case .device(let device): device == proof.device && admission(of: device).mayDial(for: proof.purpose)
        }
    }

    private func isMember(_ caller: Caller) -> Bool {
        switch caller {
        case .invited, .announced: false
        case .device(let device): admission(of: device) == .member
        }
    }

    private func standing(of caller: Caller) -> WaitingCallers.Standing {
        caller == .announced ? .anyone : isMember(caller) ? .member : .known
    }

    func admission(of device: DeviceID) -> Admission { sessionHandler?.admission(of: device) ?? .stranger }

    private func refuse(_ number: UInt64, _ channel: any Channel, _ address: NetworkAddress, _ error: any Error) {
        settled(number)
        let failure = Failure(.connectionUnavailable, explaining: error)
        let isWorthSaying =
            failure.code == .versionUnsupported
            && oldVersions.take(Self.oldVersionsSaid, at: EventLoopTime(loop: loop).now)
        log.log(
            level: isWorthSaying ? .notice : .debug, "Connection refused",
            metadata: ["from": "\(address)", "reason": "\(failure)"])
        channel.close(promise: nil)
    }

    private func pushOut(_ number: UInt64?) {
        guard let number else { return }
        provisional[number]?(Failure(.limitReached, "too many unidentified connections"))
    }

    // MARK: Dialled

    package func dial(
        _ endpoint: PeerEndpoint, expecting device: DeviceID?,
        completion: @escaping (Result<any PeerLink, Failure>) -> Void
    ) {
        connect(endpoint, for: .session, with: secrets(calling: device)) { [weak self] key throws(Failure) in
            try self?.judgeAnswerer(key, expecting: device)
        } completion: { [weak self] result in
            completion(
                result.flatMap { channel, proof in
                    guard let self else { return .failure(Failure(.cancelled, "the daemon is stopping")) }
                    return Self.catching { try self.openSession(proof, on: channel, endpoint, isDialled: true) }
                })
        }
    }

    func secrets(calling device: DeviceID?) -> [CallSecret] { callDirectory?.secrets(calling: device) ?? [] }

    package func dialToEnroll(
        _ address: NetworkAddress, with secret: CallSecret,
        completion: @escaping (Result<any EnrollLink, Failure>) -> Void
    ) {
        // Any device may answer; the code decides once the channel is open.
        connect(.address(address), for: .enroll, with: [secret]) { _ in
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
        _ endpoint: PeerEndpoint, for purpose: ConnectionPurpose, with secrets: [CallSecret],
        until deadline: NIODeadline? = nil,
        judge: @escaping (DevicePublicKey) throws(Failure) -> Void,
        completion: @escaping (Result<(any Channel, TLSHandshake.Proof), Failure>) -> Void
    ) {
        let number = makeNumber()
        switch endpoint {
        case .address(let address):
            let dial = TLSDial(
                credentials: credentials, address: address, purpose: purpose, secrets: secrets,
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
        let link = TLSPeerLink(
            device: proof.device, isDialled: isDialled, endpoint: endpoint,
            localHost: channel.localAddress.flatMap { NetworkAddress($0)?.host })
        let connection = FrameConnection<PeerFrame>(
            channel: channel, rules: .init(.session, own: isDialled ? .caller : .answerer, lost: .deviceLost), log: log,
            received: { [weak self, unowned link] frame in self?.sessionHandler?.frameReceived(frame, on: link) },
            ended: { [weak self] failure in
                link.ended()
                guard let self else { return }
                self.links[ObjectIdentifier(link)] = nil
                self.sessionHandler?.linkClosed(link, failure: failure)
            })
        try channel.pipeline.syncOperations.addHandler(connection)
        link.connection = connection
        links[ObjectIdentifier(link)] = link
        return link
    }

    func streamMoved(with device: DeviceID) {
        for link in links.values where link.device == device { link.streamMoved() }
        sessionHandler?.streamMoved(with: device)
    }

    private func openEnrolling(
        _ number: UInt64, _ proof: TLSHandshake.Proof, on channel: any Channel, isDialled: Bool,
        hasPublicCode: Bool = false
    ) throws -> any EnrollLink {
        let link = TLSEnrollLink(
            remoteKey: proof.key.spki, from: channel.remoteAddress, hasPublicCode: hasPublicCode)
        let deadline = loop.assumeIsolated().scheduleTask(in: enrollTime) { [weak self] in
            self?.provisional[number]?(Failure(.connectionUnavailable, "joining took too long"))
        }
        let connection = FrameConnection<EnrollMessage>(
            channel: channel, rules: .init(.enroll, own: isDialled ? .caller : .answerer, lost: .connectionUnavailable),
            log: log,
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

extension Caller {
    /// The unit of `WaitingCallers`: one device, one address, or all that have the typed code.
    fileprivate func key(at address: NetworkAddress) -> String {
        switch self {
        case .device(let device): device.hex
        case .invited: "invited"
        case .announced: address.host
        }
    }
}

extension Failure {
    static func notAMember(_ device: DeviceID) -> Failure {
        Failure(.notAMember, "device \(device.short) does not belong to this account")
    }
}
