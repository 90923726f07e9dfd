// SPDX-License-Identifier: Apache-2.0

package import HandoffCore

/// What is installed, as the test says.
package final class MemoryAppCatalog: AppCatalog {
    /// What the next `reload` finds.
    package var installed: [InstalledApp]
    package private(set) var apps: [InstalledApp] = []
    package var problems: [String] = []

    package init(_ installed: [InstalledApp] = []) { self.installed = installed }

    package func reload() { apps = installed }
}
