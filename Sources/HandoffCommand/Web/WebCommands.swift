// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct WebChoose: Verb {
    static let configuration = CommandConfiguration(
        commandName: "choose", abstract: "Choose what continues the pages of a site.",
        discussion: """
            For sites whose pages both an app and the browser could open. The choice applies to exactly this host until you \
            clear it. Without a host, lists all choices.
            """)

    @Argument(help: "The site's host, such as www.example.com.")
    var host: String?

    @Option(help: ArgumentHelp("The app, by its bundle identifier.", valueName: "bundle"))
    var app: String?

    @Flag(help: "The browser.")
    var browser = false

    @Flag(help: "Clear the choice, so that the default rules apply.")
    var forget = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        let choices = (app == nil ? 0 : 1) + (browser ? 1 : 0) + (forget ? 1 : 0)
        guard choices == (host == nil ? 0 : 1) else {
            throw ValidationError("give a host with --app, --browser or --forget, or nothing to list the choices")
        }
    }

    func perform(_ output: Output) throws {
        let message = try wish()
        let choices = try common.connect().ask(message, \.webChoices)
        output.show(Listing(choices.map(ShownChoice.init), ifEmpty: "no choices: the default rules apply"))
    }

    private func wish() throws(CommandFailure) -> LocalMessage {
        guard let host else { return .webChoices(.listWebChoices) }
        let named = try WebHost(argument: host)
        if let app { return .webChoices(.chooseForHost(named, .app(try BundleID(argument: app)))) }
        return .webChoices(.chooseForHost(named, browser ? .browser : nil))
    }
}

extension LocalMessage {
    fileprivate var webChoices: [WebChoice]? {
        guard case .webChoices(.webChoices(let choices)) = self else { return nil }
        return choices
    }
}

private struct ShownChoice: Listed {
    static let columns: [Table.Column] = ["HOST", "CONTINUES IN"]

    let host: String
    let kind: String
    let app: String?

    init(_ choice: WebChoice) {
        host = choice.host.name
        (kind, app) =
            switch choice.taker {
            case .app(let bundle): ("app", bundle.name)
            case .browser: ("browser", nil)
            }
    }

    var cells: [String] { [host, app ?? kind] }
}

struct WebList: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the web sites that installed apps claim, and whether the sites approve.",
        discussion: """
            An app claims a site in its signed entitlements; the site lists the app in a file of its own. Only both \
            together let the app continue pages of the site.
            """)

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        output.show(Listing(sites: try common.connect().ask(.webLinks(.listSites), \.sites)))
    }
}

extension LocalMessage {
    var sites: [SiteSummary]? {
        guard case .webLinks(.siteList(let sites)) = self else { return nil }
        return sites
    }
}

struct WebRefresh: Verb {
    /// Enough for all sites.
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

struct WebCheck: Verb {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Show what would continue a web page here, and why.",
        discussion: """
            Lists every entry of an installed app for the page's host or a similar host, whether the entry applies, what the \
            site answered and which part of its file decided. Contacts no site; use handoff web refresh for that.
            """)

    @Argument(help: ArgumentHelp("The address of the page.", valueName: "url"))
    var url: String

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let check = try common.connect().ask(.webLinks(.checkWebPage(url))) { message in
            if case .webLinks(.webPageCheck(let check)) = message { check } else { nil }
        }
        output.show(ShownWebPageCheck(check, of: url))
    }
}
