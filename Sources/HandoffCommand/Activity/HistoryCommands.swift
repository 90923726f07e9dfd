// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import FoundationEssentials
internal import HandoffClient
internal import HandoffCore
internal import HandoffWire

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Find again what you did in apps on this device, open it and forget it.",
        discussion: """
            Apps decide which of their activities can be found again. They stay on this device until 30 days after their \
            last use, and are never sent to another.
            """,
        subcommands: [
            HistoryForget.self, HistoryList.self, HistoryOff.self, HistoryOn.self, HistoryOpen.self, HistorySearch.self,
            HistoryTransfers.self,
        ])

    @OptionGroup var common: CommonOptions
}

struct HistoryLimit: ParsableArguments {
    @Option(help: ArgumentHelp("At most this many entries, 1 to \(IndexLimits.matches).", valueName: "number"))
    var limit = IndexLimits.usualMatches

    func validate() throws {
        guard (1...IndexLimits.matches).contains(limit) else {
            throw ValidationError("--limit is 1 to \(IndexLimits.matches)")
        }
    }
}

struct HistoryList: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List what you did in apps on this device, the last used first.")

    @OptionGroup var limit: HistoryLimit
    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let items = try common.connect().history("", limit.limit)
        output.show(Listing(items.map(ShownHistoryItem.init), ifEmpty: "nothing is kept"))
    }
}

struct HistorySearch: Verb {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find what you did in apps on this device by its words.",
        discussion: """
            Finds entries with all of these words, in any order; the beginning of a word is enough. Case, accents and the \
            width of letters do not matter. Titles with the words are first, and among those what you use often and lately.
            """)

    @Argument(help: "The words.")
    var words: [String]

    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("Continue the search in this app, by its bundle identifier.", valueName: "id"),
        completion: Completion.apps)
    var app: String?

    @OptionGroup var limit: HistoryLimit
    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let words = words.joined(separator: " ")
        guard !HistoryQuery(words).isEmpty else { throw CommandFailure.usage("a search needs a letter or a number") }
        let client = try common.connect()
        if let app {
            let message = LocalMessage.History.openSearch(
                words, in: try BundleID(argument: app),
                activation: ActivationToken(environment: ProcessInfo.processInfo.environment))
            let outcome = try client.follow(.history(message), output)
            return try ShownOutcome(outcome, planned: .script).present(output, opensPages: false)
        }
        let items = try client.history(words, limit.limit)
        output.show(Listing(items.map(ShownHistoryItem.init), ifEmpty: "nothing found"))
    }
}

struct HistoryOpen: Verb {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open an entry of the history in its app.",
        discussion: "If its app is no longer installed, its web page is opened.")

    @Argument(help: "The entry's number, as handoff history list shows it.")
    var number: HistoryNumber

    @Flag(help: "Open a web page even when not running in a terminal on a desktop.")
    var open = false

    @Flag(help: "Show how long each phase took.")
    var verbose = false

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let client = try common.connect()
        let activation = ActivationToken(environment: ProcessInfo.processInfo.environment)
        let outcome = try client.follow(.history(.openHistory(number, activation: activation)), output)
        var shown = try ShownOutcome(outcome, planned: .webPage)
        shown.isVerbose = verbose
        try shown.present(output, opensPages: open)
    }
}

struct HistoryTransfers: Verb {
    static let configuration = CommandConfiguration(
        commandName: "transfers",
        abstract: "List what went to your other devices and arrived from them, the latest first.",
        discussion: """
            Covers 30 days, and at most \(HistoryLimits.transfers) transfers. handoff history forget --transfers clears the list. An app \
            that deletes an activity deletes its title here too.
            """)

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let transfers = try common.connect().ask(.history(.listTransfers)) { (message) -> [ActivityTransfer]? in
            if case .history(.transferList(let transfers)) = message { transfers } else { nil }
        }
        output.show(
            Listing(transfers.map(ShownTransfer.init), ifEmpty: "nothing went to another device or arrived from it"))
    }
}

