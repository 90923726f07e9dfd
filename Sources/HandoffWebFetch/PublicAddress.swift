// SPDX-License-Identifier: Apache-2.0

import HandoffSiteMessages

/// Keeps apps from making this device contact its local network or itself.
///
/// IPv4: everything outside IANA's special-purpose registry. IPv6: the allocated space without ranges that embed an
/// IPv4 address. NAT64's embedded address is examined instead.
enum PublicAddress {
    static func isPublic(_ address: InternetAddress) -> Bool {
        switch address.number {
        case .ipv4(let number): isPublic(ipv4: number)
        case .ipv6(let first, let second, let third, let fourth): isPublic(ipv6: first, second, third, fourth)
        }
    }

    private struct Range {
        let start: UInt32
        let bits: UInt32

        func contains(_ number: UInt32) -> Bool { (number ^ start) >> (32 - bits) == 0 }
    }

    private static let special = [
        Range(start: 0x0000_0000, bits: 8),  // 0.0.0.0/8: this network
        Range(start: 0x0A00_0000, bits: 8),  // 10.0.0.0/8: private
        Range(start: 0x6440_0000, bits: 10),  // 100.64.0.0/10: between a provider and its customers
        Range(start: 0x7F00_0000, bits: 8),  // 127.0.0.0/8: this machine
        Range(start: 0xA9FE_0000, bits: 16),  // 169.254.0.0/16: link-local
        Range(start: 0xAC10_0000, bits: 12),  // 172.16.0.0/12: private
        Range(start: 0xC000_0000, bits: 24),  // 192.0.0.0/24: protocols
        Range(start: 0xC000_0200, bits: 24),  // 192.0.2.0/24: examples
        Range(start: 0xC058_6300, bits: 24),  // 192.88.99.0/24: relays of 6to4
        Range(start: 0xC0A8_0000, bits: 16),  // 192.168.0.0/16: private
        Range(start: 0xC612_0000, bits: 15),  // 198.18.0.0/15: measuring
        Range(start: 0xC633_6400, bits: 24),  // 198.51.100.0/24: examples
        Range(start: 0xCB00_7100, bits: 24),  // 203.0.113.0/24: examples
        Range(start: 0xE000_0000, bits: 4),  // 224.0.0.0/4: multicast
        Range(start: 0xF000_0000, bits: 4),  // 240.0.0.0/4: reserved, broadcast
    ]

    private static func isPublic(ipv4 number: UInt32) -> Bool { !special.contains { $0.contains(number) } }

    private static func isPublic(ipv6 first: UInt32, _ second: UInt32, _ third: UInt32, _ fourth: UInt32) -> Bool {
        // 64:ff9b::/96, NAT64: the IPv4 internet as seen from an IPv6-only network.
        if first == 0x0064_FF9B, second == 0, third == 0 { return isPublic(ipv4: fourth) }
        // 2000::/3 is the allocated space. Outside it: ::1, ::ffff:0:0/96, fc00::/7, fe80::/10, ff00::/8.
        return Range(start: 0x2000_0000, bits: 3).contains(first)
            && !Range(start: 0x2001_0000, bits: 23).contains(first)  // 2001::/23: protocols, Teredo among them
            && !Range(start: 0x2001_0DB8, bits: 32).contains(first)  // 2001:db8::/32: examples
            && !Range(start: 0x2002_0000, bits: 16).contains(first)  // 2002::/16: 6to4
            && !Range(start: 0x3FFF_0000, bits: 20).contains(first)  // 3fff::/20: examples
    }
}

/// Accepts public addresses that are not this machine's own, unless the network's NAT64 translates them to a private
/// address or to one of this machine.
final class AddressJudge {
    /// Nil if unknown; then no address is allowed.
    private let own: Set<InternetAddress.Number>?
    private let lookUp: () -> [InternetAddress]?
    /// Looked up for the first IPv6 address. Nil without an answer.
    private lazy var prefixes = lookUp().map { Set($0.flatMap(TranslationPrefix.all) + [.wellKnown]) }

    /// `lookUp`: addresses of `TranslationPrefix.name`, or nil without an answer.
    init(own: Set<InternetAddress.Number>?, lookUp: @escaping () -> [InternetAddress]?) {
        self.own = own
        self.lookUp = lookUp
    }

    /// Why the address must not be used. Blocks once for name servers.
    func problem(of address: InternetAddress) -> SiteReport? {
        guard let own, isElsewhere(address, own) else { return .privateAddress }
        guard case .ipv6 = address.number else { return nil }
        guard let prefixes else {
            return .unreachable("no name server knows which IPv6 addresses this network translates")
        }
        // Prefixes only forbid addresses, so a false answer cannot open a network.
        let carried = prefixes.compactMap { $0.ipv4(in: address) }
        return carried.allSatisfy { isElsewhere(InternetAddress(ipv4: $0), own) } ? nil : .privateAddress
    }

    private func isElsewhere(_ address: InternetAddress, _ own: Set<InternetAddress.Number>) -> Bool {
        PublicAddress.isPublic(address) && !own.contains(address.number)
    }
}

extension SiteReport {
    fileprivate static let privateAddress = failed(
        .privateAddress, reason: "its address is on this machine or a private network")
}

/// A NAT64's prefix: its addresses embed an IPv4 address (RFC 6052).
struct TranslationPrefix: Hashable, Sendable {
    /// A name with IPv6 addresses only behind NAT64 (RFC 7050).
    static let name = "ipv4only.arpa"
    /// 192.0.0.170 and 192.0.0.171.
    private static let nameAddresses: Set<UInt32> = [0xC000_00AA, 0xC000_00AB]
    /// Bits.
    private static let lengths = [32, 40, 48, 56, 64, 96]
    /// Outside the prefix, never a part of the embedded address.
    private static let reservedByte = 8

    /// 64:ff9b::/96.
    static let wellKnown = TranslationPrefix(bytes: [0x00, 0x64, 0xFF, 0x9B] + Array(repeating: 0, count: 8))

    private let bytes: [UInt8]

    /// Possible prefixes for an IPv6 address of ``name``.
    static func all(in address: InternetAddress) -> [TranslationPrefix] {
        lengths.map { TranslationPrefix(bytes: Array(address.bytes.prefix($0 / 8))) }
            .filter { prefix in prefix.ipv4(in: address).map(nameAddresses.contains) ?? false }
    }

    /// Nil outside this prefix.
    func ipv4(in address: InternetAddress) -> UInt32? {
        let all = address.bytes
        guard all.count == 16, all.starts(with: bytes) else { return nil }
        return all.indices.dropFirst(bytes.count).filter { $0 != Self.reservedByte }.prefix(4)
            .reduce(0) { $0 << 8 | UInt32(all[$1]) }
    }
}

extension InternetAddress {
    /// In network order.
    fileprivate var bytes: [UInt8] {
        let words =
            switch number {
            case .ipv4(let number): [number]
            case .ipv6(let first, let second, let third, let fourth): [first, second, third, fourth]
            }
        return words.flatMap { word in withUnsafeBytes(of: word.bigEndian, Array.init) }
    }
}
