// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HandoffClient
import HandoffSystem
import HandoffWire

/// The daemon's end of a real socket. Answers with welcome and done automatically; the test sends the rest.
final class FakeDaemon: Sendable {
    struct Manners: Sendable {
        /// Nil: the hello is not answered.
        var answersHello: LocalMessage?
        var answersPublish = LocalMessage.done(accepted: true)
        /// Nil: requests for containers are not answered.
        var answersContainers: LocalMessage? = .documents(.containers([], accountToken: nil))

        init() {
            answersHello = .welcome(
                Welcome(
                    version: 1, deviceName: DisplayText(cleaning: "laptop"), isRegistered: true,
                    software: DisplayText(cleaning: "fake")))
        }
    }

    /// Descriptors are closed only while they are being removed from here, because a closed descriptor's number may be
    /// reused by another test at once.
    private final class Sockets: Sendable {
        private struct Numbers {
            var listener: CInt?
            var connections: [CInt] = []
            /// The newest connection of an app, not of a stream.
            var client: CInt?
        }

        private let numbers = Lock(Numbers())

        var isListening: Bool { numbers.withLock { $0.listener != nil } }

        func listen(_ listener: CInt) { numbers.withLock { $0.listener = listener } }

        func connected(_ connection: CInt, to listener: CInt) {
            numbers.withLock { numbers in
                // Accepted just before the end.
                if numbers.listener != listener { shutdown(connection, CInt(SHUT_RDWR)) }
                numbers.connections.append(connection)
            }
        }

        /// The connection has sent a hello.
        func isClient(_ connection: CInt) {
            numbers.withLock { numbers in
                if numbers.connections.contains(connection) { numbers.client = connection }
            }
        }

        func withClient(_ body: (CInt) -> Void) { numbers.withLock { $0.client.map(body) } }

        /// Wakes the reading threads, which then close.
        func shutDown() {
            numbers.withLock { numbers in
                if let listener = numbers.listener { shutdown(listener, CInt(SHUT_RDWR)) }
                for socket in numbers.connections { shutdown(socket, CInt(SHUT_RDWR)) }
                numbers = Numbers()
            }
        }

        /// The connection has another owner now.
        func forget(_ connection: CInt) { numbers.withLock { $0.connections.removeAll { $0 == connection } } }

        func close(_ socket: CInt) {
            numbers.withLock { numbers in
                numbers.connections.removeAll { $0 == socket }
                if numbers.client == socket { numbers.client = nil }
                if numbers.listener == socket { numbers.listener = nil }
                _ = Glibc.close(socket)
            }
        }
    }

    private struct State {
        var lastRequest: UInt64 = 1000
        var answers: [UInt64: Mailbox<LocalMessage>] = [:]
    }

    let locations: Locations
    let hellos = Mailbox<LocalHello>()
    /// The clients' own messages: publications, withdrawals, requests.
    let frames = Mailbox<LocalFrame>()
    /// Answers to requests that are no longer waited for.
    let strays = Mailbox<LocalFrame>()
    /// Connections whose first frame was attachStream. The test owns them.
    let attached = Mailbox<StreamEndpoint>()
    let containersAsked = Mailbox<Void>()
    private let manners: Manners
    private let sockets = Sockets()
    private let state = Lock(State())

