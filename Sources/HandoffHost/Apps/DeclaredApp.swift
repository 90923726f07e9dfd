// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
package import HandoffWire

/// Well-formed but unverified: an app is valid only with an install record.
package struct DeclaredApp {
    let bundle: BundleID
    package let name: DisplayText
    let version: String
    let activityTypes: Set<ActivityType>
    let activityTitles: [ActivityType: Set<String>]
    /// Requests; the manifest decides which are granted.
    let documents: AppDocuments
    /// The bundle's folder, absolute, with links followed.
    package let path: String
    /// Absolute, with links followed, in the bundle.
    package let executable: String
    let info: FileDigest

    /// Throws `.malformed` naming the fault.
    package static func read(_ path: String) throws(Failure) -> DeclaredApp {
        do throws(BundleProblem) {
            return try BundleReader(path: path).read()
        } catch {
            throw Failure(.malformed, DisplayText(cleaning: error.reason, limit: Limits.reasonCharacters).text)
        }
    }

    /// Domains need a team's signature.
    func installed(by record: InstallRecord, entitlements: BundleEntitlements) -> InstalledApp {
        let (signer, domains): (AppSigner, [String]) =
            switch record.signer {
            case .team(let certificate):
                (.team(certificate.team, name: certificate.name), entitlements.associatedDomains)
            case .development: (.development, [])
            }
        return InstalledApp(
            bundle: bundle, name: name, version: version, signer: signer, activityTypes: activityTypes,
            activityTitles: activityTitles, associatedDomains: domains, documents: documents(by: entitlements),
            path: path, executable: executable, executableHash: record.executable.bytes)
    }

    /// No one has to vouch for the app: unlike a site, a container is unowned before a team uses it. The manifest does
    /// not mark the first container.
    private func documents(by entitlements: BundleEntitlements) -> AppDocuments {
        let declared = DeclaredContainers(entries: entitlements.ubiquityContainers)
        var counting = documents
        counting.containers.removeAll { !declared.containers.contains($0) }
        counting.containers += declared.containers.filter { !counting.containers.contains($0) }
        counting.problems = declared.problems
        return counting
    }
}
