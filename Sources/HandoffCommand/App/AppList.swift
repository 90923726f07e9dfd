// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffCore
internal import HandoffHost
internal import HandoffWire
internal import Logging

struct AppList: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the installed apps.",
        discussion: "Works without a daemon too. Bundles that cannot be read are named on standard error.")

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let quiet = Logger(label: "handoff") { _ in SwiftLogNoOpLogHandler() }
        let catalog = BundleCatalog(directory: common.locations.apps, log: quiet)
        catalog.reload()
        let running = try runningApps()
        output.show(
            ShownApps(apps: catalog.apps.map { ShownApp($0, trusted: true, running: running?.contains($0.bundle)) }))
        for problem in catalog.problems { output.remark("does not count: \(problem)") }
    }

    /// Nil without a daemon.
    private func runningApps() throws -> Set<BundleID>? {
        guard let client = try common.connectIfRunning() else { return nil }
        let apps = try client.ask(.listApps) { if case .appList(let apps) = $0 { apps } else { nil } }
        return Set(apps.filter(\.isRunning).map(\.bundle))
    }
}

private struct ShownApps: Renderable {
    let apps: [ShownApp]

    func encode(to encoder: any Encoder) throws { try apps.encode(to: encoder) }

    func text(_ terminal: Terminal) -> String {
        Table(
            heading: ["NAME", "VERSION", "TEAM", "STATE", "ID", "PATH"],
            rows: apps.map { app in
                let state = app.running.map { $0 ? "running" : "not running" } ?? "-"
                let team = (app.team ?? "personal") + (app.development ? " (development)" : "")
                return [app.name, app.version, team, state, app.bundle, app.path]
            },
            ifEmpty: "no apps; install one with: handoff app install NAME.app"
        ).text(terminal)
    }
}
