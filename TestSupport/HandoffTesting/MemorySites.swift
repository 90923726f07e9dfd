// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// Answers in virtual time.
package final class MemorySites: SiteFetching {
    /// A missing page is a 404.
    package struct Page: Hashable {
        package let host: WebHost
        package let place: SitePlace

        package init(_ host: WebHost, _ place: SitePlace = .wellKnown) {
            self.host = host
            self.place = place
        }
    }

    package var pages: [Page: Result<SiteFile, SiteFailure>] = [:]
    package var outages: [WebHost: SiteFailure] = [:]
    package var privateHosts: Set<WebHost> = []
    package var latency: Duration = .milliseconds(30)
    package private(set) var asked: [SiteFetch] = []
    package private(set) var underWay: Set<UInt64> = []
    private let time: VirtualTime

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
