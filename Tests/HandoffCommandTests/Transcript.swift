// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A command-line session as a readable text: commands, their output, and the initial files.
///
///     # A comment.
///     $ handoff account show        runs a command and waits for its end
///     a line of standard output
///     2> a line of standard error
///     [78]                          the exit code, if it is not 0
///     & handoff activity list       runs a command in the background
///     % terminal COLUMNS            standard output of later commands is a terminal of this width
///     % pipe                        standard output of later commands is a pipe again
///     % said a line                 waits until a background command prints this line, after its earlier lines
///     % stop                        interrupts the last background command, which must exit with 0
///     % ended                       waits until the last background command has exited with 0
///     % daemon NAME                 starts a daemon of that name, waits until it is ready, and selects it
///     % kill NAME                   kills a daemon
///     % device NAME                 runs later commands on that device
///     -- path/of/a.file --          the rest contains files
///
/// In the output, `[..]` matches anything within a line, and a line `...` matches any lines. `<name>` matches a word, and
/// later stands for the same word. `$WORK` is the session's folder. Blank lines are ignored.
struct Transcript {
    enum Step {
        case command(String, Expected, isBackground: Bool)
        case said(String)
        case stop
        case ended
        case daemon(String)
        case kill(String)
        case device(String)
        /// Nil: a pipe.
        case terminal(columns: Int?)
    }

    struct Expected {
        var output: [String] = []
        var errors: [String] = []
        var code: Int32 = 0
    }

    private(set) var steps: [(line: Int, step: Step)] = []
    private(set) var files: [(path: String, content: String)] = []

    init(_ text: String) {
        var command: (line: Int, text: String, expected: Expected, isBackground: Bool)?
        func finish() {
            guard let done = command else { return }
            steps.append((done.line, .command(done.text, done.expected, isBackground: done.isBackground)))
            command = nil
        }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).enumerated()
        {
            if line.hasPrefix("-- "), line.hasSuffix(" --") {
                finish()
                files.append((String(line.dropFirst(3).dropLast(3)), ""))
            } else if !files.isEmpty {
                files[files.count - 1].content += line + "\n"
            } else if line.hasPrefix("$ ") || line.hasPrefix("& ") {
                finish()
                command = (index + 1, String(line.dropFirst(2)), Expected(), line.hasPrefix("&"))
            } else if line.hasPrefix("% ") {
                finish()
                if let step = Self.step(line.dropFirst(2)) { steps.append((index + 1, step)) }
            } else if line.hasPrefix("# ") {
                finish()
            } else if line.hasPrefix("2> ") {
                command?.expected.errors.append(String(line.dropFirst(3)))
            } else if line.hasPrefix("["), line.hasSuffix("]"), let code = Int32(line.dropFirst().dropLast()) {
                command?.expected.code = code
            } else if !line.isEmpty {
                command?.expected.output.append(line)
            }
        }
        finish()
    }

    private static func step(_ line: Substring) -> Step? {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch (words.first, words.count > 1 ? words[1] : nil) {
        case ("said", let text?): return .said(text)
        case ("stop", nil): return .stop
        case ("ended", nil): return .ended
        case ("daemon", let name?): return .daemon(name)
        case ("kill", let name?): return .kill(name)
        case ("device", let name?): return .device(name)
        case ("terminal", let columns?): return .terminal(columns: Int(columns))
        case ("pipe", nil): return .terminal(columns: nil)
        default: return nil
        }
    }
}

/// The words that `<name>` matched.
struct Bindings {
    private var words: [String: String] = [:]

    func fill(_ text: String) -> String {
        words.reduce(text) { $0.replacingOccurrences(of: "<\($1.key)>", with: $1.value) }
    }

    /// Whether the lines match; stores the words of matching lines.
    mutating func match(_ lines: [String], _ expected: [String]) -> Bool {
        guard let first = expected.first else { return lines.isEmpty }
        if first == "..." {
            var next = self
            for start in 0...lines.count where next.match(Array(lines[start...]), Array(expected.dropFirst())) {
                self = next
                return true
            }
            return false
        }
        guard let line = lines.first, match(line, first) else { return false }
        return match(Array(lines.dropFirst()), Array(expected.dropFirst()))
    }

    mutating func match(_ line: String, _ expected: String) -> Bool {
        var pattern = fill(expected).components(separatedBy: "[..]")
            .map(NSRegularExpression.escapedPattern).joined(separator: ".*")
        var names: [String] = []
        while let open = pattern.range(of: "<[a-z]+>", options: .regularExpression) {
            names.append(String(pattern[open].dropFirst().dropLast()))
            pattern.replaceSubrange(open, with: #"([^\s"]+)"#)
        }
        guard let regex = try? NSRegularExpression(pattern: "^\(pattern)$"),
            let found = regex.firstMatch(in: line, range: NSRange(line.startIndex..., in: line))
        else { return false }
        for (index, name) in names.enumerated() {
            guard let range = Range(found.range(at: index + 1), in: line) else { return false }
            words[name] = String(line[range])
        }
        return true
    }
}
