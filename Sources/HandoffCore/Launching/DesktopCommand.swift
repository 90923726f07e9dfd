// SPDX-License-Identifier: Apache-2.0

/// The program and arguments of a desktop entry's `Exec`, without files and URLs.
///
/// As in GLib, field codes are replaced before the line is split by a shell's quoting rules. As in KDE, variables may
/// precede the program, which may begin with `~/`, and a shell runs a line that GLib cannot start. In any other line,
/// special characters are ordinary.
package struct DesktopCommand: Hashable, Sendable {
    package static let maximumArguments = 256

    package struct Fields: Hashable, Sendable {
        package var name: String
        package var icon: String
        package var file: String
        /// Replaces `~` before a slash; nil if unknown.
        package var home: String?

        package init(name: String, icon: String, file: String, home: String? = nil) {
            self.name = name
            self.icon = icon
            self.file = file
            self.home = home
        }
    }

    package let program: String
    package let arguments: [String]
    /// Only field codes follow the program, so it identifies this app. A shell or a launcher needs an argument
    /// that names a program.
    package let isProgramAlone: Bool
    package let isShellLine: Bool
    private let isAfterVariables: Bool

    /// `exec`: without the general escapes. `isThere`: a program can be run.
    package init(
        _ exec: String, fields: Fields, isThere: (_ program: String) -> Bool = { _ in true }
    ) throws(EntryProblem) {
        let shell = ShellLine(exec, fields: fields)
        do throws(EntryProblem) {
            let command = try DesktopCommand(words: exec, fields)
            let program = command.program
            // `[` is also a program, which cannot handle a following `&&`.
            let needsShell = command.isAfterVariables || program == "["
            if let shell, needsShell || !isThere(program) && shell.startsMore(than: program) {
                self = DesktopCommand(shell)
            } else {
                self = command
            }
        } catch {
            let written = ExecWords(Array(exec.utf8))
            // A comment alone is not a command.
            guard let shell, !written.words.isEmpty || written.problem != nil else { throw error }
            self = DesktopCommand(shell)
        }
    }

    private init(_ line: ShellLine) {
        self.init(program: ShellLine.shell, arguments: line.arguments, isShellLine: true)
    }

    private init(
        program: String, arguments: [String], isProgramAlone: Bool = false, isAfterVariables: Bool = false,
        isShellLine: Bool = false
    ) {
        self.program = program
        self.arguments = arguments
        self.isProgramAlone = isProgramAlone
        self.isAfterVariables = isAfterVariables
        self.isShellLine = isShellLine
    }

    private init(words exec: String, _ fields: Fields) throws(EntryProblem) {
        let written = ExecWords(Array(exec.utf8))
        if let problem = written.problem { throw problem }
        let read = ExecWords(Self.expanded(exec, fields))
        if let problem = read.problem { throw problem }
        guard let first = read.words.first, let raw = written.words.first else {
            throw EntryProblem("has an empty Exec")
        }
        // As GLib and KDE, which look for the program before they replace field codes.
        guard first.bytes == raw.bytes else { throw EntryProblem("has a field code in the program of Exec") }
        var words = try read.words.map { (word) throws(EntryProblem) in try word.text(home: fields.home) }
        if first.isAssignment {
            guard !read.words.allSatisfy(\.isAssignment) else {
                throw EntryProblem("does not name a program in Exec")
            }
            words.insert("env", at: 0)
        }
        guard !words[0].isEmpty else { throw EntryProblem("does not name a program in Exec") }
        guard words.count - 1 <= Self.maximumArguments else {
            throw EntryProblem("has more than \(Self.maximumArguments) arguments in Exec")
        }
        self.init(
            program: words.removeFirst(), arguments: words,
            isProgramAlone: !first.isAssignment && written.words.dropFirst().allSatisfy(\.isFieldCode),
            isAfterVariables: first.isAssignment)
    }

    package static func program(of exec: String) -> String? {
        guard let first = ExecWords(Array(exec.utf8)).words.first, !first.bytes.isEmpty else { return nil }
        return first.isAssignment ? "env" : String(decoding: first.bytes, as: UTF8.self)
    }

    // MARK: Field codes

    /// As in GLib, values are quoted for a shell even between quotes.
    private static func expanded(_ exec: String, _ fields: Fields) -> [UInt8] {
        var line: [UInt8] = []
        var rest = Array(exec.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), let code = rest.popFirst() else {
                line.append(byte)
                continue
            }
            switch code {
            case UInt8(ascii: "%"): line.append(code)
            case UInt8(ascii: "c"): line += quoted(fields.name)
            case UInt8(ascii: "k"): line += quoted(fields.file)
            case UInt8(ascii: "i"): if !fields.icon.isEmpty { line += Array("--icon ".utf8) + quoted(fields.icon) }
            default: break
            }
        }
        return line
    }

    private static func quoted(_ text: String) -> [UInt8] {
        [UInt8(ascii: "'")] + text.utf8.flatMap { $0 == UInt8(ascii: "'") ? Array(#"'\''"#.utf8) : [$0] }
            + [UInt8(ascii: "'")]
    }
}
