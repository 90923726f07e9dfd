// SPDX-License-Identifier: Apache-2.0

/// Search attributes by the property names of `CSSearchableItemAttributeSet`. Unknown names are passed on.
package struct ContentAttributes: Hashable, Sendable {
    package var entries: [ExactText: Value] = [:]

    package init() {}

    /// The activity is indexed and deleted with this item.
    package var relatedUniqueIdentifier: ExactText? { text("relatedUniqueIdentifier") }

    package func text(_ name: ExactText) -> ExactText? {
        if case .string(let text)? = entries[name] { text } else { nil }
    }

    package func texts(_ name: ExactText) -> [String] {
        guard case .array(let values)? = entries[name] else { return [] }
        return values.compactMap { if case .string(let text) = $0 { text.text } else { nil } }
    }

    /// Throws `.malformed` unless it is a dictionary whose keys are texts.
    package init(encoded bytes: [UInt8]) throws(WireError) {
        guard case .dictionary(let dictionary) = try Value(encoded: bytes) else {
            throw WireError(.malformed, "content attributes are a dictionary")
        }
        for (key, value) in dictionary {
            guard case .string(let name) = key else {
                throw WireError(.malformed, "a content attribute has a text as its name")
            }
            entries[name] = value
        }
    }

    package func searched(textBytes: Int) -> ContentAttributes {
        let names: [ExactText] = [
            "title", "displayName", "alternateNames", "keywords", "contentDescription", "textContent",
            "domainIdentifier",
        ]
        var searched = ContentAttributes()
        for name in names {
            if case .string(let text)? = entries[name], text.text.utf8.count > textBytes {
                searched.entries[name] = .string(
                    ExactText(String(decoding: text.text.utf8.prefix(textBytes), as: UTF8.self)))
            } else {
                searched.entries[name] = entries[name]
            }
        }
        return searched
    }

    /// Above the limit, drops the thumbnail, then the content, then everything.
    package func encoded() -> [UInt8] {
        var kept = entries
        for dropped in [nil, "thumbnailData", "htmlContentData", "textContent"] as [ExactText?] {
            if let dropped { kept[dropped] = nil }
            var dictionary: [Value: Value] = [:]
            for (name, value) in kept { dictionary[.string(name)] = value }
            if let bytes = try? Value.dictionary(dictionary).encoded(), bytes.count <= Limits.contentAttributesBytes {
                return bytes
            }
        }
        return []
    }
}
