// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// One line of an entry: all parts that it names have to match. Of the old form, an item of `paths`.
struct LinkComponent: Hashable, Sendable {
    enum Query: Hashable, Sendable {
        case whole(TextPattern)
        /// Every item of that name has to match. One that is not there is an empty one.
        case items([Item])
    }

    struct Item: Hashable, Sendable {
        /// As names are compared.
        let name: String
        let pattern: TextPattern
    }

    /// The part of an address that stopped a component.
    enum Part: Hashable, Sendable {
        case path, query, fragment
        case item(String)
    }

    /// What few components have. Apart, so that ten thousand of the others take little room.
    private indirect enum Rest: Hashable, Sendable {
        case nothing
        case parts(query: Query?, fragment: TextPattern?, comment: String?)
    }

    let path: TextPattern?
    private let rest: Rest
    let excludes: Bool
    let comparison: CandidateURL.Comparison

    /// An item of `paths`, "NOT " before it or not.
    init(path text: String) {
        let mark = "NOT "
        excludes = text.hasPrefix(mark)
        path = TextPattern(path: excludes ? String(text.dropFirst(mark.count)) : text)
        rest = .nothing
        comparison = CandidateURL.Comparison()
    }

    init(
        _ tree: JSONTree, _ defaults: CandidateURL.Comparison, _ variables: SubstitutionVariables,
        at place: @autoclosure () -> String
    ) throws(Unusable) {
        var parts: (path: JSONTree?, query: JSONTree?, fragment: JSONTree?) = (nil, nil, nil)
        var comparison = defaults
        var excludes = false
        var comment: String?
        for member in try tree.object(place()) {
            let value = member.value
            switch member.key {
            case "/": parts.path = value
            case "?": parts.query = value
            case "#": parts.fragment = value
            case "exclude": excludes = try value.boolean("\(place()).exclude")
            case "comment": comment = try value.string("\(place()).comment")
            default: try comparison.read(member, at: place())
            }
        }
        self.comparison = comparison
        self.excludes = excludes
        let isCaseSensitive = comparison.caseSensitive
        func pattern(_ tree: JSONTree, _ name: String) throws(Unusable) -> TextPattern {
            let text = try tree.string("\(place()).\(name)")
            do throws(Unusable) {
                return try TextPattern(text, variables: variables, isCaseSensitive: isCaseSensitive)
            } catch {
                throw Unusable(reason: "\(place()).\(name): \(error.reason)")
            }
        }
        path = if let tree = parts.path { try pattern(tree, "/") } else { nil }
        guard parts.query != nil || parts.fragment != nil || comment != nil else {
            rest = .nothing
            return
        }
        let fragment: TextPattern? = if let tree = parts.fragment { try pattern(tree, "#") } else { nil }
        let query: Query?
        switch parts.query {
        case nil: query = nil
        case .object(let members)?:
            var items: [Item] = []
            for member in members {
                let name = isCaseSensitive ? member.key : member.key.lowercased()
                items.append(Item(name: name, pattern: try pattern(member.value, "?.\(member.key)")))
            }
            query = .items(items)
        case let tree?: query = .whole(try pattern(tree, "?"))
        }
        rest = .parts(query: query, fragment: fragment, comment: comment)
    }

    /// The part that stops it, or nil where all match.
    /// `form` is the address as `comparison` wants it.
    func obstacle(in form: borrowing CandidateURL.Form, _ effort: inout Effort) -> Part? {
        if let path {
            guard let text = form.path, path.matches(text, &effort) else { return .path }
        }
        guard case .parts(let query, let fragment, _) = rest else { return nil }
        if let fragment {
            guard let text = form.fragment, fragment.matches(text, &effort) else { return .fragment }
        }
        switch query {
        case nil: return nil
        case .whole(let pattern)?:
            guard let text = form.query, pattern.matches(text, &effort) else { return .query }
        case .items(let items)?:
            for item in items {
                for value in form.items[item.name] ?? [[]] {
                    guard let value, item.pattern.matches(value, &effort) else { return .item(item.name) }
                }
            }
        }
        return nil
    }

    /// The site's own words, clean; nil for none.
    var comment: String? {
        guard case .parts(_, _, let comment?) = rest else { return nil }
        return DisplayText(cleaning: comment, limit: Limits.nameCharacters * 2).text
    }

    /// What it asks for, clean: "path /buy/*, not for the app".
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
    /// Clean: "the query item page".
    var name: String {
        switch self {
        case .path: "the path"
        case .query: "the query"
        case .fragment: "the fragment"
        case .item(let name): DisplayText(cleaning: "the query item \(name)", limit: Limits.nameCharacters).text
        }
    }
}

extension CandidateURL.Comparison {
    /// `defaults` of a file or of an entry, over those of what it stands in.
    init(_ tree: JSONTree?, over outer: Self, at place: String) throws(Unusable) {
        self = outer
        guard let tree else { return }
        for member in try tree.object(place) { try read(member, at: place) }
    }

    /// Other keys mean nothing.
    fileprivate mutating func read(_ member: JSONTree.Member, at place: @autoclosure () -> String) throws(Unusable) {
        switch member.key {
        case "caseSensitive": caseSensitive = try member.value.boolean("\(place()).caseSensitive")
        case "percentEncoded": percentEncoded = try member.value.boolean("\(place()).percentEncoded")
        default: break
        }
    }
}
