// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
internal import HandoffWire

/// The valid claims of a signed app of a trusted team.
struct AppClaims {
    let app: AppIdentifier
    private let domains: AssociatedDomains
    private let modes: Set<AssociatedDomain.Mode>
    let sites: Set<Site>

    /// `modes`: the device's. Nil without a claim for Handoff.
    init?(_ app: AppIdentifier, entries: [String], modes: Set<AssociatedDomain.Mode>) {
        self.app = app
        self.modes = modes
        let domains = AssociatedDomains(entries: entries)
        self.domains = domains
        let counting = domains.claims.filter { $0.service == .activityContinuation && $0.modes.isSubset(of: modes) }
        // With two claims for a domain, only one applies, and only its site is needed.
        let speaking = counting.filter { claim in
            !counting.contains {
                $0.host == claim.host && $0.isWildcard == claim.isWildcard && $0.modes.count < claim.modes.count
            }
        }
        sites = Set(speaking.map(\.site))
        guard !sites.isEmpty else { return nil }
    }

    var bundle: BundleID { app.bundle }

    func claim(for host: WebHost) -> AssociatedDomain? {
        domains.claim(for: host, service: .activityContinuation, modes: modes)
    }
}

extension AssociatedDomain {
    var site: Site { Site(host, reach: modes.contains(.developer) ? .anywhere : .internet) }
}
