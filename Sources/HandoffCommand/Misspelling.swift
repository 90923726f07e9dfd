// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

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
                guard let meant = Self.nearest(to: word, in: names) else { return nil }
                (self.word, self.meant) = (word, meant)
                return
            }
            level = level.configuration.subcommands[index]
        }
        return nil
    }

    /// One slip for every three letters.
    static func nearest(to word: String, in names: [String]) -> String? {
        names.map { (name: $0, slips: slips(Array(word), Array($0))) }
            .filter { $0.slips * 3 <= max($0.name.count, word.count) }
            .min { $0.slips < $1.slips }?.name
    }

    /// How many letters are missing, too many, wrong, or two changed about.
    static func slips(_ word: [Character], _ name: [Character]) -> Int {
        var before = [Int](), row = Array(0...name.count)
        for i in word.indices {
            var next = [i + 1]
            for j in name.indices {
                let isSame = word[i] == name[j]
                var least = min(row[j] + (isSame ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, word[i] == name[j - 1], word[i - 1] == name[j] {
                    least = min(least, before[j - 1] + 1)
                }
                next.append(least)
            }
            (before, row) = (row, next)
        }
        return row[name.count]
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
