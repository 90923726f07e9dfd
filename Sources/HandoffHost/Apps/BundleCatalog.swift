// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffCore
internal import HandoffTrust
internal import HandoffWire
package import Logging

/// The bundles in the apps folder, as of the last `reload`. One that cannot be read, or that is not as it was installed,
/// is a problem with its reason; the others count all the same.
package final class BundleCatalog: AppCatalog {
    /// Entries of the apps folder, count.
    package static let entries = 1024

    package private(set) var apps: [InstalledApp] = []
    package private(set) var problems: [String] = []
    private var executables = VerifiedExecutables()
    private let directory: String
    private let store: InstallRecordStore
    private let log: Logger

    /// `directory` and `installs`, of `Locations`, need not exist: nothing is installed then. Nothing is read before
    /// `reload`.
    package init(directory: String, installs: String, log: Logger) {
        self.directory = directory
        store = InstallRecordStore(directory: installs)
        self.log = log
    }

    package func reload() {
        apps = []
        problems = []
        let records = readRecords()
        for name in bundleNames() {
            do throws(BundleProblem) {
                let app = try app(directory + "/" + name, records)
                if let other = apps.first(where: { $0.bundle == app.bundle }) {
                    throw BundleProblem("\(app.path) has the same CFBundleIdentifier as \(other.path), which counts")
                }
                apps.append(app)
            } catch {
                add(problem: error.reason)
            }
        }
        executables.keep(apps)
        log.debug("read the installed bundles", metadata: ["apps": "\(apps.count)", "problems": "\(problems.count)"])
    }

    package func owner(of program: RunningProgram) -> ProgramOwner {
        let owner = apps.first { app in
            var file = stat()
            return stat(app.executable, &file) == 0
                && (UInt64(file.st_dev), UInt64(file.st_ino)) == (program.device, program.inode)
        }
        guard let owner else { return .nobody }
        return isIntact(owner) ? .app(owner.bundle) : .altered(owner.bundle)
    }

    package func isIntact(_ app: InstalledApp) -> Bool { executables.isIntact(app) }

    private func app(_ path: String, _ records: InstallRecords) throws(BundleProblem) -> InstalledApp {
        let declared = try BundleReader(path: path).read()
        guard let manifest = Self.manifest(of: declared),
            let record = records.record(of: declared.bundle, manifest: FileDigest(of: manifest)),
            let entitlements = try? BundleManifest.entitlements(ofRead: manifest)
        else {
            throw BundleProblem("\(path) was not put there by handoff app install, so nobody vouches for it")
        }
        guard declared.info == record.info else {
            throw BundleProblem("\(path)/Contents/Info.plist is not what was installed; install the app again")
        }
        return declared.installed(by: record, entitlements: entitlements)
    }

    private static func manifest(of app: DeclaredApp) -> [UInt8]? {
        do throws(SystemError) {
            let path = app.path + "/" + BundlePath.manifest.text
            let file = try OpenFile.open(path, O_RDONLY | O_NONBLOCK)
            guard try file.status().kind == S_IFREG else { return nil }
            return try file.readAll(limit: BundleLimits.manifestBytes)
        } catch {
            return nil
        }
    }

    private func readRecords() -> InstallRecords {
        do throws(Failure) {
            return try store.read()
        } catch {
            add(problem: error.reason)
            return InstallRecords()
        }
    }

    private func bundleNames() -> [String] {
        do throws(SystemError) {
            // The folder itself may be a link of the user's.
            let folder = try OpenFile.open(directory + "/.", O_RDONLY | O_DIRECTORY)
            let names = try folder.entries(atMost: Self.entries + 1)
            if names.count > Self.entries {
                add(
                    problem:
                        "the apps folder \(directory) holds more than \(Self.entries) entries; the rest does not count")
            }
            return names.filter { $0.hasSuffix(".app") && !$0.hasPrefix(".") }
        } catch let error where error.code == ENOENT {
            return []
        } catch {
            add(problem: "cannot read the apps folder \(directory): \(error.sentence)")
            return []
        }
    }

    /// Names of files are in it, so it is cleaned like any text from elsewhere.
    private func add(problem reason: String) {
        let reason = DisplayText(cleaning: reason, limit: Limits.reasonCharacters).text
        problems.append(reason)
        log.warning("a bundle does not count", metadata: ["reason": "\(reason)"])
    }
}
