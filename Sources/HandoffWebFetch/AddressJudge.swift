// SPDX-License-Identifier: Apache-2.0

internal import HandoffSiteWords

/// Decides which addresses of a site may be asked: public addresses that are not this machine's own, and do not lead to
/// such an address through the network's NAT64.
final class AddressJudge {
    /// nil: unknown, and no address is allowed.
    private let own: Set<InternetAddress.Number>?
    private let lookUp: () -> [InternetAddress]?
    /// Looked up when the first IPv6 address is about to be used. nil: no name server answered.
    private lazy var prefixes = lookUp().map { Set($0.flatMap(TranslationPrefix.all) + [.wellKnown]) }

    /// `lookUp` returns the IPv6 addresses of `TranslationPrefix.name`, nil if no name server answered.
    init(own: Set<InternetAddress.Number>?, lookUp: @escaping () -> [InternetAddress]?) {
        self.own = own
        self.lookUp = lookUp
    }

    /// Why this address is not to be used; nil: it may be. Waits for name servers once.
    func problem(of address: InternetAddress) -> SiteReport? {
        guard let own, isElsewhere(address, own) else { return .privateAddress }
        guard case .ipv6 = address.number else { return nil }
        guard let prefixes else {
            return .unreachable("no name server says which IPv6 addresses this network translates")
        }
        // A prefix only ever forbids: a name server that lies about it opens no network.
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
