// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffCore
internal import HandoffHost
internal import HandoffWire
internal import Logging

struct AppList: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the installed apps, and who signed them.",
        discussion: "Works without a daemon too. Bundles that do not count are named on standard error.")

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let (apps, problems) = common.installedApps()
        let trusted = Set(try TeamBook(common).trusted().map(\.team))
        let running = try runningApps()
        output.show(
            ShownApps(
                apps: apps.map { app in
                    ShownApp(
                        app, trusted: app.developer.map(trusted.contains) ?? true,
                        running: running?.contains(app.bundle))
                }))
        for problem in problems { output.remark("does not count: \(problem)") }
    }

    /// Nil without a daemon.
    private func runningApps() throws -> Set<BundleID>? {
        guard let client = try common.connectIfRunning() else { return nil }
        let apps = try client.ask(.listApps) { if case .appList(let apps) = $0 { apps } else { nil } }
        return Set(apps.filter(\.isRunning).map(\.bundle))
    }
}

extension CommonOptions {
    func installedApps() -> (apps: [InstalledApp], problems: [String]) {
        let quiet = Logger(label: "handoff") { _ in SwiftLogNoOpLogHandler() }
        let catalog = BundleCatalog(directory: locations.apps, installs: locations.installs, log: quiet)
        catalog.reload()
        return (catalog.apps, catalog.problems)
    }
}

private struct ShownApps: Renderable {
    let apps: [ShownApp]

    func encode(to encoder: any Encoder) throws { try apps.encode(to: encoder) }

    func text(_ terminal: Terminal) -> String {
        Table(
            heading: ["NAME", "VERSION", "SIGNED BY", "STATE", "ID", "PATH"],
            rows: apps.map { [$0.name, $0.version, $0.signedBy, $0.state, $0.bundle, $0.path] },
            ifEmpty: "no apps; install one with: handoff app install NAME.app"
        ).text(terminal)
    }
}
