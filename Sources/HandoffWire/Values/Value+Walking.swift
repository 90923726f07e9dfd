// SPDX-License-Identifier: Apache-2.0

extension Value {
    /// Skips containers, but visits keys and members of sets.
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
