// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffSystem
package import HandoffTrust
package import HandoffWire

/// Does not check trust in the team.
package struct BundleVerification: Hashable, Sendable {
    /// Nil if missing or invalid.
    package let signature: BundleSignature?
    package let findings: [BundleFinding]

    package var verified: BundleSignature? { findings.isEmpty ? signature : nil }
    package var isUnsigned: Bool { findings.contains(.unsigned) }

    /// Reads the whole bundle at `path`, following a link. `progress`: bytes read, and their total. Throws `.malformed`
    /// if the folder is unreadable.
    package static func of(
        _ path: String, at time: WallTime, progress: ((Int64, Int64) -> Void)? = nil
    ) throws(Failure) -> BundleVerification {
        do throws(SystemError) {
            guard let resolved = path.followingLinks else { throw SystemError(errno, path) }
            return try of(try OpenFile.open(resolved, O_RDONLY | O_DIRECTORY), at: time, progress: progress)
        } catch {
            throw Failure(.malformed, "cannot read \(error.subject): \(error.reason)")
        }
    }

    /// For an installer's copy, which only the installer can reach.
    static func of(
        _ bundle: borrowing OpenFile, at time: WallTime, progress: ((Int64, Int64) -> Void)? = nil
    ) throws(SystemError) -> BundleVerification {
        let signature: BundleSignature
        do throws(BundleFinding) {
            signature = try BundleSignature(of: bundle, at: time)
        } catch {
            return BundleVerification(signature: nil, findings: [error])
        }
        let total = signature.manifest.fileBytes
        let inventory = try BundleInventory(of: bundle, progress: progress.map { report in { report($0, total) } })
        var findings = inventory.findings
        let named = Set(findings.compactMap(\.path))
        findings += signature.manifest.differences(to: inventory.entries)
            .filter { !named.contains($0.path) }.map(BundleFinding.difference)
        if findings.isEmpty { findings += signature.contradictions(in: bundle.path) }
        return BundleVerification(signature: signature, findings: findings)
    }
}

extension BundleFinding {
    /// Such a file is not also reported as missing.
    fileprivate var path: BundlePath? { if case .changedWhileRead(let path) = self { path } else { nil } }
}

extension BundleSignature {
    fileprivate init(of bundle: borrowing OpenFile, at time: WallTime) throws(BundleFinding) {
        let signature = try Self.read(.signature, in: bundle, limit: BundleLimits.signatureBytes)
        let manifest = try Self.read(.manifest, in: bundle, limit: BundleLimits.manifestBytes)
        do throws(SignatureRejection) {
            try self.init(signature: signature, manifest: manifest, at: time)
        } catch {
            throw .signature(error)
        }
    }

    private static func read(
        _ path: BundlePath, in bundle: borrowing OpenFile, limit: Int
    ) throws(BundleFinding) -> [UInt8] {
        do throws(SystemError) {
            let contents = try bundle.open("Contents", O_RDONLY | O_DIRECTORY)
            let folder = try contents.open("_Signature", O_RDONLY | O_DIRECTORY)
            let file = try folder.open(String(path.text.split(separator: "/").last ?? ""), O_RDONLY | O_NONBLOCK)
            guard try file.status().kind == S_IFREG else { throw SystemError(EINVAL, path.text) }
            return try file.readAll(limit: limit)
        } catch let error where error.code == ENOENT && path == .signature {
            throw .unsigned
        } catch let error where error.code == EFBIG {
            throw path == .signature ? .signature(.tooLarge) : .unfit("\(path) is larger than \(limit) bytes")
        } catch let error where error.code == ELOOP {
            throw .unfit("\(path), or its folder, is a symbolic link")
        } catch {
            throw .unreadable("cannot read \(path): \(error.reason)")
        }
    }

    /// The manifest must repeat the property lists.
    fileprivate func contradictions(in path: String) -> [BundleFinding] {
        let declared: BundleDeclaration
        do throws(BundleProblem) { declared = try BundleDeclaration(bundle: path) } catch {
            return [.contradiction(error.reason)]
        }
        var findings: [BundleFinding] = []
        if declared.bundle != manifest.bundle {
            findings.append(
                .contradiction("the manifest is for \(manifest.bundle), but the bundle is \(declared.bundle)"))
        }
        if declared.version != manifest.version {
            findings.append(
                .contradiction(
                    "the manifest is for version \(manifest.version), but the bundle has version \(declared.version)"))
        }
        if declared.entitlements != manifest.entitlements, declared.formerEntitlements != manifest.entitlements {
            findings.append(
                .contradiction("the entitlements in the manifest differ from \(BundlePath.entitlements)"))
        }
        return findings
    }
}

package enum BundleFinding: Error, Hashable, Sendable, CustomStringConvertible {
    case unsigned
    case signature(SignatureRejection)
    case difference(BundleDifference)
    /// A forbidden item: the whole sentence.
    case unfit(String)
    case changedWhileRead(BundlePath)
    case unreadable(String)
    case contradiction(String)

    package var description: String {
        switch self {
        case .unsigned: "the bundle is not signed: it has no \(BundlePath.signature)"
        case .signature(let rejection): rejection.description
        case .difference(let difference): difference.description
        case .unfit(let sentence), .unreadable(let sentence), .contradiction(let sentence): sentence
        case .changedWhileRead(let path): "\(path) changed while it was read"
        }
    }
}
