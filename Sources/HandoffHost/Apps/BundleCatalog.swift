// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire
package import Logging

/// The bundles in the apps folder, as of the last `reload`. One that cannot be read, or that is not as it was installed,
/// is a problem with its reason; the others count all the same.
package final class BundleCatalog: AppCatalog {
    package private(set) var apps: [InstalledApp] = []
    package private(set) var problems: [String] = []
    private let executables = VerifiedExecutables()
    private let folder: BundleFolder
    private let work: (any Work)?
    /// One after the other, so that the last one counts.
    private let reloads: (any WorkLane)?
    private var reloadsBegun = 0
    private var reloadsEnded = 0
    /// What was asked during a reload.
    private var asked: [() -> Void] = []
    private let log: Logger

    /// `directory` and `installs`, of `Locations`, need not exist: nothing is installed then. Nothing is read before
    /// `reload`. Without `work` everything is read at once.
    package init(directory: String, installs: String, work: (any Work)? = nil, log: Logger) {
        folder = BundleFolder(directory: directory, installs: installs)
        self.work = work
        reloads = work?.makeLane()
        self.log = log
    }

    package func reload() { found(folder.read()) }

    package func reload(then: @escaping (Result<Void, Failure>) -> Void) {
        guard let reloads else {
            reload()
            return then(.success(()))
        }
        reloadsBegun += 1
        do throws(Failure) {
            try reloads.run(
                { [folder] in folder.read() },
                then: { [weak self] content in
                    self?.found(content)
                    then(.success(()))
                    self?.reloadEnded()
                })
        } catch {
            then(.failure(error))
            reloadEnded()
        }
    }

    private func reloadEnded() {
        reloadsEnded += 1
        guard reloadsEnded == reloadsBegun else { return }
        let asked = self.asked
        self.asked = []
        for ask in asked { ask() }
    }

    private func found(_ content: BundleFolder.Content) {
        (apps, problems) = (content.apps, content.problems)
        for problem in problems { log.warning("Bundle ignored", metadata: ["reason": "\(problem)"]) }
        executables.keep(apps)
        log.debug("Installed bundles read", metadata: ["apps": "\(apps.count)", "problems": "\(problems.count)"])
    }

    package func owner(of program: RunningProgram, then: @escaping (Result<ProgramOwner, Failure>) -> Void) {
        answer({ [executables] in executables.owner(of: program, among: $0) }, then: then)
    }

    package func isIntact(_ app: InstalledApp, then: @escaping (Result<Bool, Failure>) -> Void) {
        answer({ [executables] _ in executables.isIntact(app) }, then: then)
    }

    /// In a lane of its own: who asks of a large executable keeps nobody else waiting. What a reload may have made untrue is
    /// asked again after it.
    private func answer<Outcome: Sendable>(
        _ question: @escaping @Sendable ([InstalledApp]) -> Outcome, then: @escaping (Result<Outcome, Failure>) -> Void
    ) {
        guard reloadsEnded == reloadsBegun else {
            asked.append { [weak self] in self?.answer(question, then: then) }
            return
        }
        guard let work else { return then(.success(question(apps))) }
        let reloads = reloadsBegun
        do throws(Failure) {
            try work.makeLane().run(
                { [apps] in question(apps) },
                then: { [weak self] outcome in
                    guard let self else { return }
                    if reloads == reloadsBegun { then(.success(outcome)) } else { answer(question, then: then) }
                })
        } catch {
            then(.failure(error))
        }
    }
}
