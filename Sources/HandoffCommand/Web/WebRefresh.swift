// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct WebRefresh: Verb {
    /// Enough for the maximum number of sites, each with its full time.
    private static let patience: Duration = .seconds(20 * 60)

    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Fetch the files of web sites now.",
        discussion: """
            Sites are asked when an app that claims them is installed, and every week. Each site is contacted at most every ten \
            seconds; the command waits if necessary.
            """)

    @Argument(help: ArgumentHelp("Only this site.", valueName: "host"))
    var host: String?

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let host = try host.map { text throws(CommandFailure) in try WebHost(argument: text) }
        let client = try common.connect()
        output.note("asking \(host?.name ?? "all sites")…")
        let sites = try client.ask(.webLinks(.refreshSites(host)), timeout: Self.patience, \.sites)
        output.show(Listing(sites: sites))
    }
}

extension WebHost {
    init(argument text: String) throws(CommandFailure) {
        do throws(HostRejection) {
            try self.init(text)
        } catch {
            throw .usage("\"\(DisplayText(cleaning: text, limit: Limits.nameCharacters))\" is not a host: \(error)")
        }
    }
}
