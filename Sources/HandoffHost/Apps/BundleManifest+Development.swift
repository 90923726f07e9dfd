// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

extension BundleManifest {
    /// Writes the install record's unsigned manifest into an installer's copy. Keeps only the containers of its
    /// entitlements; others need a signature. Throws `.notVerified` with all findings.
    static func underDevelopment(in bundle: borrowing OpenFile) throws -> BundleManifest {
        let declared: BundleDeclaration
        do throws(BundleProblem) {
            declared = try BundleDeclaration(bundle: bundle.path)
        } catch {
            throw InstallRefusal.notVerified([.unfit(error.reason)])
        }
        do {
            // An earlier signature does not cover this content.
            let contents = try bundle.open("Contents", O_RDONLY | O_DIRECTORY)
            try contents.removeTree(BundleSigner.folder)
            let inventory = try BundleInventory(of: bundle)
            guard inventory.findings.isEmpty else { throw InstallRefusal.notVerified(inventory.findings) }
            let manifest = try BundleManifest(
                bundle: declared.bundle, version: declared.version, entitlements: declared.entitlements.containersAlone,
                entries: inventory.entries)
            let folder = try contents.makeSignatureFolder()
            try folder.open("manifest", O_WRONLY | O_CREAT | O_EXCL, mode: 0o644).write(manifest.bytes)
            return manifest
        } catch let error as ManifestRejection {
            throw InstallRefusal.notVerified([.unfit(error.description)])
        } catch let error as SystemError {
            throw Failure(.stateNotWritable, "cannot write \(error.subject): \(error.reason)")
        }
    }
}
