// SPDX-License-Identifier: Apache-2.0

extension Value {
    /// Each value in it that holds no other values; keys and members of sets too.
    package func visit(_ body: (Value) -> Void) {
        switch self {
        case .array(let items): for item in items { item.visit(body) }
        case .set(let items): for item in items { item.visit(body) }
        case .dictionary(let entries): for (key, value) in entries { key.visit(body); value.visit(body) }
        case .null, .boolean, .signed, .unsigned, .double, .string, .bytes, .date, .url, .uuid, .document: body(self)
        }
    }

    /// Replaces each value that holds no other values. One stays of members or keys that become alike.
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

    /// A `file:` URL, or a text that a tolerant reader takes for one.
    package var isFileURL: Bool { if case .url(let text) = self { FileURL.mayBeOne(text.text) } else { false } }
}
