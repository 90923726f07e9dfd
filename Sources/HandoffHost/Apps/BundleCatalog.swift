// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire
package import Logging

/// The bundles in the apps folder, as of the last `reload`. One that cannot be read, or that is not as it was installed,
/// is a problem with its reason; the others count all the same.
package final class BundleCatalog: AppCatalog {
    package var apps: [InstalledApp] { bundles.content.apps }
    package var problems: [String] { bundles.content.problems }
    private let bundles: Reloaded<BundleFolder.Content>
    private let executables = VerifiedExecutables()
    private let folder: BundleFolder
    private let log: Logger

    /// `directory` and `installs`, of `Locations`, need not exist: nothing is installed then. Nothing is read before
    /// `reload`. Without `work` everything is read at once.
    package init(directory: String, installs: String, work: (any Work)? = nil, log: Logger) {
        folder = BundleFolder(directory: directory, installs: installs)
        bundles = Reloaded(BundleFolder.Content(), work: work)
        self.log = log
    }

    package func reload() {
        bundles.content = folder.read()
        found(bundles.content)
    }

    package func reload(then: @escaping (Result<Void, Failure>) -> Void) {
        bundles.reload(
            { [folder] in folder.read() },
            then: { [weak self] result in
                if case .success(let content) = result { self?.found(content) }
                then(result.map { _ in })
            })
    }

    private func found(_ content: BundleFolder.Content) {
        for problem in content.problems {
            log.warning("Ignored in the apps folder", metadata: ["reason": "\(problem)"])
        }
        executables.keep(content.apps)
        log.debug(
            "Installed bundles read",
            metadata: ["apps": "\(content.apps.count)", "problems": "\(content.problems.count)"])
    }

    package func owner(of program: RunningProgram, then: @escaping (Result<ProgramOwner, Failure>) -> Void) {
        bundles.ask({ [executables] in executables.owner(of: program, among: $0.apps) }, then: then)
    }

    package func isIntact(_ app: InstalledApp, then: @escaping (Result<Bool, Failure>) -> Void) {
        bundles.ask({ [executables] _ in executables.isIntact(app) }, then: then)
    }
}
