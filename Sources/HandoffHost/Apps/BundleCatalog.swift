// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffSystem
package import HandoffWire
package import Logging

/// The apps of the apps folder and the desktop entries at the last `reload`. Each unreadable, invalid or changed app
/// becomes a problem.
package final class BundleCatalog: AppCatalog {
    package var apps: [InstalledApp] { bundles.content.apps }
    package var problems: [String] { bundles.content.problems }
    /// Limit for all folders together.
    static let readingTime = Duration.seconds(20)

    private let bundles: Reloaded<BundleFolder.Content>
    private let executables: VerifiedExecutables
    private let folders: FileQuestions
    private let folder: BundleFolder
    private let entries: EntryFolders?
    private let log: Logger

    /// Without `work`, reads are synchronous. `patience`: for an unresponsive mount.
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

    /// Blocks.
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

    /// Returns `known` with a reason if a mount does not respond in time.
    private func read(over known: BundleFolder.Content) -> @Sendable () -> BundleFolder.Content {
        { [folder, entries, folders] in
            let read = folders.answer(about: folder.directory) { progress in
                var content = folder.read()
                entries?.add(to: &content, known: known.apps, progress: progress)
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
                return entries?.isAsRead(entry, of: app.signer) ?? false ? .asRead : .outdated
            }, then: then)
    }
}
