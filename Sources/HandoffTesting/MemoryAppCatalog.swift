// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// What is installed, as the test says.
package final class MemoryAppCatalog: AppCatalog {
    /// What the next `reload` finds.
    package var installed: [InstalledApp]
    package private(set) var apps: [InstalledApp] = []
    package var problems: [String] = []
    /// Apps whose executable is not what was installed.
    package var altered: Set<BundleID> = []

    package init(_ installed: [InstalledApp] = []) { self.installed = installed }

    package func reload() { apps = installed }

    package func owner(of program: RunningProgram) -> ProgramOwner {
        guard let app = apps.first(where: { $0.executable == program.path }) else { return .nobody }
        return isIntact(app) ? .app(app.bundle) : .altered(app.bundle)
    }

    package func isIntact(_ app: InstalledApp) -> Bool { !altered.contains(app.bundle) }
}
