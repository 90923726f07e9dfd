// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffSystem
package import HandoffWire
package import Logging

/// The bundles in the apps folder and what desktop entries tell of, as of the last `reload`. A bundle that cannot be read, or
/// that is not as it was installed, is a problem with its reason, and so is an entry; the others count all the same.
package final class BundleCatalog: AppCatalog {
    package var apps: [InstalledApp] { bundles.content.apps }
    package var problems: [String] { bundles.content.problems }
    /// How long all folders together may take to be read.
    package static let readingTime = Duration.seconds(20)

    private let bundles: Reloaded<BundleFolder.Content>
    private let executables: VerifiedExecutables
    private let folders: FileQuestions
    private let folder: BundleFolder
    private let entries: EntryFolders?
    private let log: Logger

    /// `directory` and `installs`, of `Locations`, need not exist: nothing is installed then. `entries` nil: there are bundles
    /// alone. Nothing is read before `reload`. Without `work` everything is read at once. `patience`: with an executable whose
    /// mount does not answer.
    package init(
        directory: String, installs: String, entries: EntryFolders? = nil, work: (any Work)? = nil,
        patience: Duration = FileQuestions.patience, readingTime: Duration = BundleCatalog.readingTime, log: Logger
    ) {
        executables = VerifiedExecutables(patience: patience)
        folders = FileQuestions(patience: readingTime)
        folder = BundleFolder(directory: directory, installs: installs)
        self.entries = entries
        bundles = Reloaded(BundleFolder.Content(), work: work)
        self.log = log
    }

    package func reload() {
        bundles.content = read(over: bundles.content)()
        found(bundles.content)
    }

    package func reload(then: @escaping (Result<Void, Failure>) -> Void) {
        bundles.reload(
            read(over: bundles.content),
            then: { [weak self] result in
                if case .success(let content) = result { self?.found(content) }
                then(result.map { _ in })
            })
    }

    /// Reads the installed apps; `known`, and why, if a folder or a program that an entry names does not answer in time.
    private func read(over known: BundleFolder.Content) -> @Sendable () -> BundleFolder.Content {
        { [folder, entries, folders] in
            let read = folders.answer(about: folder.directory) { _ in
                var content = folder.read()
                entries?.add(to: &content)
                return content
            }
            return read ?? known.unanswered
        }
    }

    private func found(_ content: BundleFolder.Content) {
        for problem in content.problems {
            log.warning("Found a problem among the installed apps", metadata: ["reason": "\(problem)"])
        }
        executables.keep(content.apps)
        log.debug(
            "Installed bundles and desktop entries read",
            metadata: ["apps": "\(content.apps.count)", "problems": "\(content.problems.count)"])
    }

    package func owner(of program: RunningProgram, then: @escaping (Result<ProgramOwner, Failure>) -> Void) {
        bundles.ask({ [executables] in executables.owner(of: program, among: $0.apps) }, then: then)
    }

    package func condition(of app: InstalledApp, then: @escaping (Result<AppCondition, Failure>) -> Void) {
        bundles.ask(
            { [executables, entries] _ in
                guard executables.isIntact(app) else { return .altered }
                guard let entry = app.entry else { return .asRead }
                return entries?.isAsRead(entry) ?? false ? .asRead : .outdated
            }, then: then)
    }
}
