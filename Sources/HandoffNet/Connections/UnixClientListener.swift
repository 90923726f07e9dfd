// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
package import HandoffSystem
import HandoffWire
package import Logging
package import NIOCore
import NIOPosix

/// Closes other users' connections unread.
///
/// The caller holds the daemon's lock, so it replaces a dead daemon's socket, unless a service manager listens on that.
/// A socket from the service manager is used instead, and stays at the end.
package final class UnixClientListener: ClientListener {
    /// Above the daemon's limit, so that it can refuse with an error message.
    static let clients = ClientLimits().clients + 16
    /// Above the daemon's limit, so that it can refuse with an error message.
    static let streams = 512

    weak var handler: (any ClientListenerHandler)?

    private let path: String
    private let supervisor: Supervisor
    private let loop: any EventLoop
    private let userID: UInt32
    private let log: Logger
    private let credentials: (Int32) -> PeerCredentials?
    private let streamsAtOnce: Int
    private var links: [ObjectIdentifier: UnixClientLink] = [:]
    private var streams: [ObjectIdentifier: ChannelStreamLink] = [:]
    /// Until `accept`.
    private var bound: OwnedDescriptor?
    private var listening: EventLoopFuture<any Channel>?
    private var isPassed = false

    package convenience init(path: String, supervisor: Supervisor = .absent, loop: any EventLoop, log: Logger) {
        self.init(
            path: path, supervisor: supervisor, loop: loop, userID: getuid(), log: log,
            credentials: { PeerCredentials(socket: $0) })
    }

    init(
        path: String, supervisor: Supervisor = .absent, loop: any EventLoop,
        userID: UInt32, log: Logger, streamsAtOnce: Int = UnixClientListener.streams,
        credentials: @escaping (Int32) -> PeerCredentials?
    ) {
        self.path = path
        self.supervisor = supervisor
        self.loop = loop
        self.userID = userID
        self.log = log
        self.credentials = credentials
        self.streamsAtOnce = streamsAtOnce
    }

    package func start() throws {
        try prepareDirectory()
        bound = try passedSocket() ?? boundSocket()
    }

    /// Listens again if another program removed the socket. Keeps connections.
    package func restore() throws {
        guard bound != nil || listening != nil, !path.isThere else { return }
        try prepareDirectory()
        bound = try boundSocket()
        isPassed = false
        if let former = listening {
            accept()
            former.whenSuccess { $0.close(promise: nil) }
        }
        log.warning("Created the socket again, which another program had removed", metadata: ["path": "\(path)"])
    }

    package func accept() {
        guard let socket = bound.take() else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        listening = ServerBootstrap(group: loop, childGroup: loop)
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

    package func stop() {
        listening?.whenSuccess { $0.close(promise: nil) }
        listening = nil
        bound = nil
        if !isPassed { unlink(path) }
        for link in links.values { link.close() }
        for stream in streams.values { stream.cut(Failure(.cancelled, "the daemon is stopping")) }
    }

    // MARK: The socket

    private func prepareDirectory() throws(Failure) {
        do throws(SystemError) {
            _ = try PrivateFolder.make(path.parent)
        } catch {
            throw Failure(.stateNotWritable, error.explanation ?? "cannot create the folder \(error)")
        }
    }

    private func passedSocket() throws(Failure) -> OwnedDescriptor? {
        do throws(SystemError) {
            guard let socket = try supervisor.takeListener(at: path) else { return nil }
            isPassed = true
            return try OwnedDescriptor(duplicating: socket.descriptor)
        } catch {
            throw Failure(.stateNotWritable, error.description)
        }
    }

    private func boundSocket() throws(Failure) -> OwnedDescriptor {
        var info = stat()
        if lstat(path, &info) == 0 {
            guard info.st_mode & S_IFMT == S_IFSOCK else {
                throw Failure(.stateNotWritable, "\(path) is in the way: it is not a socket")
            }
            guard !UnixSockets.isListenedTo(path) else {
                throw Failure(
                    .notAllowed,
                    "the service manager listens at \(path) for handoffd: start it with systemctl --user start handoffd, or give "
                        + "this handoffd its own --root")
            }
            unlink(path)
        }
        guard let address = try? SocketAddress(unixDomainSocketPath: path) else {
            throw Failure(.stateNotWritable, "\(path) is too long for a socket's name: at most 103 bytes")
        }
        do {
            let socket = try OwnedDescriptor.socket(AF_UNIX, SOCK_STREAM)
            try socket.bind(to: address)
            chmod(path, 0o600)
            try socket.listen(backlog: 128)
            return socket
        } catch {
            throw Failure(.stateNotWritable, "cannot listen on \(path): \(error.reason)")
        }
    }

    // MARK: Programs

    /// If this throws, the channel is closed unread.
    private func accepted(_ channel: any Channel) throws {
        let credentials = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self
        ) {
            self.credentials($0)
        }
        guard let credentials = credentials ?? nil, credentials.userID == userID else {
            log.warning("Refused another user's program")
            throw Failure(.notAllowed, "another user")
        }
        guard links.count < Self.clients else {
            log.warning("Refused a program: too many are connected", metadata: ["limit": "\(Self.clients)"])
            throw Failure(.limitReached, "too many programs are connected")
        }
        let link = UnixClientLink(credentials: credentials)
        let connection = FrameConnection<LocalFrame>(
            channel: channel, rules: .init(sending: .local, receiving: .local, lost: .appGone), log: log,
            received: { [weak self, unowned link] frame in self?.received(frame, on: link) },
            ended: { [weak self] failure in self?.ended(link, failure) })
        link.connection = connection
        connection.caughtUp = { [weak self, unowned link] in self?.handler?.clientCaughtUp(link) }
        try channel.pipeline.syncOperations.addHandler(connection)
        links[ObjectIdentifier(link)] = link
        // Once the channel can send, but before its first read.
        loop.assumeIsolated().execute { [weak self] in self?.handler?.clientAccepted(link) }
    }

    private func received(_ frame: LocalFrame, on link: UnixClientLink) {
        guard link.isFresh, case .streams(.attachStream(let token)) = frame.message else {
            link.isFresh = false
            handler?.frameReceived(frame, on: link)
            return
        }
        attach(token, request: frame.request, link)
    }

    private func ended(_ link: UnixClientLink, _ failure: Failure?) {
        link.connection = nil
        guard links.removeValue(forKey: ObjectIdentifier(link)) != nil else { return }
        handler?.clientClosed(link, failure: failure)
    }

    // MARK: Streams

    private func attach(_ token: StreamToken, request: UInt64, _ link: UnixClientLink) {
        guard let connection = link.connection else { return }
        ended(link, nil)
        guard streams.count < streamsAtOnce else {
            log.warning("Refused a stream: too many are attached", metadata: ["limit": "\(streamsAtOnce)"])
            let failure = Failure(.limitReached, "\(streamsAtOnce) streams are already attached")
            connection.send(LocalFrame(.failure(failure), answer: request))
            return connection.close()
        }
        let rest = connection.release()
        do {
            let answer = ChannelStreamLink.Answer(
                ready: try LocalFrame(.done(accepted: true), answer: request).framed(within: .local),
                refusal: { try? LocalFrame(.failure($0), answer: request).framed(within: .local) })
            let stream = try ChannelStreamLink.take(connection.channel, party: .app, answer: answer) { [weak self] in
                self?.streams[ObjectIdentifier(connection)] = nil
            }
            streams[ObjectIdentifier(connection)] = stream
            offer(stream, token, by: link.processID, rest)
        } catch {
            log.debug("Lost a stream that was attached", metadata: ["reason": "\(error)"])
            connection.channel.close(promise: nil)
        }
    }

    private func offer(_ stream: ChannelStreamLink, _ token: StreamToken, by processID: Int32, _ rest: ByteBuffer?) {
        guard rest == nil else { return stream.refuse(.bytesBeforeAnswer) }
        guard let handler else { return stream.refuse(Failure(.cancelled, "the daemon is stopping")) }
        handler.streamAttached(token, by: processID, on: stream)
    }
}

final class UnixClientLink: ClientLink {
    let processID: Int32
    let program: RunningProgram?
    var isFresh = true
    var connection: FrameConnection<LocalFrame>?

    init(credentials: PeerCredentials) {
        processID = credentials.processID
        program = credentials.program
    }

    func send(_ frame: LocalFrame) { connection?.send(frame) }
    var isBehind: Bool { connection?.isBehind == true }
    func close() { connection?.close() }
}
