// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import HandoffClient
import HandoffCore
import HandoffWire

struct PolicyOff: Verb {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: "Switch advertising, receiving or both off.",
        discussion: "It stays off across restarts, until its time is up or you switch it on.")

    @OptionGroup var what: PolicyArguments

    @Option(name: .customLong("for"), help: ArgumentHelp("The duration: 30min, 2h, 1d.", valueName: "time"))
    var time: String?

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let until = try time.map { try WallTime.now.advanced(by: Duration(argument: $0)) }
        try what.set(off: true, until: until, with: common.connect(), output)
    }
}

extension Duration {
    /// `90s`, `30min`, `2h`, `1d`.
    fileprivate init(argument: String) throws(CommandFailure) {
        guard let duration = Duration(text: argument), duration > .zero else {
            throw .usage("\"\(argument)\" is not a time like 30min, 2h or 1d")
        }
        self = duration
    }
}

struct PolicyOn: Verb {
    static let configuration = CommandConfiguration(
        commandName: "on", abstract: "Switch advertising, receiving or both on again.",
        discussion: "If this machine's administrator has switched it off, it stays off, and the command reports that.")

    @OptionGroup var what: PolicyArguments
    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        try what.set(off: false, until: nil, with: common.connect(), output)
    }
}

struct PolicyShow: Verb {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show what is switched off.")

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        output.show(ShownPolicy(try common.connect().ask(.policy(.showPolicy()), \.policy)))
    }
}

extension LocalMessage {
    var policy: PolicySummary? {
        guard case .policy(.policy(let policy)) = self else { return nil }
        return policy
    }
}

struct PolicyArguments: ParsableArguments {
    enum Direction: String, ExpressibleByArgument, CaseIterable {
        case advertising, receiving, history, both

        var directions: [HandoffDirection] {
            HandoffDirection(word: rawValue).map { [$0] } ?? HandoffDirection.both
        }
    }

    @Argument(
        help: """
            advertising: showing your activity here to your other devices; receiving: the reverse; or both. history: keeping \
            what you did here.
            """)
    var direction = Direction.both

    @Option(
        help: ArgumentHelp("Only for this app, by its bundle identifier.", valueName: "id"), completion: Completion.apps
    )
    var app: String?

    func set(off: Bool, until: WallTime?, with client: BlockingClient, _ output: Output) throws {
        try Self.set(direction.directions, of: app, off: off, until: until, with: client, output)
    }

    /// If one direction is refused, the other is still set.
    static func set(
        _ directions: [HandoffDirection], of app: String?, off: Bool, until: WallTime? = nil,
        with client: BlockingClient, _ output: Output
    ) throws {
        let bundle = try app.map { try BundleID(argument: $0) }
        var summary = PolicySummary()
        var refusal: Failure?
        for direction in directions {
            let change = PolicyChange(PolicySubject(direction, of: bundle), isOff: off, until: until)
            do throws(Failure) {
                summary = try client.ask(.policy(.setPolicy(change)), \.policy)
            } catch {
                guard error.code == .notAllowed else { throw error }
                refusal = refusal ?? error
            }
        }
        if let refusal { throw refusal }
        output.show(ShownPolicy(summary))
        if let bundle { try warn(of: bundle, client, output) }
    }

    /// The switch is kept, because the app may be installed later.
    private static func warn(of bundle: BundleID, _ client: BlockingClient, _ output: Output) throws {
        let installed = try client.installedApps().map(\.bundle)
        guard !installed.contains(bundle) else { return }
        let near = NearestName.to(bundle.name, in: installed.map(\.name))
        output.remark("note: \(bundle) is not installed here" + (near.map { "; did you mean \($0)?" } ?? ""))
    }
}

struct ShownPolicy: Renderable {
    struct Switch: Encodable {
        let direction: String
        let app: String?
        let until: String?
        let by: String
        let line: String

        private enum CodingKeys: CodingKey { case direction, app, until, by }

        init(_ policy: PolicySwitch) {
            direction = policy.subject.direction.word
            app = policy.subject.bundle?.name
            until = policy.until?.iso8601
            by = policy.isByAdministrator ? "administrator" : "user"
            line = policy.line
        }
    }

    let off: [Switch]
    let problem: String?

    init(_ summary: PolicySummary) {
        off = summary.off.map(Switch.init)
        problem = summary.problem
    }

    func text(_ terminal: Terminal) -> String {
        let lines = off.isEmpty ? ["advertising and receiving are on"] : off.map(\.line)
        return (lines + (problem.map { [$0] } ?? [])).joined(separator: "\n")
    }
}

extension PolicySwitch {
    /// `receiving off for com.example.notes until 2026-03-01 14:00`
    var line: String { words("off") }
    /// `receiving is switched off until 2026-03-01 14:00, by the administrator`
    var clause: String { words("is switched off") }

    private func words(_ state: String) -> String {
        var words = "\(subject.direction.word) \(state)"
        if let bundle = subject.bundle { words += " for \(bundle)" }
        if let until { words += " until \(until.local)" }
        return isByAdministrator ? words + ", by the administrator" : words
    }
}
