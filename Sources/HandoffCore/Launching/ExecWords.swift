// SPDX-License-Identifier: Apache-2.0

/// Split as by GLib's `g_shell_parse_argv`, without expansions.
struct ExecWords {
    struct Word {
        var bytes: [UInt8] = []
        /// Leading bytes without a quote or a backslash.
        fileprivate(set) var plain = 0
        fileprivate var isPlain = true

        var isFieldCode: Bool { bytes.count == 2 && bytes[0] == UInt8(ascii: "%") && bytes[1] != UInt8(ascii: "%") }

        /// `NAME=value`, a variable of the following program.
        var isAssignment: Bool {
            guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")), sign > 0, sign < plain else { return false }
            return bytes[..<sign].allSatisfy(\.isOfVariable) && !bytes[0].isDigit
        }

        func text(home: String?) throws(EntryProblem) -> String {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw EntryProblem("has bytes in Exec that are not UTF-8")
            }
            guard let home, plain > 0, text == "~" || plain > 1 && text.hasPrefix("~/") else { return text }
            return home + text.dropFirst()
        }
    }

    /// Up to the problem, if any.
    private(set) var words: [Word] = []
    private(set) var problem: EntryProblem?

    private var word: Word?
    private enum Quote { case none, single, double }

    init(_ line: [UInt8]) {
        var quote = Quote.none
        var index = 0
        while index < line.count {
            let byte = line[index]
            let next = index + 1 < line.count ? line[index + 1] : nil
            index += 1
            switch (quote, byte) {
            case (.single, UInt8(ascii: "'")), (.double, UInt8(ascii: "\"")): quote = .none
            case (.double, UInt8(ascii: "\\")) where next.map(Self.escapable.contains) == true:
                add(next, isPlain: false)
                index += 1
            case (.single, _), (.double, _): add(byte, isPlain: false)
            case (.none, UInt8(ascii: "'")): (quote, _) = (.single, add(nil, isPlain: false))
            case (.none, UInt8(ascii: "\"")): (quote, _) = (.double, add(nil, isPlain: false))
            case (.none, UInt8(ascii: "\\")):
                guard let next else {
                    problem = EntryProblem("ends Exec with a backslash")
                    return
                }
                if next != UInt8(ascii: "\n") { add(next, isPlain: false) }
                index += 1
            case (.none, UInt8(ascii: " ")), (.none, UInt8(ascii: "\t")), (.none, UInt8(ascii: "\n")): end()
            case (.none, UInt8(ascii: "#"))
            where index == 1 || [UInt8(ascii: " "), UInt8(ascii: "\n")].contains(line[index - 2]):
                while index < line.count, line[index] != UInt8(ascii: "\n") { index += 1 }
            case (.none, _): add(byte, isPlain: true)
            }
        }
        guard quote == .none else {
            problem = EntryProblem(
                "opens a \(quote == .single ? "single" : "double") quote in Exec and does not close it")
            return
        }
        end()
    }

    private static let escapable = Array("\"`$\\\n".utf8)

    /// Nil begins a word that may stay empty.
    private mutating func add(_ byte: UInt8?, isPlain: Bool) {
        var word = self.word ?? Word()
        word.isPlain = word.isPlain && isPlain
        if let byte { word.bytes.append(byte) }
        if word.isPlain { word.plain = word.bytes.count }
        self.word = word
    }

    private mutating func end() {
        if let word { words.append(word) }
        word = nil
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isOfVariable: Bool {
        isDigit || self == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
