// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import FoundationEssentials
internal import HandoffClient
internal import HandoffCore
internal import HandoffHost
internal import HandoffWire
internal import Logging

struct AppList: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the installed apps, and who signed them.",
        discussion: """
            Apps are installed bundles, and those whose desktop entry names activity types. Works without the daemon, too. \
            Bundles and desktop entries that are ignored are reported on standard error.
            """)

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let (apps, problems) = common.installedApps()
        let trusted = Set(try TeamBook(common).trusted().map(\.team))
        let running = try runningApps()
        output.show(
            Listing(
                apps.map { app in
                    ShownApp(
                        app, trusted: app.developer.map(trusted.contains) ?? true,
                        running: running?.contains(app.bundle))
                }, ifEmpty: "no apps; install one with: handoff app install NAME.app"))
        for problem in problems { output.remark("ignored: \(problem)") }
    }

    /// Nil without a daemon. It looks as well, so that what is listed here is what it knows: nobody tells it of a package that
    /// was installed.
    private func runningApps() throws -> Set<BundleID>? {
        guard let client = try common.connectIfRunning() else { return nil }
        _ = try client.call(.launching(.reloadApps))
        let apps = try client.ask(.launching(.listApps)) {
            if case .launching(.appList(let apps)) = $0 { apps } else { nil }
        }
        return Set(apps.filter(\.isRunning).map(\.bundle))
    }
}

extension CommonOptions {
    func installedApps() -> (apps: [InstalledApp], problems: [String]) {
        let quiet = Logger(label: "handoff") { _ in SwiftLogNoOpLogHandler() }
        let catalog = BundleCatalog(
            directory: locations.apps, installs: locations.installs,
            entries: EntryFolders(environment: ProcessInfo.processInfo.environment), log: quiet)
        catalog.reload()
        return (catalog.apps, catalog.problems)
    }
}
