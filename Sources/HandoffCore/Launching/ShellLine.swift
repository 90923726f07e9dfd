// SPDX-License-Identifier: Apache-2.0

/// Run by `/bin/sh -c`, as in KDE's `DesktopExecParser`.
///
/// Field codes become positional parameters, which a shell never parses. Without files and addresses, the text contains
/// nothing from another device.
struct ShellLine {
    static let shell = "/bin/sh"
    /// In bytes. The kernel allows 128 KiB per argument.
    static let maximumBytes = 64 * 1024
    private static let starting = [".", "command", "eval", "exec"]

    private var script: [UInt8] = []
    private var parameters: [String] = []
    private var contexts: [Context] = []
    private var hasShellText = false
    private var hasOperators = false

    private enum Context { case single, double, substitution, backticks, parenthesis, braces }

    /// The word behind the script becomes `$0`.
    var arguments: [String] { ["-c", String(decoding: script, as: UTF8.self), Self.shell] + parameters }

    /// The line may do more than fail to find `program`.
    func startsMore(than program: String) -> Bool {
        hasOperators || Self.starting.contains(program) || program.utf8.contains(where: UInt8.namesProgram.contains)
    }

    /// Nil if the line means the same without a shell, or has an open quote.
    init?(_ exec: String, fields: DesktopCommand.Fields) {
        var rest = Array(exec.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = rest.first, let parts = fields.parts(of: code) {
                rest.removeFirst()
                add(parts)
                continue
            }
            script.append(byte)
            switch (contexts.last, byte) {
            case (.single, _): if byte == UInt8(ascii: "'") { contexts.removeLast() }
            case (_, UInt8(ascii: "\\")): if let next = rest.popFirst() { script.append(next) }
            case (_, UInt8(ascii: "$")): addExpansion(&rest)
            case (_, UInt8(ascii: "`")):
                hasShellText = true
                if contexts.last == .backticks { contexts.removeLast() } else { contexts.append(.backticks) }
            case (.double, UInt8(ascii: "\"")): contexts.removeLast()
            case (.double, _): break
            case (_, UInt8(ascii: "'")): contexts.append(.single)
            case (_, UInt8(ascii: "\"")): contexts.append(.double)
            default: addPlain(byte)
            }
        }
        guard contexts.isEmpty, hasShellText, script.count <= Self.maximumBytes else { return nil }
    }

    private mutating func addPlain(_ byte: UInt8) {
        hasShellText = hasShellText || UInt8.meta.contains(byte)
        hasOperators = hasOperators || UInt8.operators.contains(byte)
        switch (contexts.last, byte) {
        case (_, UInt8(ascii: "(")): contexts.append(.parenthesis)
        case (.braces, UInt8(ascii: "}")), (.substitution, UInt8(ascii: ")")), (.parenthesis, UInt8(ascii: ")")):
            contexts.removeLast()
        default: break
        }
    }

    private mutating func addExpansion(_ rest: inout ArraySlice<UInt8>) {
        hasShellText = true
        switch rest.first {
        case UInt8(ascii: "("): contexts.append(.substitution)
        case UInt8(ascii: "{"): contexts.append(.braces)
        // Special parameters, such as `$#`; quotes begin a string.
        case UInt8(ascii: "#"), UInt8(ascii: "$"): break
        default: return
        }
        rest.popFirst().map { script.append($0) }
    }

    private mutating func add(_ parts: [Part]) {
        let isPlain = contexts.last != .single && contexts.last != .double
        let texts = parts.map { part in
            switch part {
            case .text(let text): return text
            case .value(let value):
                if !parameters.contains(value) { parameters.append(value) }
                let reference = "${\(parameters.firstIndex(of: value).map { $0 + 1 } ?? 0)}"
                return isPlain ? "\"\(reference)\"" : reference
            }
        }
        let text = texts.joined(separator: " ")
        // A parameter is replaced only in double quotes.
        script += Array((contexts.last == .single && !text.isEmpty ? "'\"\(text)\"'" : text).utf8)
    }

    fileprivate enum Part {
        case text(String)
        case value(String)
    }
}

extension DesktopCommand.Fields {
    /// Nil for a code that stays, such as `%s` in the arguments of `date`.
    fileprivate func parts(of code: UInt8) -> [ShellLine.Part]? {
        switch code {
        case UInt8(ascii: "%"): [.text("%")]
        case UInt8(ascii: "c"): [.value(name)]
        case UInt8(ascii: "k"): [.value(file)]
        case UInt8(ascii: "i"): icon.isEmpty ? [] : [.text("--icon"), .value(icon)]
        case _ where UInt8.emptyCodes.contains(code): []
        default: nil
        }
    }
}

extension UInt8 {
    /// Special to a shell outside of quotes.
    fileprivate static let meta = Array("$`<>|;&(){}*?#[]".utf8)
    /// Can make a word name another program.
    fileprivate static let namesProgram = Array("$`<>|;&(){}*?]".utf8)
    /// May begin another command.
    fileprivate static let operators = Array("|;&(){}".utf8)
    /// Files and addresses, and codes of earlier versions.
    fileprivate static let emptyCodes = Array("fFuUdDnNvm".utf8)
}
