// SPDX-License-Identifier: Apache-2.0

struct CandidatePath: Hashable, Sendable {
    let written: [UInt8]
    /// Without trailing slashes; the root keeps one.
    let trimmed: [UInt8]
    /// Without the leading slash; nil for the root.
    let bare: [UInt8]?
    let trimmedBare: [UInt8]?

    init(_ text: String) {
        written = Array(text.utf8)
        let end = written.lastIndex { $0 != UInt8(ascii: "/") }.map { $0 + 1 } ?? min(1, written.count)
        trimmed = end == written.count ? written : Array(written[..<end])
        bare = written.count > 1 ? Array(written[1...]) : nil
        trimmedBare = trimmed.count == written.count ? bare : trimmed.count > 1 ? Array(trimmed[1...]) : nil
    }

    var endsWithSlash: Bool { trimmed.count < written.count }
}

extension TextPattern {
    /// The literal reading compares each character; the pattern may lack the leading slash, as in Apple's
    /// documentation. The other ignores trailing slashes on both sides and repeated leading slashes: `/issue/*` also
    /// matches `/issue`. No wildcard matches a missing slash.
    enum PathMatch: Hashable {
        case byBoth
        case byOne
    }

    func match(_ path: CandidatePath, _ effort: inout Effort) -> PathMatch? {
        switch compare(path.written, &effort) {
        case .same: !hasEnds(of: path) || matchesButForEnds(path, &effort) ? .byBoth : .byOne
        // All paths begin with a slash, so the first character does not decide.
        case .unlike: nil
        case .different: matchWithOtherEnds(path, &effort)
        }
    }

    private func matchWithOtherEnds(_ path: CandidatePath, _ effort: inout Effort) -> PathMatch? {
        let isSame = lacksSlash && path.bare.map { matches($0, &effort) } ?? false
        if isSame, !hasEnds(of: path) { return .byBoth }
        let last = text.utf8.last
        guard last == UInt8(ascii: "/") || last == UInt8(ascii: "*") || hasEnds(of: path) else { return nil }
        let isAlike = matchesButForEnds(path, &effort)
        return isSame && isAlike ? .byBoth : isSame || isAlike ? .byOne : nil
    }

    /// A star may match the slash.
    private var lacksSlash: Bool {
        guard let first = text.utf8.first else { return false }
        return first != UInt8(ascii: "/") && first != UInt8(ascii: "*")
    }

    /// Slashes that only the literal reading compares, except the pattern's last.
    private func hasEnds(of path: CandidatePath) -> Bool { path.endsWithSlash || text.utf8.starts(with: "//".utf8) }

    private func matchesButForEnds(_ path: CandidatePath, _ effort: inout Effort) -> Bool {
        let bare = lacksSlash ? path.trimmedBare : nil
        return switch form {
        case .wildcards: !text.isEmpty && Self.matches(text.utf8[...], path, bare, &effort)
        case .smallWildcards(let small): Self.matches(small.utf8[...], path, bare, &effort)
        case .pieces(let pieces): Self.matches(pieces, path, bare, &effort)
        }
    }

    private static func matches(
        _ text: Substring.UTF8View, _ path: CandidatePath, _ bare: [UInt8]?, _ effort: inout Effort
    ) -> Bool {
        let pattern = withOneSlash(text)
        effort.spend(text.count - pattern.count)
        func matches(_ pattern: Substring.UTF8View) -> Bool {
            TextPattern.compare(pattern, path.trimmed, &effort) == .same
                || bare.map { TextPattern.compare(pattern, $0, &effort) == .same } ?? false
        }
        if path.endsWithSlash || pattern.count < text.count, matches(pattern) { return true }
        return folder(of: pattern, &effort).map(matches) ?? false
    }

    private static func withOneSlash(_ text: Substring.UTF8View) -> Substring.UTF8View {
        guard text.first == UInt8(ascii: "/") else { return text }
        let end = text.firstIndex { $0 != UInt8(ascii: "/") } ?? text.endIndex
        return text[text.index(before: end)...]
    }

    private static func folder(of pattern: Substring.UTF8View, _ effort: inout Effort) -> Substring.UTF8View? {
        var folder = pattern
        while folder.last == UInt8(ascii: "*") { folder.removeLast() }
        let isFolder = folder.last == UInt8(ascii: "/")
        while folder.last == UInt8(ascii: "/") { folder.removeLast() }
        // Removing costs more than comparing.
        effort.spend(16 * (pattern.count - folder.count))
        return isFolder && !folder.isEmpty ? folder : nil
    }

    private static func matches(
        _ pieces: [Piece], _ path: CandidatePath, _ bare: [UInt8]?, _ effort: inout Effort
    ) -> Bool {
        // For copying and cutting.
        effort.spend(pieces.count)
        guard !effort.isSpent else { return false }
        let pattern = withOneSlash(pieces)
        func matches(_ pattern: [Piece]) -> Bool {
            TextPattern.matches(pattern, from: 0, path.trimmed, &effort)
                || bare.map { TextPattern.matches(pattern, from: 0, $0, &effort) } ?? false
        }
        if path.endsWithSlash || pattern != pieces, matches(pattern) { return true }
        return folder(of: pattern).map(matches) ?? false
    }

    private static func withOneSlash(_ pieces: [Piece]) -> [Piece] {
        guard case .literal(let first)? = pieces.first, first.starts(with: "//".utf8) else { return pieces }
        let rest = first.drop { $0 == UInt8(ascii: "/") }
        return [.literal([UInt8(ascii: "/")] + rest)] + pieces.dropFirst()
    }

    /// A variable keeps its trailing slash.
    private static func folder(of pieces: [Piece]) -> [Piece]? {
        var folder = pieces
        if folder.last == .run { folder.removeLast() }
        guard case .literal(var end)? = folder.popLast(), end.last == UInt8(ascii: "/") else { return nil }
        while end.last == UInt8(ascii: "/") { end.removeLast() }
        return end.isEmpty ? folder.isEmpty ? nil : folder : folder + [.literal(end)]
    }
}
