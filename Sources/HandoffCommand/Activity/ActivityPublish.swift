// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import FoundationEssentials
internal import HandoffClient
internal import HandoffWire

struct ActivityPublish: Verb {
    static let configuration = CommandConfiguration(
        commandName: "publish", abstract: "Offer an activity to your other devices until interrupted.",
        discussion: """
            Prints a line when another device went on with it. It belongs to the personal team of your account, as \
            scripts do.
            """)

    @Option(help: "The activity's type: a reverse-DNS name.")
    var type: String

    @Option(help: "What people see in lists.")
    var title: String?

    @Option(help: ArgumentHelp("The state: a JSON object, or - to read it from standard input.", valueName: "json"))
    var userInfo: String?

    @Option(help: ArgumentHelp("The page to open where no app takes it: http or https.", valueName: "url"))
    var web: String?

    @Option(help: "The name people see as the app's.")
    var name = "handoff"

    @Flag(help: "End after the first device went on with it.")
    var once = false

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let state = try state()
        var randomness = SystemRandomNumberGenerator()
        let activity = PublishedActivity(id: .random(using: &randomness), state: state)
        let interruption = Interruption()
        var isOffered = false
        while true {
            do {
                let client = try BlockingClient.connect(common: common, name: name)
                _ = try client.call(.publish(activity.publication))
                if !isOffered || output.json { output.show(PublishEvent(event: "offered", activity: activity.id.hex)) }
                if isOffered { output.note("the daemon is back; offered again") }
                isOffered = true
                return try serve(activity, client, interruption, output)
            } catch let failure as Failure where isOffered && failure.code == .connectionUnavailable {
                output.note("the daemon is gone; waiting for it")
            } catch let failure as CommandFailure where isOffered && failure.status == .noDaemon {
                // Not back yet.
            }
            if interruption.wait(.milliseconds(500)) { return }
        }
    }

    /// Answers the daemon until interrupted, or once continued.
    private func serve(
        _ activity: PublishedActivity, _ client: BlockingClient, _ interruption: Interruption, _ output: Output
    ) throws {
        while let frame = try client.receive(unless: interruption.descriptor) {
            switch frame.message {
            case .save(activity.id, _):
                try client.send(LocalFrame(.saved(activity.state, saving: .zero), answer: frame.request))
            case .wasContinued(activity.id, let device):
                output.show(PublishEvent(event: "continued", activity: activity.id.hex, deviceName: device.text))
                if once { return _ = try client.call(.withdraw(activity.id)) }
            default:
                guard frame.request != 0 else { continue }
                let failure = Failure(.unimplemented, "a script does not do that")
                try client.send(LocalFrame(.failure(failure), answer: frame.request))
            }
        }
        _ = try client.call(.withdraw(activity.id), timeout: .seconds(2))
    }

    private func state() throws(CommandFailure) -> ActivityState {
        let activityType: ActivityType
        var encodedInfo: [UInt8] = []
        do throws(WireError) {
            activityType = try ActivityType(type)
        } catch {
            throw .usage(error.reason)
        }
        if let web, !WebPageURL.isAllowed(web) { throw .usage("--web takes an http or https URL") }
        if let title, title.utf8.count > Limits.titleBytes {
            throw .usage("a title has at most \(Limits.titleBytes) bytes")
        }
        if let userInfo {
            let info = try JSONValue(userInfo: userInfo == "-" ? Self.standardInput() : userInfo)
            do throws(WireError) {
                encodedInfo = try info.value.encoded()
            } catch {
                throw .usage("the user info is too large: \(error.reason)")
            }
        }
        return ActivityState(type: activityType, title: title, userInfo: encodedInfo, webpageURL: web)
    }

    private static func standardInput() -> String {
        var text = ""
        while let line = readLine(strippingNewline: false), text.utf8.count < 8 * Limits.userInfoBytes { text += line }
        return text
    }
}

/// What a script offers.
private struct PublishedActivity {
    let id: ActivityID
    let state: ActivityState

    var publication: Publication {
        Publication(
            activity: id, type: state.type, title: state.title.map { DisplayText(cleaning: $0) },
            hasWebPage: state.webpageURL != nil)
    }
}

private struct PublishEvent: Renderable {
    let event: String
    let activity: String
    var deviceName: String?

    func text(_ terminal: Terminal) -> String {
        deviceName.map { "continued on \($0)" } ?? "offered as \(activity.prefix(8))"
    }
}
