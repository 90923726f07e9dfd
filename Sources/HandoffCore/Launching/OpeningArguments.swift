// SPDX-License-Identifier: Apache-2.0

/// Open an activity in a program: `["--start={seconds}", "--", "{target}"]`.
///
/// Another device chose the values, so a value is always one argument, or a part of one, and never becomes an option.
package struct OpeningArguments: Hashable, Sendable {
    package static let maximum = 32
    /// Per argument, with or without values.
    package static let bytes = 4096

    private enum Part: Hashable, Sendable {
        case text(String)
        case value(String)
    }

    private struct Argument: Hashable, Sendable {
        var parts: [Part]

        var hasValues: Bool { parts.contains { if case .value = $0 { true } else { false } } }
    }

    package struct Problem: Error, Hashable, Sendable {
        package let reason: String
    }

    package let templates: [String]
    private let arguments: [Argument]

    package init(_ templates: [String]) throws(Problem) {
        guard templates.count <= Self.maximum else {
            throw Problem(reason: "more than \(Self.maximum) arguments")
        }
        self.templates = templates
        var arguments: [Argument] = []
        for template in templates { arguments.append(try Self.argument(template)) }
        guard arguments.contains(where: \.hasValues) else {
            throw Problem(reason: "no argument with a placeholder, such as {target}, so nothing would be opened")
        }
        self.arguments = arguments
    }

    private static func argument(_ template: String) throws(Problem) -> Argument {
        guard template.utf8.count <= bytes, !template.utf8.contains(0) else {
            throw Problem(reason: "an argument of more than \(bytes) bytes, or with a zero byte")
        }
        var parts: [Part] = []
        var rest = template[...]
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
                throw Problem(reason: "a brace without its partner in \(template)")
            }
            let name = rest[rest.index(after: open)..<close]
            guard !name.isEmpty, name.utf8.allSatisfy(\.isOfName) else {
                throw Problem(reason: "a placeholder in \(template) that is not made of a-z, 0-9 and -")
            }
            let text = String(rest[..<open])
            // The value would choose the option.
            guard !parts.isEmpty || text.isEmpty || !text.allSatisfy({ $0 == "-" }) else {
                throw Problem(reason: "a placeholder in \(template) that would name an option")
            }
            if !text.isEmpty { parts.append(.text(text)) }
            parts.append(.value(String(name)))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty || parts.isEmpty { parts.append(.text(String(rest))) }
        return Argument(parts: parts)
    }

    /// Leaves out an argument whose placeholder has no value. Throws if a value would become an option, and if no
    /// argument with a placeholder is left.
    package func filled(_ value: (String) -> String?) throws(Problem) -> [String] {
        var filled: [String] = []
        var hasValue = false
        for argument in arguments {
            guard argument.hasValues else {
                filled.append(Self.text(argument) { _ in nil } ?? "")
                continue
            }
            guard let text = Self.text(argument, value) else { continue }
            let isOption = if case .text(let first)? = argument.parts.first { first.hasPrefix("-") } else { false }
            guard isOption || !text.hasPrefix("-") else { throw Problem(reason: "a value that would become an option") }
            guard text.utf8.count <= Self.bytes, !text.utf8.contains(0) else {
                throw Problem(reason: "a value of more than \(Self.bytes) bytes, or with a zero byte")
            }
            hasValue = true
            filled.append(text)
        }
        guard hasValue else { throw Problem(reason: "none of the values that the program needs") }
        return filled
    }

    private static func text(_ argument: Argument, _ value: (String) -> String?) -> String? {
        var text = ""
        for part in argument.parts {
            switch part {
            case .text(let more): text += more
            case .value(let name):
                guard let more = value(name) else { return nil }
                text += more
            }
        }
        return text
    }
}

extension UInt8 {
    fileprivate var isOfName: Bool {
        self == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}
