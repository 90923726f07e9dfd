// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffCore
internal import HandoffWire

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
        while let frame = try client.receive(unless: interruption.descriptor) {
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
    }

    /// Asks for the reason of an empty list only if it would be shown.
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
