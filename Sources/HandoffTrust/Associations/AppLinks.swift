// SPDX-License-Identifier: Apache-2.0

/// `applinks` of a file: which addresses open in which app.
struct AppLinks: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        enum Content: Hashable, Sendable {
            /// In the order of the file: the first that matches decides.
            case components([LinkComponent])
            /// Why what it says cannot be used. It may have been a no: so an app that it names gets nothing from the
            /// entries behind it either.
            case unusable(String)
        }

        /// Nil where it cannot be read: then it may be about any app.
        let apps: [String]?
        let content: Content
        /// The key that its components are under: `components` or `paths`.
        let list: String
    }

    /// In the order of the file.
    let entries: [Entry]

    /// Throws for what all entries hang on. What is wrong within one stays with it.
    init(_ tree: JSONTree) throws(Unusable) {
        _ = try tree.object("applinks")
        let defaults = try CandidateURL.Comparison(tree["defaults"], over: .init(), at: "applinks.defaults")
        let variables =
            if let tree = tree["substitutionVariables"] {
                try SubstitutionVariables(tree, at: "applinks.substitutionVariables")
            } else {
                SubstitutionVariables.none
            }
        var entries: [Entry] = []
        if let details = tree["details"] {
            for (index, item) in try details.list("applinks.details").enumerated() {
                entries.append(Entry(item, defaults, variables, at: Self.place(of: index)))
            }
        }
        self.entries = entries
    }

    static func place(of entry: Int) -> String { "applinks.details[\(entry)]" }
}

extension AppLinks.Entry {
    fileprivate init(
        _ tree: JSONTree, _ defaults: CandidateURL.Comparison, _ variables: SubstitutionVariables, at place: String
    ) {
        let old = tree["paths"] != nil
        list = old ? "paths" : "components"
        let isMixed =
            tree["appID"] != nil && tree["appIDs"] != nil || old && (tree["components"] ?? tree["appIDs"]) != nil
        do throws(Unusable) {
            apps = try Self.apps(tree, at: place)
        } catch {
            apps = nil
            content = .unusable(error.reason)
            return
        }
        guard !isMixed else {
            content = .unusable(
                "\(place) mixes the old form (appID, paths) with the new one (appIDs, components); an entry has one of "
                    + "them")
            return
        }
        do throws(Unusable) {
            let comparison = try CandidateURL.Comparison(tree["defaults"], over: defaults, at: "\(place).defaults")
            var components: [LinkComponent] = []
            if let paths = tree["paths"] {
                components = try paths.strings("\(place).paths").map { LinkComponent(path: $0) }
            } else if let items = tree["components"] {
                let items = try items.list("\(place).components")
                components.reserveCapacity(items.count)
                for (index, item) in items.enumerated() {
                    components.append(
                        try LinkComponent(item, comparison, variables, at: "\(place).components[\(index)]"))
                }
            }
            content = .components(components)
        } catch {
            content = .unusable(error.reason)
        }
    }

    /// All that it names, by either key.
    private static func apps(_ tree: JSONTree, at place: String) throws(Unusable) -> [String] {
        _ = try tree.object(place)
        var apps: [String] = []
        if let one = tree["appID"] { apps.append(try one.string("\(place).appID")) }
        if let several = tree["appIDs"] { apps += try several.strings("\(place).appIDs") }
        guard !apps.isEmpty else { throw Unusable(reason: "\(place) names no app: neither appID nor appIDs") }
        return apps
    }
}
