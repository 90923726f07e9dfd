// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A blocking connection to a daemon's socket, after the hello.
struct Daemon {
    let socket: Int32

    init?(path: String) {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let socket = socket
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else { return nil }
        // hello (10) { min_version = 1, max_version = 1, role = CONTROL, name = "bench" }
        send(Wire.request(1) + Wire.message(10, [0x08, 1, 0x10, 1, 0x18, 2] + Wire.message(5, Array("bench".utf8))))
        guard !Wire.fields(11, of: receive()).isEmpty else { return nil }
    }

    func send(_ body: [UInt8]) {
        let length = UInt32(body.count)
        let frame =
            [UInt8(length >> 24), UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255)] + body
        _ = frame.withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
    }

    func receive() -> [UInt8] {
        let header = read(count: 4)
        return read(count: header.reduce(0) { $0 << 8 | Int($1) })
    }

    private func read(count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { Glibc.read(socket, $0.baseAddress! + done, count - done) }
            guard got > 0 else { exit(1) }
            done += got
        }
        return bytes
    }
}

/// The part of protobuf's wire format that these measurements need.
enum Wire {
    static func request(_ number: UInt64) -> [UInt8] { [0x08] + varint(number) }

    static func message(_ field: Int, _ body: [UInt8]) -> [UInt8] {
        varint(UInt64(field << 3 | 2)) + varint(UInt64(body.count)) + body
    }

    /// The length-delimited fields of that number.
    static func fields(_ number: Int, of message: [UInt8]) -> [[UInt8]] {
        walk(message).compactMap { $0.number == number ? $0.bytes : nil }
    }

    static func varints(_ number: Int, of message: [UInt8]) -> [UInt64] {
        walk(message).compactMap { $0.number == number && $0.bytes == nil ? $0.value : nil }
    }

    private static func walk(_ message: [UInt8]) -> [(number: Int, value: UInt64, bytes: [UInt8]?)] {
        var found: [(Int, UInt64, [UInt8]?)] = []
        var index = 0
        func next() -> UInt64 {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while index < message.count {
                let byte = message[index]
                index += 1
                value |= UInt64(byte & 127) << shift
                if byte < 128 { break }
                shift += 7
            }
            return value
        }
        while index < message.count {
            let key = next()
            switch key & 7 {
            case 0: found.append((Int(key >> 3), next(), nil))
            case 1: index += 8
            case 2:
                let length = Int(next())
                found.append((Int(key >> 3), 0, Array(message[index..<min(index + length, message.count)])))
                index += length
            case 5: index += 4
            default: return found
            }
        }
        return found
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        var value = value
        var bytes: [UInt8] = []
        while value >= 128 {
            bytes.append(UInt8(value & 127) | 128)
            value >>= 7
        }
        return bytes + [UInt8(value)]
    }
}
