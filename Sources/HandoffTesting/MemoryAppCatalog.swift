// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// What is installed, as the test says. Answers at once, or takes the time of the work that it is given.
package final class MemoryAppCatalog: AppCatalog {
    /// What the next `reload` finds.
    package var installed: [InstalledApp]
    package var apps: [InstalledApp] { found.content }
    package var problems: [String] = []
    /// Apps whose executable is not what was installed.
    package var altered: Set<BundleID> = []
    /// Apps whose desktop entry is another than what was read, until the next `reload`.
    package var outdated: Set<BundleID> = []
    /// They change again and again.
    package var staysOutdated = false
    /// Set: reading takes its time from now on, and what an earlier one had to do is forgotten.
    package var work: (any Work)? {
        didSet { found = Reloaded(apps, work: work) }
    }
    private var found = Reloaded<[InstalledApp]>([])

    package init(_ installed: [InstalledApp] = []) { self.installed = installed }

    package func reload() {
        if !staysOutdated { outdated = [] }
        found.content = installed
    }

    /// What it finds, it finds at its beginning.
    package func reload(then: @escaping (Result<Void, Failure>) -> Void) {
        if !staysOutdated { outdated = [] }
        found.reload({ [installed] in installed }, then: { then($0.map { _ in }) })
    }

    package func owner(of program: RunningProgram, then: @escaping (Result<ProgramOwner, Failure>) -> Void) {
        found.ask(
            { [altered] apps in
                guard let app = apps.first(where: { !$0.executable.isEmpty && $0.executable == program.path }) else {
                    return .nobody
                }
                return altered.contains(app.bundle) ? .altered(app.bundle) : .app(app.bundle)
            }, then: then)
    }

    package func condition(of app: InstalledApp, then: @escaping (Result<AppCondition, Failure>) -> Void) {
        found.ask(
            { [altered, outdated] _ in
                if altered.contains(app.bundle) { return .altered }
                return outdated.contains(app.bundle) ? .outdated : .asRead
            }, then: then)
    }
}
