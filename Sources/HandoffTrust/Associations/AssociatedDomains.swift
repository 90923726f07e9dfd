// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Only a signed manifest can claim sites; others pass `BundleEntitlements.none`.
package struct AssociatedDomains: Hashable, Sendable {
    package let claims: [AssociatedDomain]
    /// The other entries stay valid.
    package let rejections: [DomainRejection]

    package init(_ entitlements: BundleEntitlements) { self.init(entries: entitlements.associatedDomains) }

    /// Above `AssociationLimits.domains` no claim is valid, because no rule says which to keep.
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
                    "the app claims \(domains.count) domains; the limit is \(AssociationLimits.domains)")
            )
        }
        self.claims = claims
        self.rejections = rejections
    }

    /// The claim of exactly `host`, or else the longest wildcard; of equals, the claim with fewest modes. Ignores other
    /// modes.
    package func claim(
        for host: WebHost, service: AssociationService, modes: Set<AssociatedDomain.Mode> = []
    ) -> AssociatedDomain? {
        claims.filter { $0.service == service && $0.covers(host) && $0.modes.isSubset(of: modes) }
            .max { Self.rank($0) < Self.rank($1) }
    }

    private static func rank(_ claim: AssociatedDomain) -> (Int, Int, Int) {
        (claim.isWildcard ? 0 : 1, claim.host.name.utf8.count, -claim.modes.count)
    }
}

/// Each has a test by its name.
enum AssociationLimits {
    /// In a signed file.
    static let certificates = 8
    /// For one app.
    static let domains = 50
    /// Bytes compared for one address: some milliseconds.
    static let comparisons = 1_000_000
    /// In an explanation.
    static let steps = 256
}

package enum AssociationService: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// From the browser to the app.
    case activityContinuation = "activitycontinuation"
    case appLinks = "applinks"
    /// Accepted, unused.
    case webCredentials = "webcredentials"
    case appClips = "appclips"

    package var description: String { rawValue }
}

/// `NOTES12345.com.example.notes`. Anyone can choose the ten letters: compare the team's key first.
package struct AppIdentifier: Hashable, Sendable, CustomStringConvertible {
    package let team: TeamID
    package let bundle: BundleID

    package init(team: TeamID, bundle: BundleID) {
        self.team = team
        self.bundle = bundle
    }

    package init(_ text: String) throws(WireError) {
        guard let dot = text.firstIndex(of: ".") else {
            throw WireError(.badIdentifier, "an app is a Team ID, a dot and a bundle identifier")
        }
        team = try TeamID(String(text[..<dot]))
        bundle = try BundleID(String(text[text.index(after: dot)...]))
    }

    package var description: String { "\(team.name).\(bundle.name)" }
}
