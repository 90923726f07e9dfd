// SPDX-License-Identifier: Apache-2.0

import HandoffWire

/// `*` matches any number of characters, `?` one, `$(name)` any value of a variable.
///
/// The set of reachable places moves through the text, so `Effort` bounds the work: at most pieces times places.
struct TextPattern: Hashable, Sendable {
    enum Piece: Hashable, Sendable {
        /// Not empty.
        case literal([UInt8])
        case one
        case run
        /// Of ASCII.
        case character(CharacterClass)
        case code(ISOCodes)
        /// Without variables.
        case anyOf([[Piece]])
    }

    /// Lazy and small: a file may have ten thousand, and most fail early.
    indirect enum Form: Hashable, Sendable {
        case wildcards
        case smallWildcards(String)
        case pieces([Piece])
    }

    let form: Form
    let text: String

    /// As in `paths`.
    init(path text: String) {
        self.text = text
        form = .wildcards
    }

    init(_ text: String, variables: SubstitutionVariables, isCaseSensitive: Bool) throws(Unusable) {
        self.text = text
        let bytes = text.utf8.contains(UInt8(ascii: "$")) ? Array(text.utf8) : []
        guard var start = Self.variable(in: bytes[...]) else {
            form = isCaseSensitive ? .wildcards : Self.small(text)
            return
        }
        var pieces: [Piece] = []
        var rest = bytes[...]
        while true {
            pieces += Self.pieces(of: rest[..<start], isCaseSensitive)
            guard let end = rest[start...].firstIndex(of: UInt8(ascii: ")")) else {
                throw Unusable(reason: "a variable in \"\(text)\" does not end")
            }
            let name = ExactText(String(decoding: rest[start + 2..<end], as: UTF8.self))
            guard let piece = variables.piece(named: name, isCaseSensitive: isCaseSensitive) else {
                throw Unusable(reason: "\"\(text)\" refers to a variable \"\(name)\", which the file does not define")
            }
            pieces.append(piece)
            rest = rest[(end + 1)...]
            guard let next = Self.variable(in: rest) else { break }
            start = next
        }
        form = .pieces(pieces + Self.pieces(of: rest, isCaseSensitive))
    }

    private static func small(_ text: String) -> Form {
        let small = text.caseFolded
        // Equal texts may have different bytes.
        return small.utf8.elementsEqual(text.utf8) ? .wildcards : .smallWildcards(small)
    }

    private static func variable(in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.indices.first {
            bytes[$0] == UInt8(ascii: "$") && $0 + 1 < bytes.endIndex && bytes[$0 + 1] == UInt8(ascii: "(")
        }
    }

    static func pieces(of text: ArraySlice<UInt8>, _ isCaseSensitive: Bool) -> [Piece] {
        pieces(of: isCaseSensitive ? text : Array(String(decoding: text, as: UTF8.self).caseFolded.utf8)[...])
    }

    private static func pieces(of pattern: ArraySlice<UInt8>) -> [Piece] {
        var pieces: [Piece] = []
        var rest = pattern
        while let first = rest.first {
            switch first {
            case UInt8(ascii: "*"):
                if pieces.last != .run { pieces.append(.run) }
                rest.removeFirst()
            case UInt8(ascii: "?"):
                pieces.append(.one)
                rest.removeFirst()
            default:
                let literal = rest.prefix { $0 != UInt8(ascii: "*") && $0 != UInt8(ascii: "?") }
                pieces.append(.literal(Array(literal)))
                rest = rest[literal.endIndex...]
            }
        }
        return pieces
    }

    enum Comparison {
        case same
        case different
        /// They differ in a character other than an optional slash.
        case unlike
    }

    /// Also false if `effort` is spent.
    func matches(_ text: [UInt8], _ effort: inout Effort) -> Bool { compare(text, &effort) == .same }

    func compare(_ text: [UInt8], _ effort: inout Effort) -> Comparison {
        switch form {
        case .wildcards: Self.compare(self.text.utf8, text, &effort)
        case .smallWildcards(let small): Self.compare(small.utf8, text, &effort)
        case .pieces(let pieces): Self.matches(pieces, from: 0, text, &effort) ? .same : .different
        }
    }

    static func compare(
        _ wildcards: some Collection<UInt8>, _ text: [UInt8], _ effort: inout Effort
    ) -> Comparison {
        var same = 0
        for byte in wildcards {
            if byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") {
                effort.spend(same + 1)
                if byte == UInt8(ascii: "*"), same + 1 == wildcards.count { return effort.isSpent ? .different : .same }
                // Compiling costs more; `defaults` may repeat the pattern in every component.
                effort.spend(4 * wildcards.count)
                guard !effort.isSpent else { return .different }
                return matches(pieces(of: Array(wildcards)[same...]), from: same, text, &effort) ? .same : .different
            }
            guard same < text.count, text[same] == byte else {
                effort.spend(same + 1)
                let slash = UInt8(ascii: "/")
                return same < text.count && text[same] != slash && byte != slash ? .unlike : .different
            }
            same += 1
        }
        effort.spend(same + 1)
        return same == text.count && !effort.isSpent ? .same : .different
    }

    static func matches(
        _ pieces: [Piece], from place: Int, _ text: [UInt8], _ effort: inout Effort
    ) -> Bool {
        var places = Places(place)
        places.follow(pieces, through: text, &effort)
        return places.reach(end: text.count) && !effort.isSpent
    }
}

