// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// Of ASCII.
enum CharacterClass: String, Hashable, Sendable, CaseIterable {
    case alpha, upper, lower, alnum, digit, xdigit

    func holds(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self != .upper && self != .digit
        case UInt8(ascii: "g")...UInt8(ascii: "z"): self == .alpha || self == .lower || self == .alnum
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self != .lower && self != .digit
        case UInt8(ascii: "G")...UInt8(ascii: "Z"): self == .alpha || self == .upper || self == .alnum
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self == .alnum || self == .digit || self == .xdigit
        default: false
        }
    }

    /// In lower-case text.
    var ignoringCase: CharacterClass { self == .upper || self == .lower ? .alpha : self }
}

/// Includes the predefined ones. Names are case-sensitive; values are if the component is.
struct SubstitutionVariables: Sendable {
    private struct Variable: Sendable {
        let caseSensitive: TextPattern.Piece
        let ignoringCase: TextPattern.Piece

        init(_ values: [String]) {
            caseSensitive = Self.anyOf(values, true)
            ignoringCase = Self.anyOf(values, false)
        }

        private static func anyOf(_ values: [String], _ isCaseSensitive: Bool) -> TextPattern.Piece {
            .anyOf(values.map { TextPattern.pieces(of: Array($0.utf8)[...], isCaseSensitive) })
        }
    }

    private let custom: [ExactText: Variable]

    static let none = SubstitutionVariables(custom: [:])

    private init(custom: [ExactText: Variable]) { self.custom = custom }

    /// Values may contain wildcards, but no variables.
    init(_ tree: JSONTree, at place: String) throws(Unusable) {
        var custom: [ExactText: Variable] = [:]
        for member in try tree.object(place) {
            let name = member.key
            guard !name.text.isEmpty, !name.text.utf8.contains(where: { "$()".utf8.contains($0) }) else {
                throw Unusable(reason: "the name \"\(name)\" in \(place) is empty or contains $, ( or )")
            }
            guard Self.builtIn(name, true) == nil else {
                throw Unusable(reason: "\(place) defines \"\(name)\", which is already defined")
            }
            let values = try member.value.strings("\(place).\(name)")
            guard !values.contains(where: { $0.utf8.contains("$(".utf8) }) else {
                throw Unusable(reason: "a value of \(place).\(name) refers to another variable")
            }
            custom[name] = Variable(values)
        }
        self.custom = custom
    }

    func piece(named name: ExactText, isCaseSensitive: Bool) -> TextPattern.Piece? {
        Self.builtIn(name, isCaseSensitive)
            ?? custom[name].map { isCaseSensitive ? $0.caseSensitive : $0.ignoringCase }
    }

    private static func builtIn(_ name: ExactText, _ isCaseSensitive: Bool) -> TextPattern.Piece? {
        switch name {
        case "lang": .code(.languages)
        case "region": .code(isCaseSensitive ? .regions : .smallRegions)
        default: CharacterClass(rawValue: name.text).map { .character(isCaseSensitive ? $0 : $0.ignoringCase) }
        }
    }
}
