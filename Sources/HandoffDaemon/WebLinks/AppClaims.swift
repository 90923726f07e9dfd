// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
internal import HandoffWire

/// What a signed app of a trusted team claims, as it counts on this device. Only claims for Handoff make a site one that
/// is asked.
struct AppClaims {
    let app: AppIdentifier
    private let domains: AssociatedDomains
    private let modes: Set<AssociatedDomain.Mode>
    /// Where the files of its claims are.
    let sites: Set<Site>

    /// Nil where it claims nothing for Handoff. `modes` are those that the device is in.
    init?(_ app: AppIdentifier, entries: [String], modes: Set<AssociatedDomain.Mode>) {
        self.app = app
        self.modes = modes
        let domains = AssociatedDomains(entries: entries)
        self.domains = domains
        let counting = domains.claims.filter { $0.service == .activityContinuation && $0.modes.isSubset(of: modes) }
        // Of two for the same domain one speaks, and its site alone is of use.
        let speaking = counting.filter { claim in
            !counting.contains {
                $0.host == claim.host && $0.isWildcard == claim.isWildcard && $0.modes.count < claim.modes.count
            }
        }
        sites = Set(speaking.map(\.site))
        guard !sites.isEmpty else { return nil }
    }

    var bundle: BundleID { app.bundle }

    /// The claim that speaks for that host.
    func claim(for host: WebHost) -> AssociatedDomain? {
        domains.claim(for: host, service: .activityContinuation, modes: modes)
    }
}

extension AssociatedDomain {
    /// Whose file the claim needs, and where that may be.
    var site: Site { Site(host, reach: modes.contains(.developer) ? .anywhere : .internet) }
}
