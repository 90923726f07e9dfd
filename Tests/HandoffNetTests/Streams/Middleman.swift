// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffSystem
import NIOCore
import NIOPosix
import Synchronization

@testable import HandoffNet

/// An attacker between two devices. Without their keys it can only relay, delay and end connections.
final class Middleman: Sendable {
    enum Sender: Sendable {
        case dialler, answerer
    }

    let address: NetworkAddress
    private let listener: Int32
    private let sockets = Mutex<(dialler: Int32, answerer: Int32)?>(nil)
    private let heldBack = Mutex<Sender?>(nil)

    /// One thread for accepting, and one for each direction.
    private static let threads: NIOThreadPool = {
        let threads = NIOThreadPool(numberOfThreads: 24)
        threads.start()
        return threads
    }()

    init(to other: NetworkAddress) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        let anywhere = try SocketAddress(ipAddress: "127.0.0.1", port: 0)
        let bound = anywhere.withSockAddr { bind(listener, $0, socklen_t($1)) }
        guard bound == 0, listen(listener, 1) == 0 else { throw SystemError("listen") }
        var name = [UInt8](repeating: 0, count: 16)
        var length = socklen_t(name.count)
        name.withUnsafeMutableBytes {
            _ = getsockname(listener, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
        }
        address = NetworkAddress(host: "127.0.0.1", port: UInt16(name[2]) << 8 | UInt16(name[3]))
        Self.threads.submit { _ in self.pass(to: other) }
    }

    deinit {
        close(listener)
        guard let sockets = sockets.withLock({ $0 }) else { return }
        close(sockets.dialler)
        close(sockets.answerer)
    }

    private func pass(to other: NetworkAddress) {
        let dialler = accept(listener, nil, nil)
        let answerer = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let connected = other.socketAddress?.withSockAddr { connect(answerer, $0, socklen_t($1)) }
        guard dialler >= 0, connected == 0 else { return }
        sockets.withLock { $0 = (dialler, answerer) }
        Self.threads.submit { _ in self.pass(from: dialler, to: answerer, of: .dialler) }
        Self.threads.submit { _ in self.pass(from: answerer, to: dialler, of: .answerer) }
    }

    private func pass(from: Int32, to: Int32, of sender: Sender) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(from, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            guard heldBack.withLock({ $0 != sender }) else { continue }
            var rest = buffer[..<count]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes { send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard sent > 0 else { break }
                rest = rest.dropFirst(sent)
            }
        }
        // If one side ends, end the other side too. Delayed bytes stay delayed.
        if heldBack.withLock({ $0 != sender }) { shutdown(to, Int32(SHUT_RDWR)) }
    }

    func holdBack(_ sender: Sender) { heldBack.withLock { $0 = sender } }

    /// Ends one direction like TCP does: with a FIN, but without TLS's goodbye. The other direction stays open.
    func end(_ sender: Sender) {
        guard let sockets = sockets.withLock({ $0 }) else { return }
        shutdown(sender == .dialler ? sockets.answerer : sockets.dialler, Int32(SHUT_WR))
    }
}
