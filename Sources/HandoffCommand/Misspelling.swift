// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffCore

/// A noun or verb that there is not, and the one that was probably meant.
struct Misspelling: Equatable {
    let word: String
    let meant: String

    /// Nil where every noun and verb is known, or none is near.
    init?(in arguments: [String], of root: any ParsableCommand.Type) {
        var level = root
        var rest = arguments[...]
        while let word = rest.popFirst() {
            let names = level.configuration.subcommands.compactMap { $0.configuration.commandName }
            guard !names.isEmpty, word != "--" else { return nil }
            // Of the options that are taken in front of a verb, the one with a value.
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

    /// As ArgumentParser does of options: in place of what it says of unexpected arguments.
    private static func complain(of misspelling: Misspelling, _ error: any Error) -> Never {
        let usage = fullMessage(for: error).split(separator: "\n").drop { !$0.hasPrefix("Usage:") }
        let lines = ["Error: Unknown command '\(misspelling.word)'. Did you mean '\(misspelling.meant)'?"] + usage
        Output(json: false).remark(lines.joined(separator: "\n"))
        exit(withError: ExitCode.validationFailure)
    }
}