    init(_ locations: Locations, manners: Manners = Manners()) {
        self.locations = locations
        self.manners = manners
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: locations.root ?? "")
    }

    func start() throws {
        mkdir(locations.runtime.parent, 0o700)
        mkdir(locations.runtime, 0o700)
        let listener = try listeningSocket(at: locations.socket)
        sockets.listen(listener)
        onThread { [weak self, sockets] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return sockets.close(listener) }
                sockets.connected(connection, to: listener)
                onThread { [weak self] in
                    // The daemon stays as long as a client is connected.
                    if let self, let token = readFrames(from: connection, { self.take($0, on: connection) }) {
                        sockets.forget(connection)
                        self.attached.post(StreamEndpoint(connection, token: token))
                    } else {
                        sockets.close(connection)
                    }
                }
            }
        }
    }

    /// Like a killed daemon: connections break, but the socket's file stays.
    func kill() {
        sockets.shutDown()
        state.withLock { $0.answers = [:] }
    }

    func stop() {
        guard sockets.isListening else { return }
        kill()
        unlink(locations.socket)
    }

    func send(_ frame: LocalFrame) {
        sockets.withClient { write(frame, to: $0) }
    }

    func send(_ message: LocalMessage) { send(LocalFrame(message)) }

    /// Asks the newest client; the mailbox receives its answer.
    func ask(_ message: LocalMessage) -> Mailbox<LocalMessage> {
        let answer = Mailbox<LocalMessage>()
        let request = state.withLock { state in
            state.lastRequest += 1
            state.answers[state.lastRequest] = answer
            return state.lastRequest
        }
        send(LocalFrame(message, request: request))
        return answer
    }

    func request(_ message: LocalMessage) async throws -> LocalMessage { try await ask(message).next() }

    /// The next publication; fails on any other frame.
    func nextPublication() async throws -> Publication {
        let frame = try await frames.next()
        guard case .advertising(.publish(let publication)) = frame.message else { throw Unexpected(frame: frame) }
        return publication
    }

    func nextWithdrawal() async throws -> ActivityID {
        let frame = try await frames.next()
        guard case .advertising(.withdraw(let activity)) = frame.message else { throw Unexpected(frame: frame) }
        return activity
    }

    /// Nil: nothing is withheld any longer.
    func nextWithholding() async throws -> WithheldActivity? {
        let frame = try await frames.next()
        guard case .advertising(.withhold(let withheld)) = frame.message else { throw Unexpected(frame: frame) }
        return withheld
    }

    struct Unexpected: Error { let frame: LocalFrame }

    private func take(_ frame: LocalFrame, on connection: CInt) {
        if frame.answer != 0 {
            let waiting = state.withLock { $0.answers.removeValue(forKey: frame.answer) }
            if let waiting { waiting.post(frame.message) } else { strays.post(frame) }
            return
        }
        switch frame.message {
        case .hello(let hello):
            sockets.isClient(connection)
            if let answer = manners.answersHello { write(LocalFrame(answer, answer: frame.request), to: connection) }
            hellos.post(hello)
        case .advertising(.publish):
            frames.post(frame)
            // A refusal is also sent to a request that expects no answer.
            if frame.request != 0 || manners.answersPublish != .done(accepted: true) {
                write(LocalFrame(manners.answersPublish, answer: frame.request), to: connection)
            }
        case .documents(.showContainers):
            if let answer = manners.answersContainers {
                write(LocalFrame(answer, answer: frame.request), to: connection)
            }
            containersAsked.post(())
        default:
            frames.post(frame)
        }
    }

    private func write(_ frame: LocalFrame, to connection: CInt) {
        guard let body = try? frame.encoded(), let bytes = try? FrameHeader.framed(body, limit: Limits.frameBytes)
        else {
            return
        }
        writeRaw(bytes, to: connection)
    }

    func sendRaw(_ bytes: [UInt8]) {
        sockets.withClient { writeRaw(bytes, to: $0) }
    }

    private func writeRaw(_ bytes: [UInt8], to connection: CInt) {
        _ = bytes.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
    }
}

extension String {
    fileprivate var parent: String { lastIndex(of: "/").map { String(self[..<$0]) } ?? "/" }
}

func listeningSocket(at path: String) throws -> CInt {
    let listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    unlink(path)
    let bound = withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    guard bound == 0, listen(listener, 16) == 0 else { throw Failure(.internal, "cannot listen: \(errno)") }
    return listener
}

/// Reads until the other end is closed, or attaches to a stream; then returns the token.
@discardableResult
func readFrames(from connection: CInt, _ take: (LocalFrame) -> Void) -> StreamToken? {
    var assembler = FrameAssembler(limit: Limits.frameBytes)
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
        let count = recv(connection, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        assembler.append(buffer[..<count])
        while let body = try? assembler.next(), let frame = try? LocalFrame(encoded: body) {
            if case .streams(.attachStream(let token)) = frame.message { return token }
            take(frame)
        }
    }
}
