// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// What is installed, as the test says. Answers at once, or takes the time of the work that it is given.
package final class MemoryAppCatalog: AppCatalog {
    /// What the next `reload` finds.
    package var installed: [InstalledApp]
    package private(set) var apps: [InstalledApp] = []
    package var problems: [String] = []
    /// Apps whose executable is not what was installed.
    package var altered: Set<BundleID> = []
    /// Set: reading takes its time from now on, and what an earlier one had to do is forgotten.
    package var work: (any Work)? {
        didSet {
            reloads = work?.makeLane()
            reloadsEnded = reloadsBegun
            asked = []
        }
    }
    private var reloads: (any WorkLane)?
    private var reloadsBegun = 0
    private var reloadsEnded = 0
    /// Asked during a reload.
    private var asked: [() -> Void] = []

    package init(_ installed: [InstalledApp] = []) { self.installed = installed }

    package func reload() { apps = installed }

    package func reload(then: @escaping (Result<Void, Failure>) -> Void) {
        guard let reloads else {
            reload()
            return then(.success(()))
        }
        reloadsBegun += 1
        do throws(Failure) {
            // What it finds, it finds at its beginning.
            try reloads.run(
                { [installed] in installed },
                then: { [weak self] found in
                    self?.apps = found
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

    package func owner(of program: RunningProgram, then: @escaping (Result<ProgramOwner, Failure>) -> Void) {
        answer(
            { apps, altered in
                guard let app = apps.first(where: { $0.executable == program.path }) else { return .nobody }
                return altered.contains(app.bundle) ? .altered(app.bundle) : .app(app.bundle)
            }, then: then)
    }

    package func isIntact(_ app: InstalledApp, then: @escaping (Result<Bool, Failure>) -> Void) {
        answer({ _, altered in !altered.contains(app.bundle) }, then: then)
    }

    /// What a reload may have made untrue is asked again after it.
    private func answer<Outcome: Sendable>(
        _ question: @escaping @Sendable ([InstalledApp], Set<BundleID>) -> Outcome,
        then: @escaping (Result<Outcome, Failure>) -> Void
    ) {
        guard reloadsEnded == reloadsBegun else {
            asked.append { [weak self] in self?.answer(question, then: then) }
            return
        }
        guard let work else { return then(.success(question(apps, altered))) }
        let reloads = reloadsBegun
        do throws(Failure) {
            try work.makeLane().run(
                { [apps, altered] in question(apps, altered) },
                then: { [weak self] outcome in
                    guard let self else { return }
                    if reloads == reloadsBegun { then(.success(outcome)) } else { answer(question, then: then) }
                })
        } catch {
            then(.failure(error))
        }
    }
}
