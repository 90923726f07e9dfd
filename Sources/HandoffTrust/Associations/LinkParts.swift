// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// A component or `defaults`, not yet compiled.
struct LinkKeys {
    private(set) var path: JSONTree?
    private(set) var query: JSONTree?
    private(set) var fragment: JSONTree?
    private(set) var comparison: CandidateURL.Comparison
    private(set) var excludes: Bool
    private(set) var comment: String?

    init(comparison: CandidateURL.Comparison, excludes: Bool) {
        self.comparison = comparison
        self.excludes = excludes
    }

    /// Ignores other keys. Inlined, because the calls would take a tenth of the time.
    @inline(__always)
    mutating func read(_ tree: JSONTree, at place: @autoclosure () -> String) throws(Unusable) {
        for member in try tree.object(place()) {
            let value = member.value
            switch member.key {
            case "/": path = value
            case "?": query = value
            case "#": fragment = value
            case "exclude": excludes = try value.boolean("\(place()).exclude")
            case "comment": comment = try value.string("\(place()).comment")
            case "caseSensitive": comparison.caseSensitive = try value.boolean("\(place()).caseSensitive")
            case "percentEncoded": comparison.percentEncoded = try value.boolean("\(place()).percentEncoded")
            default: break
            }
        }
    }
}

/// Nil matches everything.
struct LinkParts: Hashable, Sendable {
    enum Query: Hashable, Sendable {
        case whole(TextPattern)
        /// All of that name must match. A missing item equals an empty one.
        case items([Item])
    }

    struct Item: Hashable, Sendable {
        let name: ExactText
        let pattern: TextPattern
    }

    let path: TextPattern?
    let query: Query?
    let fragment: TextPattern?

    static let none = LinkParts()

    private init() { (path, query, fragment) = (nil, nil, nil) }

    /// `outer` provides missing keys.
    init(
        _ keys: LinkKeys, over outer: LinkParts, _ variables: SubstitutionVariables, _ isCaseSensitive: Bool,
        at place: @autoclosure () -> String
    ) throws(Unusable) {
        func pattern(_ tree: JSONTree, _ name: @autoclosure () -> String) throws(Unusable) -> TextPattern {
            try tree.pattern(name(), variables, isCaseSensitive, at: place())
        }
        path = if let tree = keys.path { try pattern(tree, "/") } else { outer.path }
        fragment = if let tree = keys.fragment { try pattern(tree, "#") } else { outer.fragment }
        switch keys.query {
        case nil: query = outer.query
        case .object(let members)?:
            var items: [Item] = []
            for member in members {
                guard case .string = member.value else { continue }
                let name = isCaseSensitive ? member.key : ExactText(member.key.text.caseFolded)
                items.append(Item(name: name, pattern: try pattern(member.value, "?.\(member.key)")))
            }
            // As in Apple's checker, a value that is not text disables the check.
            query = items.count == members.count ? .items(items) : nil
        case let tree?: query = .whole(try pattern(tree, "?"))
        }
    }
}

extension JSONTree {
    /// Called as often as `LinkKeys.read`.
    @inline(__always)
    func pattern(
        _ name: @autoclosure () -> String, _ variables: SubstitutionVariables, _ isCaseSensitive: Bool,
        at place: @autoclosure () -> String
    ) throws(Unusable) -> TextPattern {
        let text = try string("\(place()).\(name())")
        do throws(Unusable) {
            return try TextPattern(text, variables: variables, isCaseSensitive: isCaseSensitive)
        } catch {
            throw Unusable(reason: "\(place()).\(name()): \(error.reason)")
        }
    }
}

extension LinkParts.Query {
    func obstacle(in form: borrowing CandidateURL.Form, _ effort: inout Effort) -> LinkComponent.Part? {
        switch self {
        case .whole(let pattern):
            guard let text = form.query, pattern.matches(text, &effort) else { return .query }
        case .items(let items):
            for item in items {
                // A lookup costs about ten comparisons; `defaults` may repeat the list in every component.
                effort.spend(10 + item.name.text.utf8.count)
                guard !effort.isSpent else { return .item(item.name) }
                for value in form.items[item.name] ?? [[]] {
                    guard let value, item.pattern.matches(value, &effort) else { return .item(item.name) }
                }
            }
        }
        return nil
    }
}

struct LinkDefaults: Sendable {
    /// Compiled once for all components.
    final class Parts: Sendable {
        let exact: LinkParts
        let anyCase: LinkParts

        fileprivate init(
            _ keys: LinkKeys, over outer: Parts?, _ variables: SubstitutionVariables, at place: String
        ) throws(Unusable) {
            exact = try LinkParts(keys, over: outer?.exact ?? .none, variables, true, at: place)
            anyCase = try LinkParts(keys, over: outer?.anyCase ?? .none, variables, false, at: place)
        }
    }

    private(set) var comparison = CandidateURL.Comparison()
    private(set) var excludes = false
    private(set) var parts: Parts?

    static let none = LinkDefaults()

    private init() {}

    init(
        _ tree: JSONTree?, over outer: Self, _ variables: SubstitutionVariables, at place: @autoclosure () -> String
    ) throws(Unusable) {
        self = outer
        guard let tree else { return }
        var keys = LinkKeys(comparison: outer.comparison, excludes: outer.excludes)
        try keys.read(tree, at: place())
        comparison = keys.comparison
        excludes = keys.excludes
        if keys.path != nil || keys.query != nil || keys.fragment != nil {
            parts = try Parts(keys, over: outer.parts, variables, at: place())
        }
    }
}
