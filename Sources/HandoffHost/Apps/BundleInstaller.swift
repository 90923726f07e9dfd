// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc
package import HandoffCore
internal import HandoffSystem
package import HandoffTrust
package import HandoffWire

/// Installs and removes bundles in the apps folder. `reloadApps` notifies the daemon.
///
/// Copies a bundle to a hidden name beside its destination, verifies and syncs it there, and swaps it in by one rename.
/// A crash leaves the complete old or new version with its record. The next install removes leftovers.
package struct BundleInstaller {
    package enum Grounds {
        /// `approve` runs after all other checks; it throws if the team is not trusted.
        case signature(approve: (BundleSignature) throws -> Void)
        /// The user takes responsibility for this device only.
        case development
    }

    package struct Installed {
        package let app: InstalledApp
        package let replacedVersion: String?
    }

    private let directory: String
    private let store: InstallRecordStore

    /// Missing folders are created.
    package init(directory: String, installs: String) {
        self.directory = directory
        store = InstallRecordStore(directory: installs)
    }

    /// `force` allows an older version. `progress`: bytes verified, and their total. Throws `InstallRefusal`, errors of
    /// `approve`, `.malformed` for the bundle, or `.stateNotWritable` for our folders.
    package func install(
        _ bundle: String, on grounds: Grounds, force: Bool = false, at time: WallTime,
        progress: ((Int64, Int64) -> Void)? = nil
    ) throws -> Installed {
        let apps = try openApps()
        let records = try store.read()
        // For better error messages; only the check of the copy decides.
        let source = try problem { () throws(BundleProblem) in try BundleReader(path: bundle).read() }
        guard !source.path.isSamePath(as: apps.path), source.path.path(in: apps.path) == nil else {
            throw Failure(.malformed, "\(bundle) is already in the apps folder")
        }
        do {
            try system { () throws(SystemError) in
                guard mkdirat(apps.descriptor, Self.incoming, 0o755) == 0 else {
                    throw SystemError(errno, apps.path)
                }
                var copy = BundleCopy(of: source.path)
                try copy.copy(to: try apps.open(Self.incoming, O_RDONLY | O_DIRECTORY))
            }
            let verified = try verify(in: apps, as: source.path, on: grounds, at: time, progress: progress)
            let old = installed(verified.app.bundle, in: apps)
            try check(verified, inPlaceOf: old?.app, records, force: force)
            if case .signature(let approve) = grounds, let signature = verified.signature { try approve(signature) }
            let name = old?.name ?? "\(verified.app.bundle).app"
            try put(verified, of: source.path, inPlaceOf: name, records, in: apps)
            let app = try problem { () throws(BundleProblem) in try BundleReader(path: apps.path + "/" + name).read() }
            return Installed(
                app: app.installed(by: verified.record, entitlements: verified.entitlements),
                replacedVersion: old?.app.version)
        } catch {
            try? apps.removeTree(Self.incoming)
            throw error
        }
    }

    /// Throws `.noApp` if it is not installed.
    package func remove(_ bundle: BundleID) throws(Failure) -> (name: DisplayText, version: String) {
        let apps = try openApps()
        var records = try store.read()
        guard let (name, app) = installed(bundle, in: apps) else {
            throw Failure(.noApp, "\(bundle) is not installed")
        }
        do throws(SystemError) {
            // Hidden from the catalog in one step, then removed.
            let temporary = ".\(name).old"
            guard renameat(apps.descriptor, name, apps.descriptor, temporary) == 0 else {
                throw SystemError(errno, app.path)
            }
            try apps.sync()
            try apps.removeTree(temporary)
        } catch {
            throw Failure(.stateNotWritable, "cannot remove \(error.subject): \(error.reason)")
        }
        records.remove(bundle)
        try store.write(records)
        return (app.name, app.version)
    }

    /// Hidden, so the catalog ignores it.
    private static let incoming = ".incoming.app.new"
}

// MARK: - Steps

extension BundleInstaller {
    private struct Verified {
        let app: DeclaredApp
        let record: InstallRecord
        let signature: BundleSignature?
        let entitlements: BundleEntitlements
        /// Recorded before the verification.
        let state: TreeState
    }

    private func verify(
        in apps: borrowing OpenFile, as source: String, on grounds: Grounds, at time: WallTime,
        progress: ((Int64, Int64) -> Void)?
    ) throws -> Verified {
        let copy = try opened(Self.incoming, in: apps)
        let manifest: BundleManifest
        let signature: BundleSignature?
        let state: TreeState
        do {
            switch grounds {
            case .signature:
                state = try TreeState(of: copy)
                let verification = try BundleVerification.of(copy, at: time, progress: progress)
                guard let verified = verification.verified else {
                    throw verification.isUnsigned ? .unsigned : InstallRefusal.notVerified(verification.findings)
                }
                (signature, manifest) = (verified, verified.manifest)
            case .development:
                (signature, manifest) = (nil, try BundleManifest.underDevelopment(in: copy))
                state = try TreeState(of: copy)
            }
        } catch let refusal as InstallRefusal {
            throw refusal.naming(source, insteadOf: copy.path)
        } catch let error as SystemError {
            throw Failure(.malformed, error.explanation ?? "cannot read \(error.subject): \(error.reason)")
        }
        let app = try problem { () throws(BundleProblem) in try BundleReader(path: copy.path).read() }
        guard case .file(_, _, let info)? = manifest.content(at: .infoPropertyList), info == app.info,
            app.bundle == manifest.bundle
        else { throw Self.changed("\(BundlePath.infoPropertyList)", in: source) }
        guard let path = app.executable.path(in: app.path) else {
            throw Self.changed("the executable", in: source)
        }
        guard case .file(_, _, let executable)? = try manifest.content(at: BundlePath(path)) else {
            throw Self.changed(path, in: source)
        }
        let record = InstallRecord(
            bundle: app.bundle, signer: signature.map { .team($0.team) } ?? .development,
            manifest: FileDigest(of: manifest.bytes), info: info, executable: executable, installed: time)
        return Verified(
            app: app, record: record, signature: signature, entitlements: manifest.entitlements, state: state)
    }

