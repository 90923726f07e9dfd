// SPDX-License-Identifier: Apache-2.0

/// What a desktop entry's `Exec` starts for no file and no address, by the rules of the Desktop Entry Specification 1.5. No
/// shell has a part in it.
package struct DesktopCommand: Hashable, Sendable {
    /// Arguments of one command, count.
    package static let maximumArguments = 256

    /// What field codes stand for.
    package struct Fields: Hashable, Sendable {
        package var name: String
        /// Empty: it has none.
        package var icon: String
        /// Where the entry lies.
        package var file: String

        package init(name: String, icon: String, file: String) {
            self.name = name
            self.icon = icon
            self.file = file
        }
    }

    /// A path, or a name that is sought in `PATH`.
    package let program: String
    package let arguments: [String]
    /// Nothing but field codes stands behind the program: the program alone is this app. What an interpreter, a shell, `env`
    /// or a launcher is to run has to be said.
    package let isProgramAlone: Bool

    /// `exec`: the value, with the escapes of all values undone.
    package init(_ exec: String, fields: Fields) throws(EntryProblem) {
        let words = try Self.words(in: exec)
        guard let first = words.first else { throw EntryProblem("has an empty Exec") }
        program = try first.expanded(as: .program, fields).first ?? ""
        guard !program.isEmpty, !program.contains("=") else {
            throw EntryProblem("does not name a program in Exec")
        }
        guard words.count - 1 <= Self.maximumArguments else {
            throw EntryProblem("has more than \(Self.maximumArguments) arguments in Exec")
        }
        var arguments: [String] = []
        for word in words.dropFirst() { arguments += try word.expanded(as: .argument, fields) }
        self.arguments = arguments
        isProgramAlone = words.dropFirst().allSatisfy { $0.isFieldCode }
    }

    /// The program that `exec` begins with, whatever is wrong with the rest; nil where there is none.
    package static func program(of exec: String) -> String? {
        var word: [UInt8] = []
        var bytes = exec.utf8.drop { $0 == .blank }
        let isQuoted = bytes.first == .quote
        if isQuoted { bytes = bytes.dropFirst() }
        var isEscaped = false
        for byte in bytes {
            if !isEscaped, byte == (isQuoted ? .quote : .blank) { break }
            isEscaped = isQuoted && !isEscaped && byte == .backslash
            if !isEscaped { word.append(byte) }
        }
        return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
    }

    // MARK: Words

    fileprivate struct Word {
        var bytes: [UInt8] = []
        var isQuoted: Bool
    }

    private static func words(in exec: String) throws(EntryProblem) -> [Word] {
        var words: [Word] = []
        var rest = exec.utf8[...]
        while true {
            rest = rest.drop { $0 == .blank }
            guard let first = rest.first else { return words }
            if first == .quote {
                words.append(try quoted(&rest))
                guard rest.first ?? .blank == .blank else {
                    throw EntryProblem("quotes a part of an argument in Exec; an argument is quoted whole")
                }
            } else {
                let bytes = Array(rest.prefix { $0 != .blank })
                if let reserved = bytes.first(where: { UInt8.reserved.contains($0) }) {
                    let character = Character(UnicodeScalar(reserved))
                    throw EntryProblem("has \(character) in Exec outside of double quotes, which no argument may have")
                }
                rest = rest.dropFirst(bytes.count)
                words.append(Word(bytes: bytes, isQuoted: false))
            }
        }
    }

    /// `rest` begins with a quotation mark, and afterwards behind the next.
    private static func quoted(_ rest: inout Substring.UTF8View) throws(EntryProblem) -> Word {
        var word = Word(isQuoted: true)
        var isEscaped = false
        rest = rest.dropFirst()
        while let byte = rest.first {
            rest = rest.dropFirst()
            if isEscaped {
                guard UInt8.escapable.contains(byte) else {
                    throw EntryProblem("has a backslash in Exec before what needs none")
                }
                word.bytes.append(byte)
                isEscaped = false
                continue
            }
            switch byte {
            case .quote: return word
            case .backslash: isEscaped = true
            case .dollar, .backtick:
                throw EntryProblem("has \(Character(UnicodeScalar(byte))) in Exec without a backslash before it")
            default: word.bytes.append(byte)
            }
        }
        throw EntryProblem("opens a double quote in Exec and does not close it")
    }
}

// MARK: Field codes

extension DesktopCommand.Word {
    fileprivate enum Place { case program, argument }

    fileprivate var isFieldCode: Bool {
        !isQuoted && bytes.count == 2 && bytes[0] == .percent && bytes[1] != .percent
    }

    /// What becomes of it: mostly itself, sometimes nothing, of the icon two.
    fileprivate func expanded(
        as place: Place, _ fields: DesktopCommand.Fields
    ) throws(EntryProblem) -> [String] {
        if place == .argument, isFieldCode {
            switch bytes[1] {
            case UInt8(ascii: "f"), UInt8(ascii: "F"), UInt8(ascii: "u"), UInt8(ascii: "U"): return []
            case UInt8(ascii: "i"): return fields.icon.isEmpty ? [] : ["--icon", fields.icon]
            case let code where UInt8.deprecatedCodes.contains(code): return []
            default: break
            }
        }
        var text: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            guard byte == .percent else {
                text.append(byte)
                continue
            }
            guard let code = rest.popFirst() else { throw EntryProblem("ends an argument of Exec with %") }
            if code == .percent {
                text.append(.percent)
                continue
            }
            guard place == .argument, !isQuoted else {
                throw EntryProblem("has a field code in Exec where none may be: in the program, or between quotes")
            }
            text += try Self.meaning(of: code, fields)
        }
        guard let word = String(validating: text, as: UTF8.self) else {
            throw EntryProblem("has bytes in Exec that are no text")
        }
        return [word]
    }

    /// Within a word.
    private static func meaning(
        of code: UInt8, _ fields: DesktopCommand.Fields
    ) throws(EntryProblem) -> [UInt8] {
        switch code {
        case UInt8(ascii: "f"), UInt8(ascii: "u"): return []
        case UInt8(ascii: "c"): return Array(fields.name.utf8)
        case UInt8(ascii: "k"): return Array(fields.file.utf8)
        case _ where UInt8.deprecatedCodes.contains(code): return []
        case UInt8(ascii: "F"), UInt8(ascii: "U"), UInt8(ascii: "i"):
            throw EntryProblem("has %\(Character(UnicodeScalar(code))) in Exec as a part of an argument")
        default: throw EntryProblem("has an unknown field code in Exec")
        }
    }
}

extension UInt8 {
    fileprivate static let blank = UInt8(ascii: " ")
    fileprivate static let quote = UInt8(ascii: "\"")
    fileprivate static let backslash = UInt8(ascii: "\\")
    fileprivate static let dollar = UInt8(ascii: "$")
    fileprivate static let backtick = UInt8(ascii: "`")
    fileprivate static let percent = UInt8(ascii: "%")
    /// No argument has these outside of quotes.
    fileprivate static let reserved = Array("\t\n\"'\\><~|&;$*?#()`".utf8)
    /// Between quotes these have a backslash before them.
    fileprivate static let escapable = Array("\"`$\\".utf8)
    /// Field codes of earlier versions, which stand for nothing now.
    fileprivate static let deprecatedCodes = Array("dDnNvm".utf8)
}
