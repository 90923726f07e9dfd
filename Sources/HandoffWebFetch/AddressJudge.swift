// SPDX-License-Identifier: Apache-2.0

internal import HandoffSiteMessages

/// Accepts public addresses that are not this machine's own, unless the network's NAT64 translates them to a private
/// address or to one of this machine.
final class AddressJudge {
    /// Nil if unknown; then no address is allowed.
    private let own: Set<InternetAddress.Number>?
    private let lookUp: () -> [InternetAddress]?
    /// Looked up before the first IPv6 address is used. Nil if no name server answered.
    private lazy var prefixes = lookUp().map { Set($0.flatMap(TranslationPrefix.all) + [.wellKnown]) }

    /// `lookUp` returns the IPv6 addresses of `TranslationPrefix.name`, or nil if no name server answered.
    init(own: Set<InternetAddress.Number>?, lookUp: @escaping () -> [InternetAddress]?) {
        self.own = own
        self.lookUp = lookUp
    }

    /// Why this address must not be used, or nil. Blocks once for name servers.
    func problem(of address: InternetAddress) -> SiteReport? {
        guard let own, isElsewhere(address, own) else { return .privateAddress }
        guard case .ipv6 = address.number else { return nil }
        guard let prefixes else {
            return .unreachable("no name server knows which IPv6 addresses this network translates")
        }
        // A prefix only forbids addresses, so a false answer of a name server cannot open a network.
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
