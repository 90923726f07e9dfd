// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import HandoffClient
import HandoffCore
import HandoffHost
internal import HandoffSystem
import HandoffWire

struct ProgramsList: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the installed programs that can take part as they are.",
        discussion: """
            The system's administrator must have installed the program. Each is off until you switch it on. Then your other \
            devices see what it shows. Continuing in a program here needs no switch.
            """)

    @Flag(help: "List programs that are not installed, too.")
    var all = false

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let (programs, problems) = try common.connect().knownPrograms()
        let shown = programs.filter { all || $0.installed }
        output.show(
            Listing(shown, ifEmpty: "no known program is installed; list them all with: handoff programs list --all"))
        for problem in problems + InstalledEntries().uncovered { output.remark("note: \(problem)") }
    }
}

struct ProgramsOn: Verb {
    static let configuration = CommandConfiguration(
        commandName: "on", abstract: "Show your other devices what a program shows.")

    @OptionGroup var what: ProgramArgument
    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws { try what.set(on: true, with: common.connect(), output) }
}

struct ProgramsOff: Verb {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: "Stop showing your other devices what a program shows.")

    @OptionGroup var what: ProgramArgument
    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws { try what.set(on: false, with: common.connect(), output) }
}

struct ProgramsPrefer: Verb {
    static let configuration = CommandConfiguration(
        commandName: "prefer", abstract: "Choose the program that continues activities of its kind here.",
        discussion: """
            Without a choice, the program of the other device continues them if it is installed here, else the desktop's default \
            program. The choice replaces an earlier one for the same kind.
            """)

    @OptionGroup var what: ProgramArgument

    @Flag(help: "Clear the choice.")
    var forget = false

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws { try what.prefer(!forget, with: common.connect(), output) }
}

struct ProgramArgument: ParsableArguments {
    @Argument(
        help: "The program, by the identifier of its desktop entry: mpv.",
        completion: .custom { _, _, _ in
            let described = ProgramDescriptions.read(environment: ProcessEnvironment.read())
            return KnownProgram.all.map(\.entry) + described.descriptions.keys.sorted()
        })
    var program: String

    func set(on: Bool, with client: BlockingClient, _ output: Output) throws {
        var shown = try known(to: client, installed: on)
        let change = PolicyChange(
            PolicySubject(.advertising, of: try BundleID(systemProgram: shown.program)), isOff: !on)
        _ = try client.ask(.policy(.setPolicy(change)), \.policy)
        shown.on = on
        output.show(shown)
    }

    func prefer(_ isPreferred: Bool, with client: BlockingClient, _ output: Output) throws {
        let entry = try known(to: client, installed: isPreferred).program
        _ = try client.call(.launching(.preferApp(try BundleID(systemProgram: entry), isPreferred: isPreferred)))
        output.show(ShownPreference(program: entry, preferred: isPreferred))
    }

    private func known(to client: BlockingClient, installed: Bool) throws -> ShownProgram {
        let programs = try client.knownPrograms().programs
        let entry =
            program.hasPrefix(BundleID.systemPrefix)
            ? String(program.dropFirst(BundleID.systemPrefix.count)) : program
        if let uncovered = UncoveredProgram.of(entry: entry) {
            throw CommandFailure(.failed, code: "notSupported", "\(entry) cannot take part: \(uncovered.reason)")
        }
        guard let known = programs.first(where: { $0.program == entry }) else {
            let near = NearestName.to(entry, in: programs.map(\.program))
            throw CommandFailure(
                .usage, code: "usage", "Handoff does not know the program \(entry)",
                advice: near.map { "did you mean \($0)?" } ?? "run: handoff programs list --all")
        }
        guard !installed || known.installed else {
            throw CommandFailure(
                .failed, code: "noApp", "the system has not installed \(entry)",
                advice: "only a program whose desktop entry root alone can change takes part as it is")
        }
        return known
    }
}

private struct InstalledEntries {
    private let folders = UserDataFolders(ProcessEnvironment.read()).data

