// SPDX-License-Identifier: Apache-2.0

internal import CHandoffHost
internal import Glibc
package import HandoffCore
package import HandoffWire

/// Puts app bundles into the apps folder and takes them out again. The daemon learns of it by `reloadApps`.
///
/// A bundle is copied beside its place under a hidden name, synced, checked there as the catalog will check it, and
/// swapped in by one rename: a crash leaves the old version or the new one. Hidden leftovers go at the next install.
package struct BundleInstaller {
    package struct Installed {
        package let app: InstalledApp
        /// The version that it took the place of.
        package let replacedVersion: String?
    }

    private let directory: String

    /// `directory` is `Locations.apps`, made where it is missing.
    package init(directory: String) { self.directory = directory }

    /// Throws `.malformed` saying what is wrong with the bundle, `.stateNotWritable` about the apps folder.
    package func install(_ bundle: String) throws(Failure) -> Installed {
        let apps = try openApps()
        do throws(BundleProblem) {
            let new = try BundleReader(path: bundle).read()
            guard !(new.path + "/").hasPrefix(apps.path + "/") else {
                throw BundleProblem("\(bundle) is in the apps folder already")
            }
            let old = installed(new.bundle, in: apps)
            let name = old?.name ?? "\(new.bundle).app"
            let temporary = ".\(name).new"
            try system { () throws(SystemError) in
                try apps.removeTree(temporary)
                guard mkdirat(apps.descriptor, temporary, 0o755) == 0 else { throw SystemError(errno, apps.path) }
            }
            do throws(BundleProblem) {
                try fill(temporary, from: new, in: apps)
                try system { () throws(SystemError) in try Self.put(temporary, inPlaceOf: name, in: apps) }
            } catch {
                try? apps.removeTree(temporary)
                throw error
            }
            let app = try BundleReader(path: directory + "/" + name).read()
            return Installed(app: app, replacedVersion: old?.app.version)
        } catch {
            throw Failure(.malformed, error.reason)
        }
    }

    /// Throws `.noApp` where it is not installed.
    package func remove(_ bundle: BundleID) throws(Failure) -> InstalledApp {
        let apps = try openApps()
        guard let (name, app) = installed(bundle, in: apps) else {
            throw Failure(.noApp, "\(bundle) is not installed")
        }
        do throws(SystemError) {
            // Out of the catalog's sight in one step; only then piece by piece.
            let temporary = ".\(name).old"
            try apps.removeTree(temporary)
            guard renameat(apps.descriptor, name, apps.descriptor, temporary) == 0 else {
                throw SystemError(errno, app.path)
            }
            try apps.sync()
            try apps.removeTree(temporary)
        } catch {
            throw Failure(.stateNotWritable, "cannot remove \(error.path): \(error.sentence)")
        }
        return app
    }

    private func fill(_ temporary: String, from new: InstalledApp, in apps: borrowing OpenFile) throws(BundleProblem) {
        let path = apps.path + "/" + temporary
        var copy = BundleCopy(of: new.path)
        do throws(SystemError) {
            try copy.copy(to: try apps.open(temporary, O_RDONLY | O_DIRECTORY))
        } catch {
            throw BundleProblem(error.explanation ?? "cannot copy to \(error.path): \(error.sentence)")
        }
        // What was copied counts, not what was looked at before: the bundle may have changed meanwhile.
        guard try BundleReader(path: path).read().bundle == new.bundle else {
            throw BundleProblem("\(new.path) changed while it was copied; try again")
        }
        guard chandoff_sync_file_system(apps.descriptor) == 0 else {
            throw BundleProblem("cannot write \(path): \(SystemError(errno, path).sentence)")
        }
    }

    private static func put(
        _ temporary: String, inPlaceOf name: String, in apps: borrowing OpenFile
    ) throws(SystemError) {
        if renameat(apps.descriptor, temporary, apps.descriptor, name) != 0 {
            guard errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR else { throw SystemError(errno, apps.path) }
            guard chandoff_exchange(apps.descriptor, temporary, name) == 0 else { throw SystemError(errno, apps.path) }
            try apps.removeTree(temporary)
        }
        try apps.sync()
    }

    /// By its name in the apps folder, which need not be its identifier.
    private func installed(_ bundle: BundleID, in apps: borrowing OpenFile) -> (name: String, app: InstalledApp)? {
        for name in (try? apps.entries(atMost: BundleCatalog.entries)) ?? [] where name.hasSuffix(".app") {
            if let app = try? BundleReader(path: apps.path + "/" + name).read(), app.bundle == bundle {
                return (name, app)
            }
        }
        return nil
    }

    /// The folder, locked against another install until it is closed.
    private func openApps() throws(Failure) -> OpenFile {
        try PrivateDirectory.prepare(directory)
        do throws(SystemError) {
            let apps = try OpenFile.open(BundleReader.resolve(directory) ?? directory, O_RDONLY | O_DIRECTORY)
            guard retrying({ flock(apps.descriptor, LOCK_EX) }) == 0 else { throw SystemError(errno, directory) }
            for name in try apps.entries(atMost: .max)
            where name.hasPrefix(".") && (name.hasSuffix(".app.new") || name.hasSuffix(".app.old")) {
                try apps.removeTree(name)
            }
            return apps
        } catch {
            throw Failure(.stateNotWritable, "cannot use the apps folder \(error.path): \(error.sentence)")
        }
    }

    private func system(_ body: () throws(SystemError) -> Void) throws(BundleProblem) {
        do throws(SystemError) {
            try body()
        } catch {
            throw BundleProblem(error.explanation ?? "cannot write \(error.path): \(error.sentence)")
        }
    }
}
