// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct ActivityPublish: Verb {
    static let configuration = CommandConfiguration(
        commandName: "publish", abstract: "Offer an activity to your other devices until interrupted.",
        discussion: """
            Prints a line when another device continues it. Activities of scripts belong to your account's personal team.

            Other users of this machine can see command-line arguments. Use --title-file and --user-info-file for anything \
            confidential.

            With --stream, devices that continue the activity can also fetch a file (as often as they like) or standard input \
            (one device only). With -, the command exits once that device has stored all the data, or has failed.
            """)

    @Option(help: "The activity's type: a reverse-DNS name.")
    var type: String

    @Option(help: "The title to show in lists.")
    var title: String?

    @Option(
        help: ArgumentHelp("The title, as the first line of a file, or - for standard input.", valueName: "file"),
        completion: .file())
    var titleFile: String?

    @Option(help: ArgumentHelp("The state: a JSON object, or - to read it from standard input.", valueName: "json"))
    var userInfo: String?

    @Option(
        help: ArgumentHelp("The state, from a file, or - for standard input.", valueName: "file"), completion: .file())
    var userInfoFile: String?

    @Option(help: ArgumentHelp("The page to open if no app can continue it: http or https.", valueName: "url"))
    var web: String?

    @Option(
        help: ArgumentHelp(
            "The stream to offer: a file, or - for standard input.", valueName: "file"),
        completion: .file())
    var stream: String?

    @Option(help: "The app name to show.")
    var name = "handoff"

    @Flag(help: "Exit once a device has continued it; with --stream, once that device has received the whole stream.")
    var once = false

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let activity = try published()
        _ = try activity.state()
        ignoreSignalsOfWrites()
        let streams = activity.source.map { StreamServing(source: $0, locations: common.locations, output: output) }
        let interruption = Interruption()
        var isOffered = false
        while true {
            do {
                let client = try BlockingClient.connect(common: common, name: name)
                _ = try client.call(.advertising(.publish(activity.publication)))
                if !isOffered || output.json { output.show(PublishEvent(event: "offered", activity: activity.id.hex)) }
                if isOffered { output.note("the daemon is back; the activity is offered again") }
                isOffered = true
                return try serve(activity, streams, client, interruption, output)
            } catch let failure as Failure where isOffered && failure.code == .connectionUnavailable {
                try lose(streams, failure, activity, output)
                output.note("the daemon has stopped; waiting for it to return")
            } catch let failure as CommandFailure where isOffered && failure.status == .noDaemon {
                // The daemon has not restarted yet.
            }
            if interruption.wait(.milliseconds(500)) { return try interrupted(streams) }
        }
    }

    private func serve(
        _ activity: PublishedActivity, _ streams: StreamServing?, _ client: BlockingClient,
        _ interruption: Interruption, _ output: Output
    ) throws {
        defer { streams?.clearProgress() }
        var isDone = false
        while !isDone, !interruption.wait(.zero) {
            let others = streams?.descriptor ?? interruption.descriptor
            if let frame = try client.receive(
                unless: interruption.descriptor, others, timeout: streams?.patience)
            {
                isDone = try take(frame, of: activity, streams, client, output)
            }
            let reports = try streams?.reports { message throws(Failure) in try client.send(LocalFrame(message)) }
            for report in reports ?? [] where try show(report, streams, activity, client, output) { isDone = true }
        }
        _ = try client.call(.advertising(.withdraw(activity.id)), timeout: .seconds(2))
        guard streams?.isIdle != false else {
            throw CommandFailure(.failed, code: "interrupted", "interrupted before everything was sent")
        }
        if !isDone { try interrupted(streams) }
    }

    /// After an exit code of 0, a script may remove what no device has.
    private func interrupted(_ streams: StreamServing?) throws(CommandFailure) {
        guard once || streams?.source.isStandardInput == true else { return }
        let deed = streams == nil ? "continued the activity" : "received the stream"
        throw CommandFailure(.failed, code: "interrupted", "interrupted before a device had \(deed)")
    }

    /// True when everything is delivered.
    private func take(
        _ frame: LocalFrame, of activity: PublishedActivity, _ streams: StreamServing?, _ client: BlockingClient,
        _ output: Output
    ) throws -> Bool {
        switch frame.message {
        case .advertising(.save(activity.id, _, _)):
            try client.send(LocalFrame(Self.saved(activity), answer: frame.request))
        case .streams(.streamWanted(let wanted)) where wanted.activity == activity.id:
            let answer = streams?.answer(wanted) ?? .failure(.streamsNotSupported)
            try client.send(LocalFrame(answer, answer: frame.request))
        case .streams(.streamEnded(let end)): streams?.wordCame(end)
        case .continuation(.wasContinued(activity.id, let device)):
            streams?.clearProgress()
            output.show(PublishEvent(event: "continued", activity: activity.id.hex, deviceName: device.text))
            return once && streams == nil
        default:
            guard frame.request != 0 else { return false }
            let failure = Failure(.unimplemented, "a script cannot do that")
            try client.send(LocalFrame(.failure(failure), answer: frame.request))
        }
        return false
    }

    /// Throws if standard input was consumed in vain.
    private func show(
        _ report: StreamServing.Report, _ streams: StreamServing?, _ activity: PublishedActivity,
        _ client: BlockingClient?, _ output: Output
    ) throws -> Bool {
        let event = PublishEvent(report, activity: activity.id)
        guard case .failed(_, _, let failure) = report else {
            output.show(event)
            guard case .delivered = report else { return false }
            return once || streams?.source.isStandardInput == true
        }
        if streams?.isSpent == true {
            // The daemon may be the reason of the failure.
            _ = try? client?.call(.advertising(.withdraw(activity.id)), timeout: .seconds(2))
            throw CommandFailure(failure.status, code: failure.code, event.text(output.terminal))
        }
        if output.json { output.show(event) } else { output.note(event.text(output.terminal)) }
        return false
    }

    private func lose(
        _ streams: StreamServing?, _ failure: Failure, _ activity: PublishedActivity, _ output: Output
    ) throws {
        streams?.connectionLost(failure)
        for report in try streams?.reports({ _ in }) ?? [] {
            _ = try show(report, streams, activity, nil, output)
        }
    }

    private static func saved(_ activity: PublishedActivity) -> LocalMessage {
        do throws(CommandFailure) {
            return .advertising(.saved(try activity.state(), saving: .zero))
        } catch {
            return .failure(Failure(.internal, "the file being streamed can no longer be read"))
        }
    }

    private func published() throws(CommandFailure) -> PublishedActivity {
        let activityType: ActivityType
        do throws(WireError) {
            activityType = try ActivityType(type)
        } catch {
            throw .usage(error.reason)
        }
        if let web, !WebPageURL.isAllowed(web) { throw .usage("--web takes an http or https URL") }
        let readsInfo = userInfo == "-"
        let given = (
            title: GivenText(option: "--title", argument: title, file: titleFile),
            info: GivenText(
                option: "--user-info", argument: readsInfo ? nil : userInfo, file: readsInfo ? "-" : userInfoFile)
        )
        guard [given.title.isStandardInput, given.info.isStandardInput, stream == "-"].count(where: { $0 }) <= 1 else {
            throw .usage("standard input can be used for only one of the title, the user info and the stream")
        }
        guard !readsInfo || userInfoFile == nil else {
            throw .usage("--user-info and --user-info-file exclude each other")
        }
        var title = try given.title.read(limit: Self.titleFileBytes)
        if titleFile != nil { title = title.map { String($0.prefix { !$0.isNewline }) } }
        if let title, title.utf8.count > Limits.titleBytes {
            throw .usage("a title has at most \(Limits.titleBytes) bytes")
        }
        let info = try given.info.read(limit: Self.infoFileBytes).map { text throws(CommandFailure) in
            try JSONValue(userInfo: text).value
        }
        if stream != nil, let info, StreamSize.isSaid(in: info) {
            throw .usage("with --stream, the user info cannot have an entry \(StreamSize.key) of its own")
        }
        let source = try stream.map { name throws(CommandFailure) in try StreamSource(argument: name) }
        var randomness = SystemRandomNumberGenerator()
        return PublishedActivity(
            id: .random(using: &randomness), type: activityType, title: title, userInfo: info, webpageURL: web,
            source: source)
    }

    private static let titleFileBytes = 64 * 1024
    /// JSON is larger than the encoded value.
    private static let infoFileBytes = 8 * Limits.userInfoBytes
}
