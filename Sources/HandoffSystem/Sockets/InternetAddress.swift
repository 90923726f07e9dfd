// SPDX-License-Identifier: Apache-2.0

package import Glibc

package struct InternetAddress: Sendable {
    package let family: CInt
    private let bytes: [UInt8]

    /// `host`: IPv6 may have a scope, `fe80::1%eth0`. Nil: a name, which is not looked up.
    package init?(host: String, port: UInt16) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = CInt(SOCK_DGRAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &list) == 0, let found = list?.pointee else { return nil }
        defer { freeaddrinfo(list) }
        family = found.ai_family
        bytes = Array(UnsafeRawBufferPointer(start: found.ai_addr, count: Int(found.ai_addrlen)))
    }

    package func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        bytes.withUnsafeBytes { body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count)) }
    }
}

extension OwnedDescriptor {
    package func bind(to address: InternetAddress) throws(SystemError) {
        guard address.withSocketAddress({ Glibc.bind(number, $0, $1) }) == 0 else { throw SystemError("bind") }
    }

    package func send(_ bytes: [UInt8], to address: InternetAddress) throws(SystemError) {
        let count = address.withSocketAddress { sendto(number, bytes, bytes.count, 0, $0, $1) }
        guard count == bytes.count else { throw SystemError("sendto") }
    }
}
