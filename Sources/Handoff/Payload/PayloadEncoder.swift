// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffWire

struct PayloadEncoder: Encoder {
    let slot: Slot
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]

    /// Throws if the payload has no keys or contains values that a `userInfo` does not support.
    static func entries(of payload: some Encodable) throws -> [Value: Value] {
        let slot = Slot()
        try slot.encode(payload, at: [])
        guard case .entries? = slot.content, case .dictionary(let entries) = try slot.value(at: []) else {
            throw EncodingError.invalidValue(
                payload, .init(codingPath: [], debugDescription: "A payload must be encoded with keys."))
        }
        return entries
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        slot.hold(.entries([:]))
        return KeyedEncodingContainer(KeyedPayload<Key>(slot: slot, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        slot.hold(.items([]))
        return ListPayload(slot: slot, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SinglePayload(slot: slot, codingPath: codingPath)
    }
}

extension PayloadEncoder {
    /// A class, because a container may be filled after its encoder has continued.
    final class Slot {
        enum Content {
            case value(Value)
            case entries([String: Slot])
            case items([Slot])
        }

        private(set) var content: Content?
        /// A programming error that containers cannot throw.
        private var isMixed = false

        func hold(_ container: Content) {
            switch (content, container) {
            case (nil, _): content = container
            case (.entries, .entries), (.items, .items): break
            default: isMixed = true
            }
        }

        func set(_ value: Value) {
            if content != nil { isMixed = true }
            content = .value(value)
        }

        func add(_ key: String) -> Slot {
            let slot = Slot()
            guard case .entries(var entries) = content else { return slot }
            // Makes the dictionary uniquely referenced, so that it grows in place.
            content = nil
            entries[key] = slot
            content = .entries(entries)
            return slot
        }

        func append() -> Slot {
            let slot = Slot()
            guard case .items(var items) = content else { return slot }
            content = nil
            items.append(slot)
            content = .items(items)
            return slot
        }

        var count: Int {
            if case .items(let items)? = content { items.count } else { 0 }
        }

        func encode(_ value: some Encodable, at path: [any CodingKey]) throws {
            switch value {
            case let date as Date: set(.date(date.timeIntervalSinceReferenceDate))
            case let data as Data: set(.bytes(Array(data)))
            case let url as URL: set(.url(url.absoluteString))
            case let uuid as UUID: set(.uuid(withUnsafeBytes(of: uuid.uuid) { Array($0) }))
            default:
                // An object encoded within itself would not terminate.
                guard path.count <= Limits.valueNesting else {
                    throw EncodingError.invalidValue(
                        value,
                        .init(
                            codingPath: path, debugDescription: "Values nest deeper than \(Limits.valueNesting) levels."
                        ))
                }
                try value.encode(to: PayloadEncoder(slot: self, codingPath: path))
            }
        }

        func value(at path: [any CodingKey]) throws -> Value {
            if case .value(let value)? = content, !isMixed { return value }
            guard !isMixed, path.count < Limits.valueNesting else {
                throw EncodingError.invalidValue(
                    self,
                    .init(codingPath: path, debugDescription: "The value was encoded twice, or is nested too deep."))
            }
            switch content {
            case .entries(let entries)?:
                var values: [Value: Value] = [:]
                for (key, slot) in entries { values[.string(key)] = try slot.value(at: path + [PayloadKey(key)]) }
                return .dictionary(values)
            case .items(let items)?:
                return .array(try items.enumerated().map { try $1.value(at: path + [PayloadKey($0)]) })
            // A type without properties; single values are handled above.
            case nil, .value?:
                return .dictionary([:])
            }
        }
    }
}

struct PayloadKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    static let parent = PayloadKey("super")

    init(_ text: String) {
        stringValue = text
        intValue = nil
    }

    init(_ index: Int) {
        stringValue = "\(index)"
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(intValue) }
}
