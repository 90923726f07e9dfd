// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// An activity that its app made eligible for search, without the parts that may not be kept.
package struct HistoryEntry: Hashable, Sendable {
    package let app: BundleID
    package let key: HistoryKey
    package let type: ActivityType
    package let title: String
    package let keywords: [String]
    /// From the content attributes.
    package let names: [String]
    package let text: String
    /// A parent domain and a period precede a subdomain.
    package let domain: ExactText?
    /// The entry lives only as long as this item.
    package let relatedItem: ExactText?
    package let persistentIdentifier: ExactText?
    package let targetContentIdentifier: String?
    /// An encoded `Value` dictionary, or empty.
    package let userInfo: [UInt8]
    package let webpageURL: String?
    /// Nil: some time after its last use.
    package let expires: WallTime?

    package var words: HistoryWords { HistoryWords(title: title, others: keywords + names + [text]) }

    /// Nil if the app did not make it eligible, if nothing could find it, or if it is too large to be opened again.
    /// Throws `.malformed` for a userInfo or content attributes that cannot be read.
    package init?(of state: ActivityState, by app: BundleID) throws(WireError) {
        guard state.isEligibleForSearch else { return nil }
        let attributes = try state.attributes() ?? ContentAttributes()
        func texts(_ names: ExactText...) -> [String] { names.compactMap { attributes.text($0)?.text } }
        title = HistoryLimits.cut(state.title ?? texts("title", "displayName").first ?? "")
        keywords = HistoryLimits.cut(state.keywords)
        names = HistoryLimits.cut(texts("title", "displayName") + attributes.texts("alternateNames"))
        text = HistoryLimits.cut(
            texts("contentDescription", "textContent").joined(separator: "\n"), to: HistoryLimits.textBytes)
        guard !(title.isEmpty && keywords.isEmpty && names.isEmpty) else { return nil }

        // Excludes passwords.
        webpageURL = state.webpageURL.flatMap { PageAddress($0) == nil ? nil : $0 }
        var kept: [UInt8] = []
        if let entries = try state.keptUserInfo() { kept = try Value.dictionary(entries).encoded() }
        guard kept.count <= HistoryLimits.stateBytes || webpageURL != nil else { return nil }
        userInfo = kept.count <= HistoryLimits.stateBytes ? kept : []

        self.app = app
        type = state.type
        domain = attributes.text("domainIdentifier")
        relatedItem = attributes.relatedUniqueIdentifier
        persistentIdentifier = state.persistentIdentifier.map { ExactText($0) }
        targetContentIdentifier = state.targetContentIdentifier
        expires = state.expirationDate.flatMap(WallTime.init(sinceReferenceDate:))
        key =
            if let relatedItem {
                .item(relatedItem)
            } else if let persistentIdentifier {
                .persistent(persistentIdentifier)
            } else if let target = targetContentIdentifier {
                .target(ExactText(target))
            } else if let webpageURL {
                .page(ExactText(webpageURL))
            } else {
                .content(type, title: ExactText(title), userInfo: userInfo)
            }
    }
}

/// Two activities of an app with the same key are the same entry. An activity's key is the first that it has.
package enum HistoryKey: Hashable, Sendable {
    /// `relatedUniqueIdentifier`: the item and its activity are found together.
    case item(ExactText)
    case persistent(ExactText)
    case target(ExactText)
    case page(ExactText)
    /// `userInfo`: only the required keys.
    case content(ActivityType, title: ExactText, userInfo: [UInt8])
}

package enum HistoryLimits {
    package static let entriesOfApp = 20_000
    package static let entries = 100_000
    /// UTF-8 bytes of a title, a keyword or a name, and of all text.
    package static let wordBytes = 1024
    package static let textBytes = 4 * 1024
    package static let words = 64
    /// Bytes of an encoded userInfo. A larger one is not kept.
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
