// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
package import HandoffWire

/// What a bundle says of itself in its `Info.plist`, read and well-formed. Nothing proves it: only an install record
/// makes an app of it that counts.
package struct DeclaredApp {
    let bundle: BundleID
    package let name: DisplayText
    let version: String
    let activityTypes: Set<ActivityType>
    let activityTitles: [ActivityType: Set<String>]
    /// Its containers are what it wants; what it gets is among the entitlements of its manifest.
    let documents: AppDocuments
    /// The bundle's folder, absolute, with every link followed.
    package let path: String
    /// The same for its executable, which is within.
    package let executable: String
    /// Of `Info.plist`, the bytes that all this is from.
    let info: FileDigest

    /// Reads the bundle at `path`. Throws `.malformed` naming what is wrong with it.
    package static func read(_ path: String) throws(Failure) -> DeclaredApp {
        do throws(BundleProblem) {
            return try BundleReader(path: path).read()
        } catch {
            throw Failure(.malformed, DisplayText(cleaning: error.reason, limit: Limits.reasonCharacters).text)
        }
    }

    /// `record` is of this bundle, and `entitlements` are those of its manifest: they count where a team signed it.
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

    /// Unlike a site, a container is nobody's before a team uses it, so nobody has to vouch for an app that names one.
    /// Which of them is the first, the manifest does not say.
    private func documents(by entitlements: BundleEntitlements) -> AppDocuments {
        let declared = DeclaredContainers(entries: entitlements.ubiquityContainers)
        var counting = documents
        counting.containers.removeAll { !declared.containers.contains($0) }
        counting.containers += declared.containers.filter { !counting.containers.contains($0) }
        counting.problems = declared.problems
        return counting
    }
}
