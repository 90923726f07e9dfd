// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

extension HistoryEntry {
    /// Nil if not eligible, if nothing could find it, or if it is too large to be opened again. Throws `.malformed` for
    /// an unreadable userInfo or content attributes.
    ///
    /// Folds up to 200 KiB of text.
    package init?(of state: ActivityState, by app: BundleID) throws(WireError) {
        // Items have this type.
        guard state.isEligibleForSearch, state.type != .searchableItem else { return nil }
        let attributes = try state.attributes() ?? ContentAttributes()
        guard let texts = SearchedTexts(attributes, title: state.title, keywords: state.keywords) else { return nil }

        // Excludes passwords.
        let webpageURL = state.webpageURL.flatMap { PageAddress($0) == nil ? nil : $0 }
        var kept: [UInt8] = []
        if let entries = try state.keptUserInfo() { kept = try Value.dictionary(entries).encoded() }
        guard kept.count <= HistoryLimits.stateBytes || webpageURL != nil else { return nil }
        let userInfo = kept.count <= HistoryLimits.stateBytes ? kept : []

        let relatedItem = attributes.relatedUniqueIdentifier
        let domain = attributes.text("domainIdentifier")
        let names = [
            state.persistentIdentifier, state.targetContentIdentifier, relatedItem?.text, domain?.text,
        ]
        guard names.allSatisfy({ $0?.utf8.count ?? 0 <= IndexChanges.identifierBytes }) else { return nil }
        let persistentIdentifier = state.persistentIdentifier.map { ExactText($0) }
        let key: HistoryKey =
            if let relatedItem {
                .item(relatedItem)
            } else if let persistentIdentifier {
                .persistent(persistentIdentifier)
            } else if let target = state.targetContentIdentifier {
                .target(ExactText(target))
            } else if let webpageURL {
                .page(ExactText(webpageURL))
            } else {
                .content(state.type, title: ExactText(texts.title), userInfo: userInfo)
            }
        self.init(
            app: app, key: key, type: state.type, title: texts.title, words: texts.words,
            domain: domain, relatedItem: relatedItem, persistentIdentifier: persistentIdentifier,
            targetContentIdentifier: state.targetContentIdentifier,
            userInfo: userInfo, webpageURL: webpageURL,
            expires: state.expirationDate.flatMap(WallTime.init(sinceReferenceDate:)))
    }

    /// Nil if nothing could find it. Throws `.malformed` for unreadable attributes, and `.limitReached`.
    package init?(of item: IndexedItem, by app: BundleID) throws(WireError) {
        let attributes = item.attributes.isEmpty ? ContentAttributes() : try ContentAttributes(encoded: item.attributes)
        guard let texts = SearchedTexts(attributes, title: nil, keywords: attributes.texts("keywords")) else {
            return nil
        }
        let domain = item.domainIdentifier ?? attributes.text("domainIdentifier")
        guard domain?.text.utf8.count ?? 0 <= IndexChanges.identifierBytes else {
            throw WireError(.limitReached, "a domain identifier has at most \(IndexChanges.identifierBytes) bytes")
        }
        let userInfo = Value.dictionary([.string(Self.itemIdentifier): .string(item.uniqueIdentifier)])
        self.init(
            app: app, key: .item(item.uniqueIdentifier), type: .searchableItem, title: texts.title, words: texts.words,
            domain: domain, relatedItem: item.uniqueIdentifier,
            userInfo: try userInfo.encoded(), expires: item.expires)
    }

    /// `CSSearchableItemActivityIdentifier`
    private static let itemIdentifier: ExactText = "kCSSearchableItemActivityIdentifier"

    /// For the app that continues it.
    package var state: ActivityState {
        var state = ActivityState(
            type: type, title: title.isEmpty ? nil : title, userInfo: userInfo, webpageURL: webpageURL,
            targetContentIdentifier: targetContentIdentifier, persistentIdentifier: persistentIdentifier?.text,
            isEligibleForSearch: true)
        state.expirationDate = expires.map { Double($0.milliseconds) / 1000 - WallTime.referenceDate }
        return state
    }
}

extension ActivityState {
    package static func search(for words: String) -> ActivityState {
        let userInfo = Value.dictionary([.string("kCSSearchQueryString"): .string(words)])
        return ActivityState(type: .queryContinuation, userInfo: (try? userInfo.encoded()) ?? [])
    }
}

private struct SearchedTexts {
    let title: String
    private let others: [String]

    var words: HistoryWords { HistoryWords(title: title, others: others) }

    /// Nil: without a name or a keyword.
    init?(_ attributes: ContentAttributes, title: String?, keywords: [String]) {
        func texts(_ names: ExactText...) -> [String] { names.compactMap { attributes.text($0)?.text } }
        self.title = HistoryLimits.cut(title ?? texts("title", "displayName").first ?? "")
        let names = HistoryLimits.cut(texts("title", "displayName") + attributes.texts("alternateNames"))
        let keywords = HistoryLimits.cut(keywords)
        let text = HistoryLimits.cut(
            texts("contentDescription", "textContent").joined(separator: "\n"), to: HistoryLimits.textBytes)
        guard !(self.title.isEmpty && keywords.isEmpty && names.isEmpty) else { return nil }
        others = keywords + names + [text]
    }
}

package enum HistoryLimits {
    package static let entriesOfApp = 20_000
    package static let entries = 100_000
    package static let transfers = 1000
    /// In UTF-8 bytes: of a title, a keyword or a name, and of all text.
    package static let wordBytes = 1024
    package static let textBytes = 4 * 1024
    package static let words = 64
    /// An entry without a date expires this long after its last use.
    package static let unused = Duration.seconds(30 * 24 * 3600)
    /// In bytes, encoded. A larger userInfo is not kept.
    package static let stateBytes = 16 * 1024

    static func cut(_ text: String, to bytes: Int = wordBytes) -> String {
        guard text.utf8.count > bytes else { return text }
        var kept = text.unicodeScalars[...]
        var count = text.utf8.count
        while count > bytes, let last = kept.popLast() { count -= UTF8.width(last) }
        return String(kept)
    }

    static func cut(_ words: [String]) -> [String] { words.prefix(self.words).map { cut($0) } }
}

extension ActivityState {
    /// The required keys, or all keys if the app named none.
    func keptUserInfo() throws(WireError) -> [Value: Value]? {
        guard !userInfo.isEmpty else { return nil }
        guard case .dictionary(let entries) = try Value(encoded: userInfo) else {
            throw WireError(.malformed, "a userInfo is a dictionary")
        }
        guard let requiredUserInfoKeys else { return entries }
        // The app finds keys by ==, which equates both encodings of é.
        let required = Set(requiredUserInfoKeys)
        return entries.filter { if case .string(let key) = $0.key { required.contains(key.text) } else { false } }
    }

    fileprivate func attributes() throws(WireError) -> ContentAttributes? {
        contentAttributes.isEmpty ? nil : try ContentAttributes(encoded: contentAttributes)
    }
}
