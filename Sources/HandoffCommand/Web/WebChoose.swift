// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct WebChoose: Verb {
    static let configuration = CommandConfiguration(
        commandName: "choose", abstract: "Choose who goes on with the pages of a site.",
        discussion: """
            For sites whose pages both an app and the browser could take. The choice holds for that very host, until it is \
            forgotten. Without a host, all choices are listed.
            """)

    @Argument(help: "The site's host, as www.example.com.")
    var host: String?

    @Option(help: ArgumentHelp("This app, by its bundle identifier.", valueName: "bundle"))
    var app: String?

    @Flag(help: "The browser.")
    var browser = false

    @Flag(help: "Nobody: the rules decide again.")
    var forget = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        let choices = (app == nil ? 0 : 1) + (browser ? 1 : 0) + (forget ? 1 : 0)
        guard choices == (host == nil ? 0 : 1) else {
            throw ValidationError("Name a host, and one of --app, --browser and --forget; or nothing, for the list.")
        }
    }

    func perform(_ output: Output) throws {
        let message = try wish()
        output.show(ShownChoices(try common.connect().ask(message, \.webChoices)))
    }

    private func wish() throws(CommandFailure) -> LocalMessage {
        guard let host else { return .listWebChoices }
        let named = try WebHost(argument: host)
        if let app { return .chooseForHost(named, .app(try BundleID(argument: app))) }
        return .chooseForHost(named, browser ? .browser : nil)
    }
}

extension LocalMessage {
    fileprivate var webChoices: [WebChoice]? {
        guard case .webChoices(let choices) = self else { return nil }
        return choices
    }
}

/// What is chosen, by host.
private struct ShownChoices: Renderable {
    struct Choice: Encodable {
        let host: String
        /// `app` or `browser`.
        let kind: String
        let app: String?
    }

    let choices: [Choice]

    init(_ choices: [WebChoice]) {
        self.choices = choices.map { choice in
            switch choice.taker {
            case .app(let bundle): Choice(host: choice.host.name, kind: "app", app: bundle.name)
            case .browser: Choice(host: choice.host.name, kind: "browser", app: nil)
            }
        }
    }

    func encode(to encoder: any Encoder) throws { try choices.encode(to: encoder) }

    func text(_ terminal: Terminal) -> String {
        Table(
            heading: ["HOST", "CONTINUES IN"], rows: choices.map { [$0.host, $0.app ?? $0.kind] },
            ifEmpty: "nothing is chosen; the rules decide"
        ).text(terminal)
    }
}
