// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import HandoffCore
import HandoffSystem
import HandoffWire

package enum CommandLineProgram {
    package static func main() {
        StandardDescriptors.fill()
        // Protects team keys and recovery keys.
        ProcessMemory.keepToItself()
        if let position = CommandLine.firstMalformedArgument {
            let reason = "argument \(position) is not UTF-8"
            let advice = "for a file with such a name, use standard input or output: -"
            Output(json: CommandLine.arguments.contains("--json"))
                .fail(CommandFailure(.usage, code: "usage", reason, advice: advice))
            HandoffCommand.exit(withError: ExitCode(ExitStatus.usage.rawValue))
        }
        HandoffCommand.main()
    }
}

struct HandoffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "handoff",
        abstract: "Continue on this device what you were doing on another.",
        discussion: """
            Every command talks to handoffd, the daemon of the current user, and prints JSON with --json.

            Exit codes:
            \(ExitStatus.table)
            """,
        version: DisplayText.software.text,
        subcommands: [
            StatusCommand.self, DoctorCommand.self, AccountCommand.self, DeviceCommand.self, AppCommand.self,
            TeamCommand.self,
            ActivityCommand.self, HistoryCommand.self, FolderCommand.self, DocumentCommand.self, PolicyCommand.self,
            WebCommand.self,
            ProgramsCommand.self, BrowserCommand.self, ConfigCommand.self,
        ],
        groupedSubcommands: [
            CommandGroup(
                name: "Main",
                subcommands: [ActivityList.self, ActivityContinue.self, ActivitySend.self])
        ])

    // Also in nouns and verbs, for common options at any position.
    @OptionGroup var common: CommonOptions
}

struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Manage the account: the set of devices that belong together.",
        subcommands: [
            AccountCreate.self, AccountInvite.self, AccountJoin.self, AccountKey.self, AccountLeave.self,
            AccountLog.self, AccountNewKey.self, AccountRecover.self, AccountShow.self,
        ])

    @OptionGroup var common: CommonOptions
}

struct DeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "Manage the devices of the account.",
        subcommands: [DeviceList.self, DeviceRemove.self, DeviceRename.self])

    @OptionGroup var common: CommonOptions
}

struct AppCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Manage the apps in which activities can be continued.",
        subcommands: [AppInstall.self, AppList.self, AppRemove.self, AppSign.self, AppVerify.self])

    @OptionGroup var common: CommonOptions
}

struct TeamCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "team", abstract: "Manage developer teams: your own, and those you trust.",
        subcommands: [
            TeamCreate.self, TeamExport.self, TeamList.self, TeamTrust.self, TeamDistrust.self,
        ])

    @OptionGroup var common: CommonOptions
}

struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "Control what your other devices see, and what this device receives.",
        subcommands: [PolicyShow.self, PolicyOff.self, PolicyOn.self])

    @OptionGroup var common: CommonOptions
}

struct WebCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "Manage which apps continue the pages of web sites.",
        subcommands: [WebList.self, WebRefresh.self, WebCheck.self, WebChoose.self])

    @OptionGroup var common: CommonOptions
}

struct ProgramsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "programs", abstract: "Choose which programs take part that know nothing of Handoff.",
        subcommands: [
            ProgramsList.self, ProgramsOn.self, ProgramsOff.self, ProgramsPrefer.self, ProgramsCheck.self,
        ])

    @OptionGroup var common: CommonOptions
}

struct ActivityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activity", abstract: "List, continue, publish and send activities.",
        subcommands: [
            ActivityList.self, ActivityContinue.self, ActivityPublish.self, ActivitySend.self, ActivityOutbox.self,
            ActivityCancel.self, ActivityDismiss.self,
        ])

    @OptionGroup var common: CommonOptions
}

struct FolderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "folder", abstract: "Manage where apps store their documents on this device.",
        subcommands: [FolderList.self, FolderMap.self, FolderUnmap.self, FolderCheck.self])

    @OptionGroup var common: CommonOptions
}

struct DocumentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "document", abstract: "Manage documents received with an activity.",
        subcommands: [DocumentVersions.self, DocumentRestore.self])

    @OptionGroup var common: CommonOptions
}

struct BrowserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browser", abstract: "Set up your browsers for the Handoff extension.",
        subcommands: [BrowserInstall.self, BrowserStatus.self, BrowserRemove.self])

    @OptionGroup var common: CommonOptions
}

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Read and change the settings of this device.",
        subcommands: [ConfigList.self, ConfigGet.self, ConfigSet.self, ConfigUnset.self])

    @OptionGroup var common: CommonOptions
}

struct TypedCommand {
    private(set) var names: [String] = []
    /// The first word that should be a noun or a verb, but is not.
    private(set) var unknown: String?
    private(set) var candidates: [String] = []

    init(in arguments: [String], of root: any ParsableCommand.Type) {
        var level = root
        var rest = arguments[...]
        while let word = rest.popFirst() {
            let commands = level.configuration.subcommands.map { $0.configuration }
            candidates = commands.compactMap(\.commandName)
            guard !candidates.isEmpty, word != "--" else { return }
            // The only option before a verb that takes a value.
            if word == "--root" { rest = rest.dropFirst() }
            guard !word.hasPrefix("-") else { continue }
            guard let index = commands.firstIndex(where: { $0.commandName == word || $0.aliases.contains(word) }) else {
                unknown = word
                return
            }
            names.append(commands[index].commandName ?? word)
            level = level.configuration.subcommands[index]
        }
    }
}

struct Misspelling: Equatable {
    let word: String
    let meant: String

    /// Nil if all nouns and verbs are known, or none is similar.
    init?(in command: TypedCommand) {
        guard let word = command.unknown, let meant = NearestName.to(word, in: command.candidates) else { return nil }
        (self.word, self.meant) = (word, meant)
    }
}

extension CommandFailure {
    /// ArgumentParser's own form differs from other errors. `message`: without its heading.
    init(usage message: String, of command: TypedCommand) {
        let misspelling = Misspelling(in: command)
        let reason = misspelling.map { "unknown command '\($0.word)'; did you mean '\($0.meant)'?" }
        self.init(
            .usage, code: "usage", reason ?? message.prefix(1).lowercased() + message.dropFirst(),
            advice: "run: \((["handoff"] + command.names).words) --help")
    }
}

extension HandoffCommand {
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            let message = message(for: error)
            guard exitCode(for: error) == .validationFailure, !message.isEmpty else { exit(withError: error) }
            let arguments = Array(CommandLine.arguments.dropFirst())
            let failure = CommandFailure(usage: message, of: TypedCommand(in: arguments, of: HandoffCommand.self))
            Output(json: arguments.contains("--json")).fail(failure)
            exit(withError: ExitCode(failure.status.rawValue))
        }
    }
}
