// SPDX-License-Identifier: Apache-2.0

internal import CCurl
internal import Glibc
package import HandoffSiteWords

/// One question to a site: name to address, connection, handshake, answer.
///
/// The name is looked up once, and the connection goes to an address that was judged: there is no second lookup that
/// could say something else.
package struct SiteErrand {
    private let order: SiteOrder
    private let deadline: ContinuousClock.Instant

    package init(_ order: SiteOrder) {
        self.order = order
        deadline = .now + .milliseconds(order.time)
    }

    /// Waits for all of it.
    package func run() -> SiteReport {
        let addresses =
            order.addresses.isEmpty
            ? InternetAddress.all(of: order.host) : order.addresses.compactMap(InternetAddress.init)
        guard !addresses.isEmpty else { return .failed(.nameUnknown, reason: "its name cannot be resolved") }
        let allowed = order.isAnywhere ? addresses : Self.elsewhere(addresses)
        guard !allowed.isEmpty else {
            return .failed(.privateAddress, reason: "its address is on this machine or a private network")
        }
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
            return .unreachable("libcurl cannot be used")
        }
        return ask(allowed.prefix(Int(order.addressCount)))
    }

    /// Public ones. One of this machine's own may be public, too.
    private static func elsewhere(_ addresses: [InternetAddress]) -> [InternetAddress] {
        guard let own = InternetAddress.ofThisMachine() else { return [] }
        return addresses.filter { PublicAddress.isPublic($0) && !own.contains($0.number) }
    }

    /// One after the other, until one takes the connection.
    private func ask(_ addresses: ArraySlice<InternetAddress>) -> SiteReport {
        var last = SiteReport.timedOut
        for (index, address) in zip(addresses.indices, addresses) {
            let left = (deadline - .now) / .milliseconds(1)
            guard left >= 1 else { return .timedOut }
            let time = UInt32(left)
            let isLast = index == addresses.indices.last
            let request = SiteRequest(
                order: order, address: address, connectTime: isLast ? time : min(time, order.connectTime), time: time)
            switch request.run() {
            case .report(let report): return report
            case .noWay(let report): last = report
            }
        }
        return last
    }
}
