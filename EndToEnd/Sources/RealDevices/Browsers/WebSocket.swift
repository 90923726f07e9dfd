// SPDX-License-Identifier: Apache-2.0

import CPacketSocket
import Foundation

/// A WebSocket client (RFC 6455) for this machine that sends and receives text messages in order. Written here so that
/// this package still builds in seconds.
final class WebSocket {
    private let socket: Int32
    private var bytes: [UInt8] = []
    private static let patience = Duration.seconds(30)

    /// `space`: the network namespace of the server; nil: this one.
    init(port: UInt16, path: String, in space: String?) throws {
        socket = cpacket_connect(space, Int32(port))
        guard socket >= 0 else { throw Unmet("port \(port): \(String(cString: strerror(-socket)))") }
        // The handshake's key has no use between two programs of one test.
        let request = """
            GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: websocket\r\nConnection: Upgrade\r
            Sec-WebSocket-Key: aGFuZG9mZiBoYW5kb2ZmIQ==\r\nSec-WebSocket-Version: 13\r\n\r\n
            """
        try write(Array(request.utf8))
        let deadline = ContinuousClock.now + Self.patience
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let found = bytes.firstRange(of: end) {
                let head = String(decoding: bytes[..<found.lowerBound], as: UTF8.self)
                guard head.contains(" 101 ") else { throw Unmet("no WebSocket at \(path): \(head)") }
                bytes.removeSubrange(..<found.upperBound)
                return
            }
            try readMore(until: deadline)
        }
    }

    deinit { close(socket) }

    func send(_ text: String) throws { try send(Array(text.utf8), kind: 1) }

    private func send(_ body: [UInt8], kind: UInt8) throws {
        var frame: [UInt8] = [0x80 | kind]
        switch body.count {
        case ..<126: frame.append(0x80 | UInt8(body.count))
        case ..<65536: frame += [0x80 | 126, UInt8(body.count >> 8), UInt8(body.count & 255)]
        default:
            frame.append(0x80 | 127)
            frame += (0..<8).reversed().map { UInt8(body.count >> ($0 * 8) & 255) }
        }
        // Clients must mask their messages. Firefox rejects a mask of zeros.
        let mask: [UInt8] = [1, 2, 3, 4]
        try write(frame + mask + body.enumerated().map { $1 ^ mask[$0 % 4] })
    }

    /// The next message.
    func receive(until deadline: ContinuousClock.Instant) throws -> String {
        var message: [UInt8] = []
        while true {
            let (kind, isLast, body) = try frame(until: deadline)
            switch kind {
            case 0, 1, 2:
                message += body
                if isLast { return String(decoding: message, as: UTF8.self) }
            case 8: throw Unmet("the browser closed its WebSocket")
            case 9: try send(body, kind: 10)
            default: break
            }
        }
    }

    private func frame(until deadline: ContinuousClock.Instant) throws -> (UInt8, Bool, [UInt8]) {
        while true {
            if let (frame, length) = parsed() {
                bytes.removeSubrange(..<length)
                return frame
            }
            try readMore(until: deadline)
        }
    }

    private func parsed() -> (frame: (UInt8, Bool, [UInt8]), length: Int)? {
        guard bytes.count >= 2 else { return nil }
        var start = 2
        var count = Int(bytes[1] & 0x7F)
        if count >= 126 {
            start += count == 126 ? 2 : 8
            guard bytes.count >= start else { return nil }
            count = bytes[2..<start].reduce(0) { $0 << 8 | Int($1) }
        }
        guard bytes.count >= start + count else { return nil }
        return ((bytes[0] & 0x0F, bytes[0] & 0x80 != 0, Array(bytes[start..<start + count])), start + count)
    }

    private func readMore(until deadline: ContinuousClock.Instant) throws {
        var poller = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        let rest = max(.zero, ContinuousClock.now.duration(to: deadline))
        guard poll(&poller, 1, Int32(rest / .milliseconds(1)) + 1) > 0 else {
            throw Unmet("the browser did not answer in time")
        }
        var buffer = [UInt8](repeating: 0, count: 256 * 1024)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { throw Unmet("the browser is gone") }
        bytes += buffer[..<count]
    }

    private func write(_ data: [UInt8]) throws {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Unmet("the browser is gone") }
            rest = rest.dropFirst(count)
        }
    }
}
