// SPDX-License-Identifier: Apache-2.0

internal import CCurl
internal import Glibc
import HandoffSiteMessages

/// Connects to the address that was checked: a second lookup could return another one.
struct SiteFetchTask {
    private let order: SiteOrder
    private let deadline: ContinuousClock.Instant

    init(_ order: SiteOrder) {
        self.order = order
        deadline = .now + .milliseconds(order.time)
    }

    func run() -> SiteReport {
        let addresses =
            order.addresses.isEmpty
            ? InternetAddress.all(of: order.host) : order.addresses.compactMap(InternetAddress.init)
        guard !addresses.isEmpty else { return .failed(.nameUnknown, reason: "its name cannot be resolved") }
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
            return .unreachable("libcurl cannot be used")
        }
        return ask(addresses, judge: order.isAnywhere ? nil : Self.judge())
    }

    private static func judge() -> AddressJudge {
        AddressJudge(own: InternetAddress.numbersOfThisMachine()) { InternetAddress.ipv6(of: TranslationPrefix.name) }
    }

    /// `judge` nil allows any.
    private func ask(_ addresses: [InternetAddress], judge: AddressJudge?) -> SiteReport {
        var (last, refusal): (SiteReport?, SiteReport?)
        var triesLeft = order.addressCount
        for (index, address) in addresses.enumerated() where triesLeft > 0 {
            if let problem = judge?.problem(of: address) {
                refusal = refusal ?? problem
                continue
            }
            triesLeft -= 1
            let left = (deadline - .now) / .milliseconds(1)
            guard left >= 1 else { return .timedOut }
            let time = UInt32(left)
            let isLast = triesLeft == 0 || index == addresses.indices.last
            let request = SiteRequest(
                order: order, address: address, connectTime: isLast ? time : min(time, order.connectTime), time: time)
            switch request.run() {
            case .report(let report): return report
            case .noWay(let report): last = report
            }
        }
        return last ?? refusal ?? .timedOut
    }
}
