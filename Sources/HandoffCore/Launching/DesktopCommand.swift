// SPDX-License-Identifier: Apache-2.0

/// The program and arguments that a desktop entry's `Exec` starts without files and addresses.
///
/// Every line is read as GLib reads it: field codes are replaced first, then the line is split with the quotes of a shell.
/// `ExecGrammar` says where a line departs from the Desktop Entry Specification. As KDE does, a program may have variables
/// before it and begin with `~/`. No shell runs: whatever else means something to one is an ordinary character.
package struct DesktopCommand: Hashable, Sendable {
    /// Arguments of one command, count.
    package static let maximumArguments = 256

    /// What field codes stand for.
    package struct Fields: Hashable, Sendable {
        package var name: String
        /// Empty: it has none.
        package var icon: String
        /// The path of the entry.
        package var file: String
        /// The user's home, in place of `~` before a slash; nil: unknown.
        package var home: String?

        package init(name: String, icon: String, file: String, home: String? = nil) {
            self.name = name
            self.icon = icon
            self.file = file
            self.home = home
        }
    }

    /// A path, or a name to look up in `PATH`.
    package let program: String
    package let arguments: [String]
    /// Only field codes follow the program, so the program alone is this app. An interpreter, a shell, `env` or a launcher
    /// needs to be told what to run.
    package let isProgramAlone: Bool

    /// `exec`: the value, with the escapes of all values undone.
    package init(_ exec: String, fields: Fields) throws(EntryProblem) {
        let written = ExecWords(Array(exec.utf8))
        if let problem = written.problem { throw problem }
        let read = ExecWords(Self.expanded(exec, fields))
        if let problem = read.problem { throw problem }
        guard let first = read.words.first, let raw = written.words.first else {
            throw EntryProblem("has an empty Exec")
        }
        // GLib and KDE look for the program before they replace anything.
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
        program = words.removeFirst()
        arguments = words
        isProgramAlone = !first.isAssignment && written.words.dropFirst().allSatisfy(\.isFieldCode)
    }

    /// The program that `exec` begins with, even if the rest is invalid; nil if there is none.
    package static func program(of exec: String) -> String? {
        guard let first = ExecWords(Array(exec.utf8)).words.first, !first.bytes.isEmpty else { return nil }
        return first.isAssignment ? "env" : String(decoding: first.bytes, as: UTF8.self)
    }

    // MARK: Field codes

    /// Values are quoted for a shell, even between quotes, as GLib does it.
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
            // Files, addresses, and codes of other versions.
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
