// SPDX-License-Identifier: Apache-2.0

/// An IPv6 prefix that a network's NAT64 translates: every address in it embeds an IPv4 address (RFC 6052).
struct TranslationPrefix: Hashable, Sendable {
    /// A name with IPv6 addresses only behind NAT64 (RFC 7050).
    static let name = "ipv4only.arpa"
    /// Its IPv4 addresses, 192.0.0.170 and 192.0.0.171.
    private static let nameAddresses: Set<UInt32> = [0xC000_00AA, 0xC000_00AB]
    /// In bits.
    private static let lengths = [32, 40, 48, 56, 64, 96]
    /// Never contains a part of the embedded address, unless it is in the prefix.
    private static let reservedByte = 8

    /// 64:ff9b::/96, the well-known prefix.
    static let wellKnown = TranslationPrefix(bytes: [0x00, 0x64, 0xFF, 0x9B] + Array(repeating: 0, count: 8))

    private let bytes: [UInt8]

    /// The prefixes that could have produced an IPv6 address of ``name``; usually one.
    static func all(in address: InternetAddress) -> [TranslationPrefix] {
        lengths.map { TranslationPrefix(bytes: Array(address.bytes.prefix($0 / 8))) }
            .filter { prefix in prefix.ipv4(in: address).map(nameAddresses.contains) ?? false }
    }

    /// The embedded IPv4 address; nil outside this prefix.
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
