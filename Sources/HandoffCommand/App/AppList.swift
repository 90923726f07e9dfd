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
        let (shown, problems) = try known() ?? foundByThisCommand()
        output.show(Listing(shown, ifEmpty: "no apps; install one with: handoff app install NAME.app"))
        for problem in problems { output.remark("note: \(problem)") }
    }

    /// Read again: package installations are not reported. Nil without a daemon.
    private func known() throws -> (apps: [ShownApp], problems: [String])? {
        guard let client = try common.connectIfRunning() else { return nil }
        _ = try client.call(.launching(.reloadApps))
        return try client.ask(.launching(.listApps)) {
            guard case .launching(.appList(let apps, let problems)) = $0 else { return nil }
            return (apps.filter { !$0.bundle.isSystemProgram }.map(ShownApp.init), problems)
        }
    }

    private func foundByThisCommand() throws -> (apps: [ShownApp], problems: [String]) {
        let (apps, problems) = common.installedApps()
        let trusted = Set(try TeamBook(common).trusted().map(\.team))
        let shown = apps.map { ShownApp($0, trusted: $0.developer.map(trusted.contains) ?? true, running: nil) }
        return (shown, problems)
    }
}

extension BlockingClient {
    func installedApps() throws(Failure) -> [AppSummary] {
        try ask(.launching(.listApps)) { if case .launching(.appList(let apps, _)) = $0 { apps } else { nil } }
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
