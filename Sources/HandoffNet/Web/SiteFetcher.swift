// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffWire
package import NIOCore
internal import NIOPosix
internal import NIOSSL

/// Asks web sites for their association files, on the daemon's loop. What is slow, the system's lookup of names and its
/// list of roots, is done beside it.
package final class SiteFetcher: SiteFetching {
    /// All that differs in tests.
    struct Surroundings {
        var port = 443
        /// Certificates in DER that vouch for sites; nil: the system's.
        var roots: [[UInt8]]?
        var time = SiteLimits.time
        var lookup: (WebHost, any EventLoop) -> EventLoopFuture<[SocketAddress]> = { host, loop in
            NameLookup.addresses(of: NetworkAddress(host: host.name, port: 443), on: loop)
        }
        var isPublic: (SocketAddress) -> Bool = { address in
            guard PublicAddress.isPublic(address) else { return false }
            // One of this machine's own may be public, too.
            return NetworkAddress(address).map { !LocalHosts.all(withLoopback: true).contains($0.host) } ?? false
        }
    }

    private let loop: any EventLoop
    private let surroundings: Surroundings
    private var errands: [UInt64: SiteErrand] = [:]

    package convenience init(loop: any EventLoop) { self.init(loop: loop, in: Surroundings()) }

    init(loop: any EventLoop, in surroundings: Surroundings) {
        self.loop = loop
        self.surroundings = surroundings
    }

    package func fetch(_ fetch: SiteFetch, completion: @escaping (Result<SiteAnswer, SiteFailure>) -> Void) {
        let errand = SiteErrand(fetch, in: surroundings) { [weak self] outcome in
            self?.errands[fetch.id] = nil
            completion(outcome)
        }
        errands[fetch.id] = errand
        errand.start(on: loop)
    }

    package func stop() {
        for errand in errands.values { errand.abandon() }
        errands = [:]
    }
}
