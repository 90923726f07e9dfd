// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The files that a `userInfo` names by `file:` URLs, and what stands in their places.
package struct NamedFiles: Sendable {
    private let root: Value
    /// Each once, in a fixed order.
    package let urls: [String]

    /// Nil where it names none, which costs a look at the bytes, or cannot be read.
    package init?(in userInfo: [UInt8]) {
        guard Self.mayName(userInfo), let root = try? Value(encoded: userInfo) else { return nil }
        var urls: Set<String> = []
        root.visitURLs { if FileURL.isOne($0) { urls.insert($0) } }
        guard !urls.isEmpty else { return nil }
        self.root = root
        self.urls = urls.sorted()
    }

    /// With the document of an index in place of each URL that has one.
    package func replacing(_ indices: [String: UInt32]) throws(WireError) -> [UInt8] {
        try root.mapped { value in
            if case .url(let text) = value, let index = indices[text] { .document(index) } else { value }
        }.encoded()
    }

    private static func mayName(_ bytes: [UInt8]) -> Bool {
        let wanted = Array("file:".utf8)
        return bytes.withUnsafeBufferPointer { bytes in
            guard bytes.count >= wanted.count else { return false }
            for start in 0...bytes.count - wanted.count where bytes[start] | 0x20 == wanted[0] {
                var length = 1
                while length < wanted.count, bytes[start + length] | 0x20 == wanted[length] { length += 1 }
                // A colon has that bit as it is.
                if length == wanted.count { return true }
            }
            return false
        }
    }
}

/// What came in place of files: a `userInfo` that another device sent.
package enum ArrivedFiles {
    /// Every document of an index that is in `urls` becomes that URL, and any other one null.
    package static func replacing(_ urls: [UInt32: String], in userInfo: [UInt8]) throws(WireError) -> [UInt8] {
        guard !userInfo.isEmpty else { return userInfo }
        return try Value(encoded: userInfo).mapped { value in
            guard case .document(let index) = value else { return value }
            return urls[index].map { .url($0) } ?? .null
        }.encoded()
    }
}

extension Value {
    fileprivate func visitURLs(_ body: (String) -> Void) {
        switch self {
        case .url(let text): body(text)
        case .array(let items): for item in items { item.visitURLs(body) }
        case .set(let items): for item in items { item.visitURLs(body) }
        case .dictionary(let entries): for (key, value) in entries { key.visitURLs(body); value.visitURLs(body) }
        case .null, .boolean, .signed, .unsigned, .double, .string, .bytes, .date, .uuid, .document: break
        }
    }

    /// Each value that holds no others, by what `change` makes of it. Of members or keys that become alike one stays.
    fileprivate func mapped(_ change: (Value) -> Value) -> Value {
        switch self {
        case .array(let items): .array(items.map { $0.mapped(change) })
        case .set(let items): .set(Set(items.map { $0.mapped(change) }))
        case .dictionary(let entries):
            .dictionary(
                Dictionary(entries.map { ($0.key.mapped(change), $0.value.mapped(change)) }) { first, _ in first })
        case .null, .boolean, .signed, .unsigned, .double, .string, .bytes, .date, .url, .uuid, .document: change(self)
        }
    }
}
