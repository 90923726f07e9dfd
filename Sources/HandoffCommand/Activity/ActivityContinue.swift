// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import FoundationEssentials
internal import HandoffClient
internal import HandoffWire

struct ActivityContinue: Verb {
    static let configuration = CommandConfiguration(
        commandName: "continue", abstract: "Continue an activity from another device here.",
        discussion: """
            Without an ID, continues the newest activity; on a terminal, asks which if there are several. If several devices \
            have an activity with this ID, asks for the device on a terminal; otherwise --device is needed. The activity \
            of a script is printed as JSON. So is that of an app that is not here and has no web page, but on a terminal only \
            with --json. Web pages open in a running browser \
            with the extension, otherwise in the default browser.

            With --stream-to, continues the newest activity that offers a stream for scripts. The file appears once it is \
            complete. With -, the data goes to standard output and nothing else is written there.
            """)

    @Argument(
        help: "The beginning of the activity's ID, as handoff activity list shows it.",
        completion: Completion.continuable)
    var id: String?

    @Option(help: ArgumentHelp("The app to continue in.", valueName: "bundle"), completion: Completion.apps)
    var app: String?

    @Flag(help: "Open its web page in a browser, even if an app could continue it.")
    var browser = false

    @Option(
        help: ArgumentHelp("The origin device: its name, or the beginning of its ID.", valueName: "name"),
        completion: Completion.devices)
    var device: String?

    @Option(
        help: ArgumentHelp("The destination of its stream: a new file, or - for standard output.", valueName: "file"),
        completion: .file())
    var streamTo: String?

    @Flag(help: "Replace an existing file (with --stream-to).")
    var force = false

    @Flag(help: "Open a web page even when not running in a terminal on a desktop.")
    var open = false

    @Flag(help: "Show how long each phase took.")
    var verbose = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if streamTo != nil, app != nil { throw ValidationError("--app is for an app, --stream-to for a script") }
        if browser, app != nil { throw ValidationError("--app is for an app, --browser for a web page") }
        if browser, streamTo != nil { throw ValidationError("a web page has no stream") }
        if streamTo == nil, force { throw ValidationError("--force is for --stream-to") }
    }

    func perform(_ output: Output) throws {
        let target = try streamTo.map { name throws(CommandFailure) in
            try StreamTarget(argument: name, replacing: force)
        }
        let bundle = try app.map { name throws(CommandFailure) in try BundleID(argument: name) }
        let client = try common.connect()
        let activities = try client.ask(.advertising(.listActivities(watch: false, all: id != nil || bundle != nil))) {
            if case .advertising(.activityList(let list)) = $0 { list } else { nil }
        }
        let isForPerson = target == nil && !output.json && output.terminal.isTerminal
        let choice = ActivityChoice(
            id: id, device: device, needsStream: target != nil, needsPage: browser, prefersApps: isForPerson)
        let chosen = try choice.choose(from: activities, asking: !output.json && Terminal.canAsk)
        if isForPerson, bundle == nil, !browser, chosen.lacksItsApp {
            let isInstalled = try client.installedApps().contains { $0.bundle == chosen.offer.bundle }
            throw CommandFailure(noAppFor: chosen.offer, isInstalled: isInstalled)
        }

        let start = StartContinuation(
            activity: chosen.offer.activity, device: chosen.device, app: bundle, inBrowser: browser,
            activationToken: ActivationToken(environment: ProcessInfo.processInfo.environment))
        let outcome = try client.follow(.continuation(.startContinuation(start)), output)
        var shown = try ShownOutcome(outcome, planned: browser ? .webPage : chosen.target)
        shown.isVerbose = verbose
        guard let target else {
            try shown.present(output, opensPages: open)
            // A sent activity is kept until used. Showing it, or opening its page, is a use.
            if chosen.isSent, shown.activity != nil { dismiss(chosen, client) }
            return
        }
        shown.stream = try stream(of: outcome, to: target, client, output)
        show(shown, with: target, output)
    }

    /// Errors are ignored; the user can dismiss it later.
    private func dismiss(_ sent: ListedActivity, _ client: BlockingClient) {
        _ = try? client.call(.sending(.dismissSent(sent.offer.activity, from: sent.device)))
    }

    private func stream(
        of outcome: ContinuationOutcome, to target: StreamTarget, _ client: BlockingClient, _ output: Output
    ) throws -> TakenStream {
        guard case .state(let state) = outcome.how else {
            throw CommandFailure(.failed, code: "noStreams", "an app continued the activity in the meantime")
        }
        return try StreamTaking(
            target: target, replacing: force, client: client, locations: common.locations, output: output
        )
        .take(outcome.continuation, announced: StreamSize.said(in: state))
    }

    private func show(_ outcome: ShownOutcome, with target: StreamTarget, _ output: Output) {
        switch target {
        case .file where output.json: output.show(outcome)
        case .standardOutput where output.json: output.showBeside(outcome)
        case .file:
            if let state = outcome.activity { output.showJSON(state) }
            outcome.remark.map(output.remark)
        case .standardOutput: outcome.remark.map(output.remark)
        }
    }
}

extension CommandFailure {
    /// `isInstalled`: its app is here, but does not take it.
    init(noAppFor offer: Offer, isInstalled: Bool) {
        let lack = isInstalled ? "cannot continue this activity here" : "is not installed here"
        self.init(
            .failed, code: "noApp", "\(offer.appName.text) \(lack)",
            advice: "to print the activity: handoff activity continue \(offer.activity.short) --json")
    }
}
