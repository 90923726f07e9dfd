// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
package import HandoffTrust
package import HandoffWire

package struct BundleSigner {
    package struct Refusal: Error, Hashable, Sendable {
        package let findings: [BundleFinding]
    }

    static let folder = "_Signature"

    private let path: String

    package init(path: String) { self.path = path }

    /// Replaces `Contents/_Signature`. The result has passed the verification of an install. `progress`: bytes read.
    /// Throws `Refusal` or `Failure`.
    package func sign(
        with key: TeamKey, at time: WallTime, progress: ((Int64) -> Void)? = nil
    ) throws -> BundleSignature {
        let bundle = try open()
        let manifest = try manifest(of: bundle, team: key.team.id, progress: progress)
        let bytes = manifest.bytes
        guard bytes.count <= BundleLimits.manifestBytes else {
            throw Failure(.limitReached, "the manifest would be larger than \(BundleLimits.manifestBytes) bytes")
        }
        let signed = try manifest.signed(by: key, at: time)
        let signature: BundleSignature
        do {
            signature = try BundleSignature(signature: signed, manifest: bytes, at: time)
        } catch {
            throw Failure(.notAllowed, "\(error)")
        }
        try write(bytes, signed, into: bundle)
        return signature
    }

    private func open() throws(Failure) -> OpenFile {
        do throws(SystemError) {
            guard let resolved = path.followingLinks else { throw SystemError(errno, path) }
            return try OpenFile.open(resolved, O_RDONLY | O_DIRECTORY)
        } catch {
            throw Failure(.malformed, "cannot read \(error.subject): \(error.reason)")
        }
    }

    private func manifest(
        of bundle: borrowing OpenFile, team: TeamID, progress: ((Int64) -> Void)?
    ) throws -> BundleManifest {
        let declared: BundleDeclaration
        do throws(BundleProblem) {
            // A bundle that cannot be installed is not signed.
            _ = try BundleReader(path: bundle.path).read()
            declared = try BundleDeclaration(bundle: bundle.path)
        } catch {
            throw Failure(.malformed, error.reason)
        }
        if let named = declared.entitlements.team, named != team {
            throw Failure(
                .notAllowed,
                "\(BundlePath.entitlements) names team \(named), so team \(team) cannot sign the bundle")
        }
        do {
            let inventory = try BundleInventory(of: bundle, progress: progress)
            // Differences from an earlier signature, now replaced.
            let findings = inventory.findings.filter { if case .difference = $0 { false } else { true } }
            guard findings.isEmpty else { throw Refusal(findings: findings) }
            return try BundleManifest(
                bundle: declared.bundle, version: declared.version, entitlements: declared.entitlements,
                entries: inventory.entries)
        } catch let error as ManifestRejection {
            throw Refusal(findings: [.unfit(error.description)])
        } catch let error as SystemError {
            throw Failure(.malformed, "cannot read \(error.subject): \(error.reason)")
        }
    }

    private func write(_ manifest: [UInt8], _ signature: [UInt8], into bundle: borrowing OpenFile) throws(Failure) {
        do throws(SystemError) {
            let contents = try bundle.open("Contents", O_RDONLY | O_DIRECTORY)
            try contents.removeTree(Self.folder)
            let folder = try contents.makeSignatureFolder()
            // The signature last, so that a half-written bundle is unsigned.
            for (name, bytes) in [("manifest", manifest), ("signature", signature)] {
                let file = try folder.open(name, O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
                try file.write(bytes)
                try file.sync()
            }
            try folder.sync()
        } catch {
            throw Failure(.stateNotWritable, "cannot write \(error.subject): \(error.reason)")
        }
    }
}

extension OpenFile {
    /// `Contents` must have no such folder.
    func makeSignatureFolder() throws(SystemError) -> OpenFile {
        guard mkdirat(descriptor, BundleSigner.folder, 0o755) == 0 else { throw SystemError(errno, path) }
        return try open(BundleSigner.folder, O_RDONLY | O_DIRECTORY)
    }
}
