// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
package import HandoffWire

/// The well-formed declarations in a bundle's `Info.plist`. They are unverified: an app is valid only with an install
/// record.
package struct DeclaredApp {
    let bundle: BundleID
    package let name: DisplayText
    let version: String
    let activityTypes: Set<ActivityType>
    let activityTitles: [ActivityType: Set<String>]
    /// Its containers are requests; the entitlements in the manifest decide which are granted.
    let documents: AppDocuments
    /// The bundle's folder, absolute, with every link followed.
    package let path: String
    /// Absolute, with every link followed, within the bundle.
    package let executable: String
    /// Hash of `Info.plist`, the source of all these values.
    let info: FileDigest

    /// Reads the bundle at `path`. Throws `.malformed` naming the fault.
    package static func read(_ path: String) throws(Failure) -> DeclaredApp {
        do throws(BundleProblem) {
            return try BundleReader(path: path).read()
        } catch {
            throw Failure(.malformed, DisplayText(cleaning: error.reason, limit: Limits.reasonCharacters).text)
        }
    }

    /// `record` is that of this bundle. `entitlements` are those of its manifest, valid if a team signed it.
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

    /// Unlike a site, a container is unowned before a team uses it, so no one has to vouch for an app that names it.
    /// The manifest does not mark the first container.
    private func documents(by entitlements: BundleEntitlements) -> AppDocuments {
        let declared = DeclaredContainers(entries: entitlements.ubiquityContainers)
        var counting = documents
        counting.containers.removeAll { !declared.containers.contains($0) }
        counting.containers += declared.containers.filter { !counting.containers.contains($0) }
        counting.problems = declared.problems
        return counting
    }
}
