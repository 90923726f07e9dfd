// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// Answers at once, or with the delay of `work`.
package final class MemoryAppCatalog: AppCatalog {
    package var installed: [InstalledApp]
    package var apps: [InstalledApp] { found.content }
    package var problems: [String] = []
    /// Their executables have changed since installation.
    package var altered: Set<BundleID> = []
    /// Their desktop entries have changed since the last `reload`.
    package var outdated: Set<BundleID> = []
    package var staysOutdated = false
    /// If set, reading takes time. Setting it drops pending work.
    package var work: (any Work)? {
        didSet { found = Reloaded(apps, work: work) }
    }
    private var found = Reloaded<[InstalledApp]>([])

    package init(_ installed: [InstalledApp] = []) { self.installed = installed }

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
