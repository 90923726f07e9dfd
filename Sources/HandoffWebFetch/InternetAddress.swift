// SPDX-License-Identifier: Apache-2.0

internal import CHandoffWebFetch
internal import Glibc

struct InternetAddress: Hashable, Sendable {
    enum Number: Hashable, Sendable {
        case ipv4(UInt32)
        /// Most significant first.
        case ipv6(UInt32, UInt32, UInt32, UInt32)
    }

    let number: Number
    /// For a link-local address, its interface; 0: unspecified.
    let scope: UInt32

    init(ipv4 number: UInt32) {
        self.number = .ipv4(number)
        scope = 0
    }

    init?(_ text: String) {
        var (ipv4, ipv6) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &ipv4) == 1 {
            self.init(ipv4)
        } else if inet_pton(AF_INET6, text, &ipv6) == 1 {
            self.init(ipv6, scope: 0)
        } else {
            return nil
        }
    }

    /// Nil for other families. The memory must be as large as the family requires.
    init?(_ pointer: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(pointer)
        switch CInt(pointer.pointee.sa_family) {
        case AF_INET: self.init(raw.loadUnaligned(as: sockaddr_in.self).sin_addr)
        case AF_INET6:
            let address = raw.loadUnaligned(as: sockaddr_in6.self)
            self.init(address.sin6_addr, scope: address.sin6_scope_id)
        default: return nil
        }
    }

    private init(_ address: in_addr) {
        number = .ipv4(UInt32(bigEndian: address.s_addr))
        scope = 0
    }

    fileprivate init(_ address: in6_addr, scope: UInt32) {
        let words = withUnsafeBytes(of: address) { bytes in
            (0..<4).map { UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)) }
        }
        number = .ipv6(words[0], words[1], words[2], words[3])
        self.scope = scope
    }

    /// Without the scope.
    var text: String {
        switch number {
        case .ipv4(let number): return Self.text(AF_INET, [number])
        case .ipv6(let first, let second, let third, let fourth):
            return Self.text(AF_INET6, [first, second, third, fourth])
        }
    }

    private static func text(_ family: CInt, _ words: [UInt32]) -> String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(family, words.map(\.bigEndian), &buffer, socklen_t(buffer.count)) != nil else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension InternetAddress {
    /// In the system's order of preference; empty for an unknown name. Blocks for name servers.
    static func all(of host: String) -> [InternetAddress] {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        return sequence(first: list) { $0?.pointee.ai_next }.prefix { $0 != nil }
            .compactMap { $0?.pointee.ai_addr.flatMap { InternetAddress(UnsafePointer($0)) } }
    }

    /// From name servers; nil without an answer. Takes at most four seconds. `port`: a server on 127.0.0.1, for tests.
    static func ipv6(of name: String, port: UInt16 = 0) -> [InternetAddress]? {
        var bytes = [UInt8](repeating: 0, count: 32 * 16)
        let count = cwebfetch_look_up(name, port, &bytes, CInt(bytes.count / 16))
        guard count >= 0 else { return nil }
        return (0..<Int(count)).map { index in
            var address = in6_addr()
            withUnsafeMutableBytes(of: &address) { $0.copyBytes(from: bytes[index * 16..<index * 16 + 16]) }
            return InternetAddress(address, scope: 0)
        }
    }

    /// Nil if unknown.
    static func numbersOfThisMachine() -> Set<Number>? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        return Set(
            sequence(first: list) { $0?.pointee.ifa_next }.prefix { $0 != nil }
                .compactMap { $0?.pointee.ifa_addr.flatMap { InternetAddress(UnsafePointer($0)) }?.number })
    }
}
