// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffCore

struct Misspelling: Equatable {
    let word: String
    let meant: String

    /// Nil if all nouns and verbs are known, or none is similar.
    init?(in arguments: [String], of root: any ParsableCommand.Type) {
        var level = root
        var rest = arguments[...]
        while let word = rest.popFirst() {
            let names = level.configuration.subcommands.compactMap { $0.configuration.commandName }
            guard !names.isEmpty, word != "--" else { return nil }
            // The only option before a verb that takes a value.
            if word == "--root" { rest = rest.dropFirst() }
            guard !word.hasPrefix("-") else { continue }
            guard let index = names.firstIndex(of: word) else {
                guard let meant = NearestName.to(word, in: names) else { return nil }
                (self.word, self.meant) = (word, meant)
                return
            }
            level = level.configuration.subcommands[index]
        }
        return nil
    }
}

extension HandoffCommand {
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            if exitCode(for: error) == .validationFailure,
                let misspelling = Misspelling(in: Array(CommandLine.arguments.dropFirst()), of: HandoffCommand.self)
            {
                complain(of: misspelling, error)
            }
            exit(withError: error)
        }
    }

    /// Replaces ArgumentParser's message about unexpected arguments, in the style of its message for options.
    private static func complain(of misspelling: Misspelling, _ error: any Error) -> Never {
        let usage = fullMessage(for: error).split(separator: "\n").drop { !$0.hasPrefix("Usage:") }
        let lines = ["Error: Unknown command '\(misspelling.word)'. Did you mean '\(misspelling.meant)'?"] + usage
        Output(json: false).remark(lines.joined(separator: "\n"))
        exit(withError: ExitCode.validationFailure)
    }
}
