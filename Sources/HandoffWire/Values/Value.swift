// SPDX-License-Identifier: Apache-2.0

/// A value in a `userInfo`, without Foundation's types.
///
/// Texts are equal if their bytes are: a program in another language may have both as keys.
package enum Value: Hashable, Sendable {
    case null
    case boolean(Bool)
    case signed(Int64)
    case unsigned(UInt64)
    case double(Double)
    case string(ExactText)
    case bytes([UInt8])
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    case url(ExactText)
    /// 16 bytes.
    case uuid([UInt8])
    case array([Value])
    case dictionary([Value: Value])
    case set(Set<Value>)
    /// The index of a `DocumentReference`, between devices; on each device it is a `file:` URL.
    case document(UInt32)

    package static func string(_ text: String) -> Value { .string(ExactText(text)) }
    package static func url(_ text: String) -> Value { .url(ExactText(text)) }
}

extension Value {
    /// Skips containers; visits keys and members of sets.
    package func visit(_ body: (Value) -> Void) {
        switch self {
        case .array(let items): for item in items { item.visit(body) }
        case .set(let items): for item in items { item.visit(body) }
        case .dictionary(let entries): for (key, value) in entries { key.visit(body); value.visit(body) }
        case .null, .boolean, .signed, .unsigned, .double, .string, .bytes, .date, .url, .uuid, .document: body(self)
        }
    }

    /// Skips containers. Keys or members that become equal are merged.
    func mapped(_ change: (Value) -> Value) -> Value {
        switch self {
        case .array(let items): .array(items.map { $0.mapped(change) })
        case .set(let items): .set(Set(items.map { $0.mapped(change) }))
        case .dictionary(let entries):
            .dictionary(
                Dictionary(entries.map { ($0.key.mapped(change), $0.value.mapped(change)) }) { first, _ in first })
        case .null, .boolean, .signed, .unsigned, .double, .string, .bytes, .date, .url, .uuid, .document: change(self)
        }
    }

    /// A `file:` URL, or a text that a tolerant parser reads as one.
    package var isFileURL: Bool { if case .url(let text) = self { FileURL.mayBeOne(text.text) } else { false } }
}
