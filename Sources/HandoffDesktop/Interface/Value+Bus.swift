// SPDX-License-Identifier: Apache-2.0

package import HandoffBus
package import HandoffWire

// Lossless. Types that D-Bus lacks are pairs of a name and a value, `(sv)`; see docs/dbus.md.

private enum Word: String {
    case null
    case date
    case url
    case uuid
    case set
    case dictionary
    /// Nested too deep for the bus, or a string with a zero byte.
    case encoded
    /// Only between devices.
    case document

    func with(_ value: BusValue) -> BusValue { .structure([.string(rawValue), .variant(value)]) }
}

extension Value {
    /// Nesting left for a value in a message.
    private static let room = BusLimits.depth - 8
    /// The most that a container level, or a plain value, needs.
    private static let roomOfContainer = 8

    package var bus: BusValue { bus(room: Self.room) }

    private func bus(room: Int) -> BusValue {
        switch self {
        case .null: Word.null.with(.string(""))
        case .boolean(let flag): .boolean(flag)
        case .signed(let number): .int64(number)
        case .unsigned(let number): .uint64(number)
        case .double(let number): .double(number)
        case .string(let text): text.isFitForBus ? .string(text.text) : encodedOnBus
        case .bytes(let bytes): .bytes(bytes)
        case .date(let seconds): Word.date.with(.double(seconds))
        case .url(let text): text.isFitForBus ? Word.url.with(.string(text.text)) : encodedOnBus
        case .uuid(let bytes): Word.uuid.with(.bytes(bytes))
        case .document(let index): Word.document.with(.uint32(index))
        case .array, .dictionary, .set: room < Self.roomOfContainer ? encodedOnBus : container(room: room)
        }
    }

    private func container(room: Int) -> BusValue {
        switch self {
        case .array(let items): return Self.list(items, room: room - 2)
        case .set(let items): return Word.set.with(Self.list(items.inOrder, room: room - 4))
        case .dictionary(let entries):
            if let texts = Self.texts(entries) {
                return .array(
                    of: .entry(.string, .variant),
                    texts.map { .entry(.string($0.key.text), .variant($0.value.bus(room: room - 3))) })
            }
            let pairs = entries.keys.inOrder.compactMap { key in
                entries[key].map {
                    BusValue.structure([.variant(key.bus(room: room - 5)), .variant($0.bus(room: room - 5))])
                }
            }
            return Word.dictionary.with(.array(of: .structure([.variant, .variant]), pairs))
        default: return bus(room: room)
        }
    }

    private static func list(_ items: [Value], room: Int) -> BusValue {
        .array(of: .variant, items.map { .variant($0.bus(room: room)) })
    }

    /// Ordered. Nil if a key is not a string, or contains a zero byte.
    private static func texts(_ entries: [Value: Value]) -> [(key: ExactText, value: Value)]? {
        var texts: [(key: ExactText, value: Value)] = []
        for (key, value) in entries {
            guard case .string(let text) = key, text.isFitForBus else { return nil }
            texts.append((text, value))
        }
        return texts.sorted { $0.key < $1.key }
    }

    /// Empty if it cannot be encoded; a decoded value can.
    private var encodedOnBus: BusValue { Word.encoded.with(.bytes((try? encoded()) ?? [])) }
}

extension ExactText {
    fileprivate var isFitForBus: Bool { !text.utf8.contains(0) }
}

extension Sequence<Value> {
    /// Deterministic.
    fileprivate var inOrder: [Value] {
        map { (bytes: (try? $0.encoded()) ?? [], value: $0) }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.value)
    }
}