    private static func changed(_ path: String, in bundle: String) -> Failure {
        Failure(.malformed, "\(path) of \(bundle) was changed while it was installed; try again")
    }

    private func check(
        _ new: Verified, inPlaceOf old: DeclaredApp?, _ records: InstallRecords, force: Bool
    ) throws(InstallRefusal) {
        guard let old else { return }
        // An app stays with its developer, even if the user trusts others.
        if case .team(let ours) = new.record.signer,
            let other = records.teams(of: old.bundle).first(where: { $0 != ours.team })
        {
            throw .installedByAnotherTeam(old.bundle, other)
        }
        guard force || !(BundleVersion(new.app.version) < BundleVersion(old.version)) else {
            throw .olderVersion(new.app.version, installed: old.version)
        }
    }

    /// Order: the bundle on disk, its record on disk, the swap, the older record, the older bundle. The copy must be
    /// unchanged: the user's approval may take long.
    private func put(
        _ verified: Verified, of source: String, inPlaceOf name: String, _ records: InstallRecords,
        in apps: borrowing OpenFile
    ) throws(Failure) {
        let (record, before) = (verified.record, records)
        var records = records
        guard chandoff_sync_file_system(apps.descriptor) == 0 else {
            throw Failure(.stateNotWritable, "cannot write \(apps.path): \(SystemError(errno, apps.path).reason)")
        }
        records.add(record)
        try store.write(records)
        do throws(Failure) {
            try checkUnchanged(verified, of: source, in: apps)
        } catch {
            try store.write(before)
            throw error
        }
        try system { () throws(SystemError) in
            if renameat(apps.descriptor, Self.incoming, apps.descriptor, name) != 0 {
                guard errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR,
                    chandoff_exchange(apps.descriptor, Self.incoming, apps.descriptor, name) == 0
                else { throw SystemError(errno, apps.path + "/" + name) }
            }
            try apps.sync()
        }
        records.remove(record.bundle, except: record.manifest)
        try store.write(records)
        try? apps.removeTree(Self.incoming)
    }

    private func checkUnchanged(
        _ verified: Verified, of source: String, in apps: borrowing OpenFile
    ) throws(Failure) {
        var change: String?
        try system { () throws(SystemError) in
            let copy = try apps.open(Self.incoming, O_RDONLY | O_DIRECTORY)
            change = verified.state.firstChange(to: try TreeState(of: copy))
        }
        if let change { throw Self.changed(change, in: source) }
    }

    /// The bundle's name need not match its identifier.
    private func installed(_ bundle: BundleID, in apps: borrowing OpenFile) -> (name: String, app: DeclaredApp)? {
        for name in (try? apps.entries(atMost: BundleFolder.entries)) ?? [] where name.hasSuffix(".app") {
            if let app = try? BundleReader(path: apps.path + "/" + name).read(), app.bundle == bundle {
                return (name, app)
            }
        }
        return nil
    }

    /// Locked against other installs until closed. Removes leftovers.
    private func openApps() throws(Failure) -> OpenFile {
        try PrivateDirectory.prepare(directory)
        do throws(SystemError) {
            let apps = try OpenFile.open(directory.followingLinks ?? directory, O_RDONLY | O_DIRECTORY)
            guard retrying({ flock(apps.descriptor, LOCK_EX) }) == 0 else { throw SystemError(errno, directory) }
            for name in try apps.entries(atMost: .max)
            where name.hasPrefix(".") && (name.hasSuffix(".app.new") || name.hasSuffix(".app.old")) {
                // A leftover must not block a removal.
                _ = apps.removeWhatCanBe(Array(name.utf8))
            }
            return apps
        } catch {
            throw Failure(.stateNotWritable, "cannot use the apps folder \(error.subject): \(error.reason)")
        }
    }

    private func opened(_ name: String, in folder: borrowing OpenFile) throws(Failure) -> OpenFile {
        do throws(SystemError) {
            return try folder.open(name, O_RDONLY | O_DIRECTORY)
        } catch {
            throw Failure(.stateNotWritable, "cannot read \(error.subject): \(error.reason)")
        }
    }

    private func problem<Result>(_ body: () throws(BundleProblem) -> Result) throws(Failure) -> Result {
        do throws(BundleProblem) {
            return try body()
        } catch {
            throw Failure(.malformed, error.reason)
        }
    }

    private func system(_ body: () throws(SystemError) -> Void) throws(Failure) {
        do throws(SystemError) {
            try body()
        } catch {
            // Errors with an explanation concern the bundle, others the copy.
            throw error.explanation.map { Failure(.malformed, $0) }
                ?? Failure(.stateNotWritable, "cannot copy: \(error.subject): \(error.reason)")
        }
    }
}

extension InstallRecords {
    fileprivate func teams(of bundle: BundleID) -> [DeveloperTeam] {
        records.compactMap { record in
            guard record.bundle == bundle, case .team(let certificate) = record.signer else { return nil }
            return certificate.team
        }
    }
}
