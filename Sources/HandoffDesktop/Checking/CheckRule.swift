// SPDX-License-Identifier: Apache-2.0

/// A rule for adapters, in the order in which they are checked. docs/adapters.md lists the rules.
enum CheckRule: String, CaseIterable {
    case register, quiet, publish, save, unknown, move, flood, restart, `private`, close, kill, unregistered, off, bus

    func right(_ limits: CheckLimits) -> String {
        let (answer, save) = (limits.answer.whole, limits.save.whole)
        return switch self {
        case .register:
            "it registers its program, with receives false, within \(answer) s of its start"
        case .quiet: "it publishes nothing while its program shows nothing"
        case .publish: "it publishes an activity within \(answer) s of the program's"
        case .save: "it answers Save within \(save) s, with properties of an activity"
        case .unknown: "it refuses unknown methods, ignores unknown properties, and keeps running"
        case .move: "it publishes, updates or reports the change within \(answer) s, and its state changes"
        case .flood: "it sends at most two messages a second"
        case .restart: "it registers and publishes again within \(answer) s of a new handoff-bus"
        case .private: "it withdraws the activity within \(answer) s"
        case .close, .kill: "it withdraws the activity within \(answer) s of the program's end"
        case .unregistered: "it is silent or exits"
        case .off: "it exits within \(answer) s"
        case .bus: "it exits within \(answer) s of the bus"
        }
    }
}

struct CheckLimits {
    /// For each thing that an adapter must do.
    var answer = Duration.seconds(10)
    /// As the daemon's.
    var save = Duration.seconds(8)
    /// For the command that drives the program.
    var drive = Duration.seconds(60)
    /// In which nothing may happen.
    var silence = Duration.seconds(2)
    /// Messages in each such time while the program changes: two a second, and the first.
    static let flood = (messages: 5, in: Duration.seconds(2))
    /// The driving command's exit status if the program cannot do it.
    static let cannot: CInt = 64
}

extension Duration {
    var whole: Int64 { components.seconds }
}

struct CheckResult: Hashable {
    enum Outcome: String {
        case ok
        case failed
        case notChecked = "not-checked"
    }

    let rule: CheckRule
    let outcome: Outcome
    /// A clause without a tab or line break.
    let seen: String
    let right: String

    var line: String { [rule.rawValue, outcome.rawValue, seen, right].joined(separator: "\t") + "\n" }
}
