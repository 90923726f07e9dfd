// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import HandoffClient
import HandoffCore
import HandoffWire

struct ActivityList: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the activities of your other devices, newest first.")

    @Flag(help: "Keep running, and print the list again whenever it changes.")
    var watch = false

    @Flag(help: "Include this device's activities, and those that cannot be continued here, with the reason.")
    var all = false

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let client = try common.connect()
        let interruption = Interruption()
        let request = try client.begin(.advertising(.listActivities(watch: watch, all: all)))
        var isFirst = true
        while let frame = try client.receive(
            unless: interruption.descriptor, output: watch ? output.descriptor : -1)
        {
            guard frame.answer == request else { continue }
            switch frame.message {
            case .advertising(.activityList(let activities)):
                if watch, !isFirst { output.note("") }
                output.show(try listing(activities, client, output))
            case .failure(let failure): throw failure
            default: throw Failure.unexpectedAnswer
            }
            guard watch else { return }
            isFirst = false
        }
        // Its reader, such as a desktop's bar, would otherwise leave it running until the next change.
        if !interruption.wait(.zero) { output.readerEnded() }
    }

    private func listing(
        _ activities: [ListedActivity], _ client: BlockingClient, _ output: Output
    ) throws -> Listing<ShownActivity> {
        guard activities.isEmpty, output.terminal.isTerminal, !output.json else {
            let names = DeviceNames(activities)
            return Listing(activities.map { ShownActivity($0, among: names) }, ifEmpty: "no activities")
        }
        return Listing([], ifEmpty: NoActivities(status: try client.status(), all: all).sentence)
    }
}

struct NoActivities {
    let status: DaemonStatus
    let all: Bool

    var sentence: String { "no activities: \(reason)" }

    private var reason: String {
        guard status.account != nil else {
            return "this device is not in an account yet; run handoff account create, or handoff account join"
        }
        if let problem = status.policy.problem { return problem }
        // With `all`, each activity is listed with this reason.
        if !all, let off = isOff(.receiving) { return off.clause }
        guard status.devicesKnown > 1 else {
            return "this account has no other device; add one with handoff account invite"
        }
        guard status.devicesConnected > 0 else { return "no other device of yours is connected" }
        if !all, status.activitiesOffered > 0 {
            return "nothing here can continue what your other devices offer; run handoff activity list --all to see why"
        }
        if all, let off = isOff(.advertising) { return "your other devices offer nothing, and here \(off.clause)" }
        return "your other devices offer nothing now"
    }

    private func isOff(_ direction: HandoffDirection) -> PolicySwitch? {
        status.policy.off.first { $0.subject.direction == direction && $0.subject.bundle == nil }
    }
}
