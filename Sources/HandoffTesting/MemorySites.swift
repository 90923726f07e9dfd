// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// Web sites in memory, that answer in virtual time as the test says.
package final class MemorySites: SiteFetching {
    /// What a site has at a place; nothing is a 404.
    package struct Page: Hashable {
        package let host: WebHost
        package let place: SitePlace

        package init(_ host: WebHost, _ place: SitePlace = .wellKnown) {
            self.host = host
            self.place = place
        }
    }

    package var pages: [Page: Result<SiteFile, SiteFailure>] = [:]
    /// Whole sites that cannot be asked now.
    package var outages: [WebHost: SiteFailure] = [:]
    /// Sites on private networks.
    package var privateHosts: Set<WebHost> = []
    /// From the question to the answer.
    package var latency: Duration = .milliseconds(30)
    /// Every question, in order.
    package private(set) var asked: [SiteFetch] = []
    package private(set) var underWay: Set<UInt64> = []
    private let time: VirtualTime

    /// Set: no site can be asked.
    package var problems: [String] = []

    package init(time: VirtualTime) { self.time = time }

    package func fetch(_ fetch: SiteFetch, completion: @escaping (Result<SiteAnswer, SiteFailure>) -> Void) {
        asked.append(fetch)
        underWay.insert(fetch.id)
        time.schedule(after: min(latency, SiteLimits.time)) { [weak self] in
            guard let self, underWay.remove(fetch.id) != nil else { return }
            completion(answer(to: fetch))
        }
    }

    package func stop() { underWay = [] }

    private func answer(to fetch: SiteFetch) -> Result<SiteAnswer, SiteFailure> {
        guard latency < SiteLimits.time else {
            return .failure(SiteFailure(.timedOut, "it did not answer in time"))
        }
        if let outage = outages[fetch.site.host] { return .failure(outage) }
        if fetch.site.reach == .internet, privateHosts.contains(fetch.site.host) {
            return .failure(SiteFailure(.privateAddress, "its address is on a private network"))
        }
        let page =
            pages[Page(fetch.site.host, fetch.place)] ?? .failure(SiteFailure(.absent, "it has no such file (404)"))
        return page.map { file in
            fetch.etag != nil && fetch.etag == file.etag ? .unchanged : .file(file)
        }
    }
}
