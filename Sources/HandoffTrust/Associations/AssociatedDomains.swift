// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The sites that an app claims. Only entitlements of a signed manifest count: whoever has none of these passes
/// `BundleEntitlements.none`.
package struct AssociatedDomains: Hashable, Sendable {
    /// In the order of the entitlements.
    package let claims: [AssociatedDomain]
    /// Entries that are no claims, each with its reason. They take nothing from the others.
    package let rejections: [DomainRejection]

    package init(_ entitlements: BundleEntitlements) { self.init(entries: entitlements.associatedDomains) }

    /// More domains than `AssociationLimits.domains` are refused as a whole: which of them would count?
    package init(entries: [String]) {
        var claims: [AssociatedDomain] = []
        var rejections: [DomainRejection] = []
        for entry in entries {
            do throws(DomainRejection) {
                claims.append(try AssociatedDomain(entry: entry))
            } catch {
                rejections.append(error)
            }
        }
        let domains = Set(claims.map { "\($0.isWildcard ? "*." : "")\($0.host)" })
        if domains.count > AssociationLimits.domains {
            claims = []
            rejections.append(
                DomainRejection(
                    .tooManyDomains,
                    "the app claims \(domains.count) domains; \(AssociationLimits.domains) are the most")
            )
        }
        self.claims = claims
        self.rejections = rejections
    }

    /// The claim that speaks for `host`: the entry of that very host, else the longest wildcard above it. Its `host` is
    /// where the file is to be asked for. A claim for modes that the device is not in does not count; of two for the
    /// same domain the one without modes speaks, since it asks for nothing.
    package func claim(
        for host: WebHost, service: AssociationService, modes: Set<AssociatedDomain.Mode> = []
    ) -> AssociatedDomain? {
        claims.filter { $0.service == service && $0.covers(host) && $0.modes.isSubset(of: modes) }
            .max { Self.rank($0) < Self.rank($1) }
    }

    /// Wildcards by the length of their domain, below an entry of the host itself; then fewer modes.
    private static func rank(_ claim: AssociatedDomain) -> (Int, Int, Int) {
        (claim.isWildcard ? 0 : 1, claim.host.name.utf8.count, -claim.modes.count)
    }
}
