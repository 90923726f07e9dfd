// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffCore
internal import HandoffWire
package import Logging

/// The bundles in the apps folder, as of the last `reload`. One that cannot be read is a problem with its reason; the
/// others count all the same.
package final class BundleCatalog: AppCatalog {
    /// Entries of the apps folder, count.
    package static let entries = 1024

    package private(set) var apps: [InstalledApp] = []
    package private(set) var problems: [String] = []
    private var executables = VerifiedExecutables()
    private let directory: String
    private let log: Logger

    /// `directory` need not exist: nothing is installed then. Nothing is read before `reload`.
    package init(directory: String, log: Logger) {
        self.directory = directory
        self.log = log
    }

    package func reload() {
        apps = []
        problems = []
        for name in bundleNames() {
            do throws(BundleProblem) {
                let app = try BundleReader(path: directory + "/" + name).read()
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