    /// A sentence for each.
    var uncovered: [String] {
        UncoveredProgram.all.filter { isInstalled($0.entry) }.map { "\($0.entry) cannot take part: \($0.reason)" }
    }

    private func isInstalled(_ entry: String) -> Bool {
        folders.contains { "\($0)/applications/\(entry).desktop".isThere }
    }
}

extension BlockingClient {
    /// `problems`: a sentence each.
    func knownPrograms() throws(Failure) -> (programs: [ShownProgram], problems: [String]) {
        _ = try call(.launching(.reloadApps))
        let apps = try ask(.launching(.listApps)) {
            if case .launching(.appList(let apps, _)) = $0 { apps } else { nil }
        }
        let policy = try ask(.policy(.showPolicy()), \.policy)
        let described = ProgramDescriptions.read(environment: ProcessEnvironment.read())
        let known =
            KnownProgram.all.map { (entry: $0.entry, reads: $0.reads, loses: $0.loses, needs: $0.needs) }
            + described.descriptions.values.sorted { $0.entry < $1.entry }
            .map { (entry: $0.entry, reads: $0.reads, loses: $0.loses, needs: $0.needs) }
        let programs = known.map { known in
            ShownProgram(
                known.entry, app: apps.first { $0.bundle.desktopEntry == known.entry },
                on: policy.programs.contains { $0.desktopEntry == known.entry }, reads: known.reads, loses: known.loses,
                needs: known.needs)
        }
        return (programs, described.problems)
    }
}

struct ShownProgram: Listed, Renderable {
    static let columns: [Table.Column] = [
        "PROGRAM", .elastic("NAME"), "STATE", .elastic("OFFERS"), .elastic("DOES NOT CONTINUE"),
    ]

    let program: String
    let name: String?
    let installed: Bool
    var on: Bool
    /// Continues activities of its kind here.
    let preferred: Bool
    let reads: String
    let loses: String
    let needs: String?

    init(_ entry: String, app: AppSummary?, on: Bool, reads: String, loses: String, needs: String?) {
        program = entry
        name = app?.name.text
        installed = app != nil
        preferred = app?.isPreferred ?? false
        self.on = on
        (self.reads, self.loses, self.needs) = (reads, loses, needs)
    }

    var cells: [String] { [program, name ?? "", state, reads, loses] }

    private var state: String {
        guard installed else { return "not installed" }
        return (on ? "on" : "off") + (preferred ? ", preferred" : "")
    }

    func text(_ terminal: Terminal) -> String {
        guard on else { return "\(program) is off. Your other devices no longer see what it shows." }
        return "\(program) is on. Your other devices see \(reads)." + (needs.map { " It needs \($0)." } ?? "")
    }
}

private struct ShownPreference: Renderable {
    let program: String
    let preferred: Bool

    func text(_ terminal: Terminal) -> String {
        preferred
            ? "\(program) continues activities of its kind on this device."
            : "\(program) is not preferred. Activities continue in the program of the other device, else in the default program."
    }
}

extension KnownProgram {
    fileprivate var needs: String? {
        switch content {
        case .text where interface != .report: nil
        case .text: "Handoff's extension for it: docs/adapters.md#editors"
        case .mail: "Handoff's add-on in Thunderbird: docs/adapters.md#thunderbird"
        case .terminal: "a line in the start file of your shell: docs/adapters.md#shells"
        case .document, .folder, .media, .point, .webMedia: nil
        }
    }
}

private struct UncoveredProgram: Hashable, Sendable {
    let entry: String
    let reason: String

    private init(_ entry: String, _ reason: String) { (self.entry, self.reason) = (entry, reason) }

    static let all: [UncoveredProgram] = [
        UncoveredProgram("com.github.xournalpp.xournalpp", "it names its file and page only when it closes the file"),
        UncoveredProgram("org.gnome.Evolution", "it reveals the message to no program"),
    ]

    static func of(entry: String) -> UncoveredProgram? { all.first { $0.entry == entry } }
}