struct Effort {
    private(set) var left: Int
    init(_ left: Int = AssociationLimits.comparisons) { self.left = left }
    var isSpent: Bool { left <= 0 }
    mutating func spend(_ comparisons: Int) { left -= comparisons }
}

/// Byte offsets.
private struct Places {
    /// Sorted, without duplicates, all before `tail`.
    private var single: [Int]
    /// All from here on.
    private var tail: Int?

    init(_ place: Int) { single = [place] }

    private init(single: [Int], tail: Int?) {
        self.single = single
        self.tail = tail
    }

    private var isNowhere: Bool { single.isEmpty && tail == nil }

    func reach(end: Int) -> Bool { tail != nil || single.last == end }

    mutating func follow(_ pieces: [TextPattern.Piece], through text: [UInt8], _ effort: inout Effort) {
        for piece in pieces {
            guard !isNowhere, !effort.isSpent else { break }
            self = after(piece, in: text, &effort)
        }
        if effort.isSpent { self = Places(single: [], tail: nil) }
    }

    private func after(_ piece: TextPattern.Piece, in text: [UInt8], _ effort: inout Effort) -> Places {
        switch piece {
        case .run:
            return Places(single: [], tail: single.first ?? tail)
        case .one:
            // Only a tail has places within a character; nothing can match there.
            let moved = single.compactMap { Self.end(ofCharacterAt: $0, in: text) }
            effort.spend(single.count + 1)
            return Places(single: moved, tail: tail.flatMap { Self.end(ofCharacterAt: $0, in: text) }).inOrder
        case .literal(let bytes):
            return stepping(in: text, &effort) { place, effort in
                guard place + bytes.count <= text.count else { return nil }
                var same = 0
                while same < bytes.count, text[place + same] == bytes[same] { same += 1 }
                effort.spend(same)
                return same == bytes.count ? place + same : nil
            }
        case .character(let kind):
            return stepping(in: text, &effort) { place, _ in
                place < text.count && kind.holds(text[place]) ? place + 1 : nil
            }
        case .code(let codes):
            var reached: Set<Int> = []
            func step(_ place: Int, _ effort: inout Effort) {
                for length in codes.lengths where place + length <= text.count {
                    effort.spend(4)
                    if codes.holds(text[place..<place + length]) { reached.insert(place + length) }
                }
            }
            for place in single { step(place, &effort) }
            if let tail { for place in tail..<max(tail, text.count) where !effort.isSpent { step(place, &effort) } }
            effort.spend(8 * reached.count)
            return Places(single: reached.sorted(), tail: nil)
        case .anyOf(let alternatives):
            var reached: Set<Int> = []
            var tail: Int?
            for alternative in alternatives {
                effort.spend(1)
                var places = self
                places.follow(alternative, through: text, &effort)
                effort.spend(8 * places.single.count)
                reached.formUnion(places.single)
                if let start = places.tail { tail = min(tail ?? start, start) }
            }
            return Places(single: reached.sorted(), tail: tail).inOrder
        }
    }

    private func stepping(
        in text: [UInt8], _ effort: inout Effort, _ step: (Int, inout Effort) -> Int?
    ) -> Places {
        var moved: [Int] = []
        for place in single {
            effort.spend(1)
            if let next = step(place, &effort) { moved.append(next) }
        }
        if let tail {
            for place in tail..<max(tail, text.count) where !effort.isSpent {
                effort.spend(1)
                if let next = step(place, &effort) { moved.append(next) }
            }
        }
        return Places(single: moved, tail: nil)
    }

    private var inOrder: Places {
        guard let tail else { return self }
        return Places(single: Array(single.prefix { $0 < tail }), tail: tail)
    }

    private static func end(ofCharacterAt place: Int, in text: [UInt8]) -> Int? {
        guard place < text.count else { return nil }
        var end = place + 1
        while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }
}

extension String {
    /// Unicode's simple folding, through both cases: ς equals σ, KELVIN SIGN equals k. Keeps the number of characters,
    /// for `?` in a pattern.
    var caseFolded: String {
        guard !utf8.allSatisfy({ $0 < 0x80 }) else { return lowercased() }
        var folded = ""
        folded.unicodeScalars.append(contentsOf: unicodeScalars.map(\.caseFolded))
        return folded
    }
}

extension Unicode.Scalar {
    fileprivate var caseFolded: Unicode.Scalar {
        // Folds to itself, although its capital is I.
        self == "\u{131}" ? self : lower.upper.lower
    }

    private var lower: Unicode.Scalar { Self.only(properties.lowercaseMapping) ?? self }
    private var upper: Unicode.Scalar { Self.only(properties.uppercaseMapping) ?? self }

    private static func only(_ mapping: String) -> Unicode.Scalar? {
        mapping.unicodeScalars.count == 1 ? mapping.unicodeScalars.first : nil
    }
}