struct HistoryForget: Verb {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Delete entries of the history for good.",
        discussion: """
            Within five seconds, nothing of them is left in the files of the history, not even in their unused parts. Backups \
            and snapshots of the file system are not changed.
            """)

    @Argument(help: "The numbers of entries, as handoff history list shows them.")
    var numbers: [HistoryNumber] = []

    @Option(
        help: ArgumentHelp("All entries of this app, by its bundle identifier.", valueName: "id"),
        completion: Completion.apps)
    var app: String?

    @Flag(help: "All entries of all apps, and the list of transfers.")
    var all = false

    @Flag(help: "The list of what went to other devices and arrived from them.")
    var transfers = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard [!numbers.isEmpty, app != nil, all, transfers].filter(\.self).count == 1 else {
            throw ValidationError("give numbers, --app, --transfers or --all")
        }
        guard numbers.count <= IndexLimits.forgottenEntries else {
            throw ValidationError("at most \(IndexLimits.forgottenEntries) numbers at once")
        }
    }

    func perform(_ output: Output) throws {
        let chosen: ForgottenHistory =
            if all {
                .all
            } else if transfers {
                .transfers
            } else if let app {
                .app(try BundleID(argument: app))
            } else {
                .entries(Set(numbers))
            }
        let count = try common.connect().ask(.history(.forgetHistory(chosen))) { (message) -> Int? in
            if case .history(.historyForgotten(let count)) = message { count } else { nil }
        }
        if count == 0, case .entries = chosen {
            throw CommandFailure(
                .failed, code: "activityGone", "the history has no such entry", advice: "run: handoff history list")
        }
        output.show(ShownForgotten(forgotten: count))
    }
}

struct HistoryOff: Verb {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: "Keep nothing from now on, and find nothing.",
        discussion: """
            Entries stay until they expire; handoff history forget deletes them. The same as handoff policy off history.
            """)

    @OptionGroup var what: HistorySwitch
    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws { try what.set(off: true, common.connect(), output) }
}

struct HistoryOn: Verb {
    static let configuration = CommandConfiguration(
        commandName: "on", abstract: "Keep again what apps make eligible for search.")

    @OptionGroup var what: HistorySwitch
    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws { try what.set(off: false, common.connect(), output) }
}

struct HistorySwitch: ParsableArguments {
    @Option(
        help: ArgumentHelp("Only for this app, by its bundle identifier.", valueName: "id"), completion: Completion.apps
    )
    var app: String?

    func set(off: Bool, _ client: BlockingClient, _ output: Output) throws {
        try PolicyArguments.set([.history], of: app, off: off, with: client, output)
    }
}

extension BlockingClient {
    fileprivate func history(_ words: String, _ limit: Int) throws -> [HistoryItem] {
        try ask(.history(.searchHistory(words, limit: limit))) {
            if case .history(.historyList(let items)) = $0 { items } else { nil }
        }
    }
}

private struct ShownHistoryItem: Listed {
    static let columns: [Table.Column] = ["NUMBER", "TITLE", "APP", "LAST USED"]

    let number: HistoryNumber
    let title: String
    let type: String
    let app: String
    let appName: String?
    let lastUsed: String
    let webPage: String?
    private let age: String

    private enum CodingKeys: CodingKey { case number, title, type, app, appName, lastUsed, webPage }

    init(_ item: HistoryItem) {
        number = item.number
        title = item.title.text
        type = item.type.name
        app = item.app.name
        appName = item.appName?.text
        lastUsed = item.lastUse.iso8601
        webPage = item.webpageURL
        age = item.lastUse.duration(to: .now).inWords
    }

    var cells: [String] { [String(number), title, appName ?? "\(app) (not installed)", "\(age) ago"] }
}

private struct ShownTransfer: Listed {
    static let columns: [Table.Column] = ["WHEN", "TITLE", "APP", "DEVICE"]

    enum Direction: String, Encodable { case sent, received }

    let time: String
    let direction: Direction
    let device: String
    let deviceID: String?
    let title: String?
    let type: String
    let app: String?
    let appName: String
    private let age: String

    private enum CodingKeys: CodingKey { case time, direction, device, deviceID, title, type, app, appName }

    init(_ transfer: ActivityTransfer) {
        time = transfer.time.iso8601
        direction = transfer.direction == .sent ? .sent : .received
        device = transfer.deviceName.text
        deviceID = transfer.device?.hex
        title = transfer.title?.text
        type = transfer.type.name
        app = transfer.app?.name
        appName = transfer.appName.text
        age = transfer.time.duration(to: .now).inWords
    }

    var cells: [String] {
        ["\(age) ago", title ?? "-", appName, direction == .sent ? "to \(device)" : "from \(device)"]
    }
}

private struct ShownForgotten: Renderable {
    let forgotten: Int

    func text(_ terminal: Terminal) -> String {
        forgotten == 1 ? "1 entry forgotten" : "\(forgotten) entries forgotten"
    }
}
