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
            throw ValidationError("Give a host with --app, --browser or --forget, or nothing to list the choices.")
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
    /// `app` or `browser`.
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
