// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import NIOCore
import NIOPosix
import Synchronization

@testable import HandoffNet

/// Asks a server of a test, as the daemon would ask a site.
struct SiteAsker: Sendable {
    static let host = "shop.example.com"

    var port = 443
    var roots: [[UInt8]] = []
    var time: Duration = .seconds(10)
    /// What the name resolves to.
    var addresses = ["127.0.0.1"]

    /// The answer, and how often the name was looked up.
    func ask(
        _ place: SitePlace = .wellKnown, reach: Site.Reach = .anywhere, etag: String? = nil
    ) async throws -> (result: Result<SiteAnswer, SiteFailure>, lookups: Int) {
        let site = Site(try WebHost(Self.host), reach: reach)
        let fetch = SiteFetch(id: 1, site: site, place: place, etag: etag)
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let lookups = Counter()
        let answered = loop.makePromise(of: Result<SiteAnswer, SiteFailure>.self)
        let fetcher = try await loop.submit {
            var surroundings = SiteFetcher.Surroundings()
            surroundings.port = port
            surroundings.roots = roots
            surroundings.time = time
            surroundings.lookup = { _, loop in
                lookups.count.withLock { $0 += 1 }
                return loop.makeSucceededFuture(addresses.compactMap { try? SocketAddress(ipAddress: $0, port: 443) })
            }
            let fetcher = SiteFetcher(loop: loop, in: surroundings)
            var hasReturned = false
            fetcher.fetch(fetch) { result in
                precondition(hasReturned, "answered before it returned")
                answered.succeed(result)
            }
            hasReturned = true
            return NIOLoopBound(fetcher, eventLoop: loop)
        }.get()
        let result = try await answered.futureResult.get()
        loop.execute { fetcher.value.stop() }
        return (result, lookups.count.withLock { $0 })
    }

    private final class Counter: Sendable {
        let count = Mutex(0)
    }
}
