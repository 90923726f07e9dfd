// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

struct AppLinks: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        enum Content: Hashable, Sendable {
            /// The first match wins.
            case components([LinkComponent])
            case nobody
            /// The entry may have excluded addresses, so its apps get nothing from later entries either.
            case unusable(String)
        }

        /// Nil if unreadable: may be any app.
        let apps: [ExactText]?
        let content: Content
        /// `components` or `paths`.
        let list: String
    }

    let entries: [Entry]
    /// The form of 2015: each entry's key is its app.
    private let isKeyed: Bool

    /// Throws only for parts that concern all entries.
    init(_ tree: JSONTree) throws(Unusable) {
        _ = try tree.object("applinks")
        let variables =
            if let tree = tree.value(for: "substitutionVariables") {
                try SubstitutionVariables(tree, at: "applinks.substitutionVariables")
            } else {
                SubstitutionVariables.none
            }
        let defaults = try LinkDefaults(tree.value(for: "defaults"), over: .none, variables, at: "applinks.defaults")
        var entries: [Entry] = []
        if case .object(let members)? = tree["details"] {
            isKeyed = true
            for member in members {
                entries.append(
                    Entry(member.value, of: member.key, defaults, variables, at: Self.place(of: member.key)))
            }
        } else {
            isKeyed = false
            let items = try tree.value(for: "details")?.list("applinks.details") ?? []
            for (index, item) in items.enumerated() {
                entries.append(Entry(item, defaults, variables, at: Self.place(of: index)))
            }
        }
        self.entries = entries
    }

    /// Safe to display.
    func place(of entry: Int) -> String {
        guard isKeyed, let app = entries[entry].apps?.first else { return Self.place(of: entry) }
        return Self.place(of: app)
    }

    private static func place(of entry: Int) -> String { "applinks.details[\(entry)]" }

    private static func place(of app: ExactText) -> String {
        "applinks.details[\"\(DisplayText(cleaning: app.text, limit: Limits.nameCharacters).text)\"]"
    }
}

extension AppLinks.Entry {
    /// `app`: the key in the form of 2015.
    fileprivate init(
        _ tree: JSONTree, of app: ExactText? = nil, _ defaults: LinkDefaults, _ variables: SubstitutionVariables,
        at place: String
    ) {
        // Apple announced that `components` wins.
        let items = tree.value(for: "components")
        list = items == nil && tree.value(for: "paths") != nil ? "paths" : "components"
        do throws(Unusable) {
            let apps = if let app { [app] } else { try Self.apps(tree, at: place) }
            self.apps = apps
            guard !apps.isEmpty, tree != .null else {
                content = .nobody
                return
            }
        } catch {
            apps = nil
            content = .unusable(error.reason)
            return
        }
        do throws(Unusable) {
            _ = try tree.object(place)
            let defaults = try LinkDefaults(
                tree.value(for: "defaults"), over: defaults, variables, at: "\(place).defaults")
            var components: [LinkComponent] = []
            if let items = try items?.list("\(place).components") {
                components.reserveCapacity(items.count)
                for (index, item) in items.enumerated() {
                    components.append(
                        try LinkComponent(item, defaults, variables, at: "\(place).components[\(index)]"))
                }
            } else if let paths = tree.value(for: "paths") {
                components = try paths.strings("\(place).paths").map { LinkComponent(path: $0, defaults) }
            }
            content = .components(components)
        } catch {
            content = .unusable(error.reason)
        }
    }

    private static func apps(_ tree: JSONTree, at place: String) throws(Unusable) -> [ExactText] {
        if case .ambiguous = tree { _ = try tree.object(place) }
        if let several = tree.value(for: "appIDs") { return try several.names("\(place).appIDs").compactMap(\.self) }
        if let one = tree.value(for: "appID") { return [ExactText(try one.string("\(place).appID"))] }
        return []
    }
}