extension Value {
    /// Throws `.malformed` for types that a `userInfo` cannot contain.
    package init(bus value: BusValue) throws(Failure) {
        switch value {
        case .boolean(let flag): self = .boolean(flag)
        case .byte, .int16, .uint16, .int32, .uint32, .int64: self = .signed(value.integer ?? 0)
        case .uint64(let number): self = .unsigned(number)
        case .double(let number): self = .double(number)
        case .string(let text), .objectPath(let text), .signature(let text): self = .string(text)
        case .variant(let inner): self = try Value(bus: inner)
        case .array(.entry, let entries): self = try Self.dictionary(entries)
        case .array(.byte, _): self = .bytes(value.bytes ?? [])
        case .array(_, let elements): self = .array(try Self.values(elements))
        case .structure(let members): self = try Self.tagged(members)
        case .descriptor: throw .noValue("a user-info cannot contain an open file; use a stream")
        case .entry: throw .noValue("an entry without a dictionary")
        }
    }

    private static func values(_ elements: [BusValue]) throws(Failure) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(elements.count)
        for element in elements { values.append(try Value(bus: element)) }
        return values
    }

    private static func dictionary(_ entries: [BusValue]) throws(Failure) -> Value {
        var values: [Value: Value] = [:]
        for entry in entries {
            guard case .entry(let key, let value) = entry else { throw .noValue("a dictionary must have entries") }
            try add(key, value, to: &values)
        }
        return .dictionary(values)
    }

    private static func add(
        _ key: BusValue, _ value: BusValue, to values: inout [Value: Value]
    ) throws(Failure) {
        let key = try Value(bus: key)
        // NaN differs from itself: each further NaN key would be compared with all earlier ones.
        guard !key.holdsNaN else { throw .noValue("a key that is not a number") }
        guard values.updateValue(try Value(bus: value), forKey: key) == nil else {
            throw .noValue("a dictionary has a key twice")
        }
    }

    private static func tagged(_ members: [BusValue]) throws(Failure) -> Value {
        guard members.count == 2, case .string(let name) = members[0], case .variant = members[1],
            let word = Word(rawValue: name)
        else { throw .noValue("a structure must be a name from docs/dbus.md and a variant") }
        let value = members[1].unwrapped
        switch (word, value) {
        case (.null, .string("")): return .null
        case (.date, .double(let seconds)): return .date(seconds)
        case (.url, .string(let text)): return .url(text)
        case (.uuid, .array(.byte, let bytes)) where bytes.count == 16: return .uuid(value.bytes ?? [])
        case (.set, .array(.variant, let elements)): return try set(elements)
        case (.dictionary, .array(.structure([.variant, .variant]), let pairs)):
            var values: [Value: Value] = [:]
            for case .structure(let pair) in pairs where pair.count == 2 { try add(pair[0], pair[1], to: &values) }
            return .dictionary(values)
        case (.encoded, .array(.byte, _)): return try decoded(value.bytes ?? [])
        default: throw .noValue("the value after \(word.rawValue) does not have the type in docs/dbus.md")
        }
    }

    private static func set(_ elements: [BusValue]) throws(Failure) -> Value {
        var values: Set<Value> = []
        for value in try Self.values(elements) {
            guard !value.holdsNaN else { throw .noValue("a member of a set that is not a number") }
            guard values.insert(value).inserted else { throw .noValue("a set has a member twice") }
        }
        return .set(values)
    }

    private static func decoded(_ bytes: [UInt8]) throws(Failure) -> Value {
        do throws(WireError) {
            let value = try Value(encoded: bytes)
            guard !value.holdsDocument else { throw WireError(.malformed, "only devices may name documents") }
            return value
        } catch {
            throw .noValue(error.reason)
        }
    }

    private var holdsDocument: Bool {
        switch self {
        case .document: true
        case .array(let items): items.contains(where: \.holdsDocument)
        case .set(let items): items.contains(where: \.holdsDocument)
        case .dictionary(let entries): entries.contains { $0.key.holdsDocument || $0.value.holdsDocument }
        default: false
        }
    }
}

extension Failure {
    fileprivate static func noValue(_ reason: String) -> Failure { Failure(.malformed, reason) }
}
