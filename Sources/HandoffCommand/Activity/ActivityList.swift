// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct ActivityList: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List what your other devices offer, newest first.")

    @Flag(help: "Go on, and print the list again at each change.")
    var watch = false

    @Flag(help: "Also what is offered here, and what nothing here can continue, with the reason.")
    var all = false

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let client = try common.connect()
        let interruption = Interruption()
        let request = try client.begin(.listActivities(watch: watch, all: all))
        var isFirst = true
        while let frame = try client.receive(unless: interruption.descriptor) {
            guard frame.answer == request else { continue }
            switch frame.message {
            case .activityList(let activities):
                if watch, !isFirst { output.note("") }
                output.show(ShownActivities(activities: activities.map(ShownActivity.init)))
            case .failure(let failure): throw failure
            default: throw Failure.unexpectedAnswer
            }
            guard watch else { return }
            isFirst = false
        }
    }
}

private struct ShownActivities: Renderable {
    let activities: [ShownActivity]

    func encode(to encoder: any Encoder) throws { try activities.encode(to: encoder) }
    func text(_ terminal: Terminal) -> String { ShownActivity.table(activities).text(terminal) }
}
