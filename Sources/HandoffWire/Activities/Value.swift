// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

/// A value in a `userInfo`.
///
/// Texts are equal if their bytes are, because other languages may use both as keys.
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
    /// Between devices, the index of a `DocumentReference`; on a device, a `file:` URL.
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

extension Value {
    /// One encoding per value. Throws `.nestingTooDeep` or `.tooLarge`.
    package func encoded() throws(WireError) -> [UInt8] {
        let bytes = try wire(depth: 0).bytes()
        guard bytes.count <= Limits.userInfoBytes else {
            throw WireError(.tooLarge, "\(bytes.count) bytes encoded, at most \(Limits.userInfoBytes) are allowed")
        }
        return bytes
    }

    package init(encoded bytes: [UInt8]) throws(WireError) {
        guard bytes.count <= Limits.userInfoBytes else {
            throw WireError(.tooLarge, "\(bytes.count) bytes encoded, at most \(Limits.userInfoBytes) are allowed")
        }
        var options = BinaryDecodingOptions()
        // Guards the stack; the exact limit is checked below. A container is two messages, an entry a third.
        options.messageDepthLimit = Limits.valueNesting * 3 + 8
        let message: PBValue
        do {
            message = try PBValue(serializedBytes: bytes, options: options)
        } catch BinaryDecodingError.messageDepthLimit {
            throw WireError(.nestingTooDeep, "containers nest deeper than \(Limits.valueNesting)")
        } catch {
            throw WireError(.malformed, "not an encoded value")
        }
        try self.init(message, depth: 0)
    }

    /// `depth`: containers around it.
    private func wire(depth: Int) throws(WireError) -> PBValue {
        var message = PBValue()
        switch self {
        case .null: message.null = true
        case .boolean(let value): message.boolean = value
        case .signed(let value): message.signed = value
        case .unsigned(let value): message.unsigned = value
        case .double(let value): message.double = value
        case .string(let value): message.string = value.text
        case .bytes(let value): message.bytes = value.data
        case .date(let value): message.date = value
        case .url(let value): message.url = value.text
        case .uuid(let value): message.uuid = value.data
        case .document(let index): message.document = index
        case .array(let items):
            try Self.check(depth: depth)
            // Modifying a one-of copies its content for each item.
            var list = PBValueList()
            list.items.reserveCapacity(items.count)
            for item in items { list.items.append(try item.wire(depth: depth + 1)) }
            message.array = list
        case .set(let items):
            try Self.check(depth: depth)
            var encodings: [(bytes: [UInt8], value: PBValue)] = []
            for item in items {
                try item.checkDistinct()
                let value = try item.wire(depth: depth + 1)
                encodings.append((try value.bytes(), value))
            }
            encodings.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
            message.set = PBValueList()
            message.set.items = encodings.map(\.value)
        case .dictionary(let entries):
            try Self.check(depth: depth)
            var encodings: [(key: [UInt8], entry: PBValueEntry)] = []
            for (key, value) in entries {
                try key.checkDistinct()
                var entry = PBValueEntry()
                entry.key = try key.wire(depth: depth + 1)
                entry.value = try value.wire(depth: depth + 1)
                encodings.append((try entry.key.bytes(), entry))
            }
            encodings.sort { $0.key.lexicographicallyPrecedes($1.key) }
            message.dictionary = PBValueEntries()
            message.dictionary.entries = encodings.map(\.entry)
        }
        return message
    }

    private init(_ message: PBValue, depth: Int) throws(WireError) {
        switch message.kind {
        case .null?: self = .null
        case .boolean(let value)?: self = .boolean(value)
        case .signed(let value)?: self = .signed(value)
        case .unsigned(let value)?: self = .unsigned(value)
        case .double(let value)?: self = .double(value)
        case .string(let value)?: self = .string(value)
        case .bytes(let value)?: self = .bytes(Array(value))
        case .date(let value)?: self = .date(value)
        case .url(let value)?: self = .url(value)
        case .uuid(let value)?:
            guard value.count == 16 else { throw WireError(.malformed, "a UUID has 16 bytes") }
            self = .uuid(Array(value))
        case .document(let index)?:
            guard index < Limits.documents else {
                throw WireError(.limitReached, "a value that names more than \(Limits.documents) documents")
            }
            self = .document(index)
        case .array(let list)?:
            try Self.check(depth: depth)
            var items: [Value] = []
            for item in list.items { items.append(try Value(item, depth: depth + 1)) }
            self = .array(items)
        case .set(let list)?:
            try Self.check(depth: depth)
            var items: Set<Value> = []
            for item in list.items {
                guard items.insert(try Value(distinct: item, depth: depth + 1)).inserted else {
                    throw WireError(.malformed, "a set holds a member twice")
                }
            }
            self = .set(items)
        case .dictionary(let list)?:
            try Self.check(depth: depth)
            var entries: [Value: Value] = [:]
            for entry in list.entries {
                guard entry.hasKey, entry.hasValue else {
                    throw WireError(.missingField, "an entry lacks key or value")
                }
                let key = try Value(distinct: entry.key, depth: depth + 1)
                guard entries.updateValue(try Value(entry.value, depth: depth + 1), forKey: key) == nil else {
                    throw WireError(.malformed, "a dictionary holds a key twice")
                }
            }
            self = .dictionary(entries)
        case nil:
            throw WireError(.malformed, "a value of a kind that this version does not know")
        }
    }

    /// A value with a NaN differs from itself, so a set could contain it any number of times, each compared with all
    /// before.
    private init(distinct message: PBValue, depth: Int) throws(WireError) {
        try self.init(message, depth: depth)
        try checkDistinct()
    }

    private func checkDistinct() throws(WireError) {
        guard !holdsNaN else { throw WireError(.malformed, "a member of a set, or a key, with a NaN in it") }
    }

    package var holdsNaN: Bool {
        switch self {
        case .double(let number), .date(let number): number.isNaN
        case .array(let items): items.contains(where: \.holdsNaN)
        case .set(let items): items.contains(where: \.holdsNaN)
        case .dictionary(let entries): entries.contains { $0.key.holdsNaN || $0.value.holdsNaN }
        case .null, .boolean, .signed, .unsigned, .string, .bytes, .url, .uuid, .document: false
        }
    }

    private static func check(depth: Int) throws(WireError) {
        guard depth < Limits.valueNesting else {
            throw WireError(.nestingTooDeep, "containers nest deeper than \(Limits.valueNesting)")
        }
    }
}
