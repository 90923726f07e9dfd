// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// A component, or an old item of `paths`. All its parts must match.
struct LinkComponent: Hashable, Sendable {
    enum Part: Hashable, Sendable {
        case path, query, fragment
        case item(ExactText)
    }

    enum Fit: Hashable, Sendable {
        /// Literally and as by Apple's checker.
        case surely
        /// By only one of them: docs/decisions/0032.
        case loosely(Looseness)
        case not(Part)
    }

    enum Looseness: Hashable, Sendable {
        /// See `TextPattern.PathMatch`.
        case slashes
        /// Only with slashes and similar characters decoded, or only with them encoded.
        case decoding
    }

    /// Separate, so that ten thousand simple components take little memory.
    private indirect enum Rest: Hashable, Sendable {
        case nothing
        case parts(query: LinkParts.Query?, fragment: TextPattern?, comment: String?)
    }

    let path: TextPattern?
    private let rest: Rest
    let excludes: Bool
    let comparison: CandidateURL.Comparison

    init(path text: String, _ defaults: LinkDefaults) {
        let mark = "NOT "
        let isNo = text.utf8.starts(with: mark.utf8)
        path = TextPattern(path: isNo ? String(decoding: text.utf8.dropFirst(mark.utf8.count), as: UTF8.self) : text)
        rest = .nothing
        excludes = isNo || defaults.excludes
        comparison = CandidateURL.Comparison()
    }

    init(
        _ tree: JSONTree, _ defaults: LinkDefaults, _ variables: SubstitutionVariables,
        at place: @autoclosure () -> String
    ) throws(Unusable) {
        var keys = LinkKeys(comparison: defaults.comparison, excludes: defaults.excludes)
        try keys.read(tree, at: place())
        comparison = keys.comparison
        excludes = keys.excludes
        if defaults.parts == nil, keys.query == nil, keys.fragment == nil, keys.comment == nil {
            path = try keys.path?.pattern("/", variables, comparison.caseSensitive, at: place())
            rest = .nothing
            return
        }
        let outer = comparison.caseSensitive ? defaults.parts?.exact : defaults.parts?.anyCase
        let parts = try LinkParts(keys, over: outer ?? .none, variables, comparison.caseSensitive, at: place())
        path = parts.path
        let isMore = parts.query != nil || parts.fragment != nil || keys.comment != nil
        rest = isMore ? .parts(query: parts.query, fragment: parts.fragment, comment: keys.comment) : .nothing
    }

    func fit(_ candidate: inout CandidateURL, _ form: CandidateURL.Form, _ effort: inout Effort) -> Fit {
        let fit = self.fit(form, &effort)
        guard !comparison.percentEncoded, let decoded = candidate.decodedForm(comparison),
            // A replaced character must not approve an address.
            excludes || decoded.isFaithful
        else { return fit }
        switch (fit, self.fit(decoded, &effort)) {
        case (.not, .not), (.surely, .surely): return fit
        case (.not, _), (_, .not): return .loosely(.decoding)
        default: return .loosely(.slashes)
        }
    }

    private func fit(_ form: CandidateURL.Form, _ effort: inout Effort) -> Fit {
        var fit = Fit.surely
        if let path {
            guard let text = form.path, let match = path.match(text, &effort) else { return .not(.path) }
            if match == .byOne { fit = .loosely(.slashes) }
        }
        guard case .parts(let query, let fragment, _) = rest else { return fit }
        if let fragment {
            guard let text = form.fragment, fragment.matches(text, &effort) else { return .not(.fragment) }
        }
        if let query, let part = query.obstacle(in: form, &effort) { return .not(part) }
        return fit
    }

    /// Safe to display.
    var comment: String? {
        guard case .parts(_, _, let comment?) = rest else { return nil }
        return DisplayText(cleaning: comment, limit: Limits.nameCharacters * 2).text
    }

    /// Safe to display.
    var summary: String {
        var words: [String] = []
        if let path { words.append("path \(path.text)") }
        if case .parts(let query, let fragment, _) = rest {
            switch query {
            case nil: break
            case .whole(let pattern)?: words.append("query \(pattern.text)")
            case .items(let items)?: words += items.map { "query item \($0.name)=\($0.pattern.text)" }
            }
            if let fragment { words.append("fragment \(fragment.text)") }
        }
        if words.isEmpty { words.append("any address") }
        return DisplayText(cleaning: words.joined(separator: ", ")).text
    }
}

extension LinkComponent.Part {
    /// Safe to display.
    var name: String {
        switch self {
        case .path: "the path"
        case .query: "the query"
        case .fragment: "the fragment"
        case .item(let name): DisplayText(cleaning: "the query item \(name)", limit: Limits.nameCharacters).text
        }
    }
}

extension LinkComponent.Looseness {
    var name: String {
        switch self {
        case .slashes: "but for a slash"
        case .decoding: "but for what is encoded"
        }
    }
}
