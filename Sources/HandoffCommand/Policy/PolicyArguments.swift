// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffCore
internal import HandoffWire

struct PolicyArguments: ParsableArguments {
    enum Direction: String, ExpressibleByArgument, CaseIterable {
        case advertising, receiving, both

        var directions: [HandoffDirection] {
            HandoffDirection(word: rawValue).map { [$0] } ?? HandoffDirection.allCases
        }
    }

    @Argument(help: "advertising: showing your activity here to your other devices; receiving: the reverse; or both.")
    var direction = Direction.both

    @Option(help: ArgumentHelp("Only for this app, by its bundle identifier.", valueName: "id"))
    var app: String?

    /// Returns the switches that are now off. If one direction is refused, the other is still set.
    func set(off: Bool, until: WallTime?, with client: BlockingClient) throws -> ShownPolicy {
        let bundle = try app.map { try BundleID(argument: $0) }
        var summary = PolicySummary()
        var refusal: Failure?
        for direction in direction.directions {
            let change = PolicyChange(PolicySubject(direction, of: bundle), isOff: off, until: until)
            do throws(Failure) {
                summary = try client.ask(.policy(.setPolicy(change)), \.policy)
            } catch {
                guard error.code == .notAllowed else { throw error }
                refusal = refusal ?? error
            }
        }
        if let refusal { throw refusal }
        return ShownPolicy(summary)
    }
}
