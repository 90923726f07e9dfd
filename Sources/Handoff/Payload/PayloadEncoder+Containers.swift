// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

struct KeyedPayload<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let slot: PayloadEncoder.Slot
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) { add(key).set(.null) }
    func encode(_ value: Bool, forKey key: Key) { add(key).set(.boolean(value)) }
    func encode(_ value: String, forKey key: Key) { add(key).set(.string(value)) }
    func encode(_ value: Double, forKey key: Key) { add(key).set(.double(value)) }
    func encode(_ value: Float, forKey key: Key) { add(key).set(.double(Double(value))) }
    func encode(_ value: Int, forKey key: Key) { add(key).set(.signed(Int64(value))) }
    func encode(_ value: Int8, forKey key: Key) { add(key).set(.signed(Int64(value))) }
    func encode(_ value: Int16, forKey key: Key) { add(key).set(.signed(Int64(value))) }
    func encode(_ value: Int32, forKey key: Key) { add(key).set(.signed(Int64(value))) }
    func encode(_ value: Int64, forKey key: Key) { add(key).set(.signed(Int64(value))) }
    func encode(_ value: UInt, forKey key: Key) { add(key).set(.unsigned(UInt64(value))) }
    func encode(_ value: UInt8, forKey key: Key) { add(key).set(.unsigned(UInt64(value))) }
    func encode(_ value: UInt16, forKey key: Key) { add(key).set(.unsigned(UInt64(value))) }
    func encode(_ value: UInt32, forKey key: Key) { add(key).set(.unsigned(UInt64(value))) }
    func encode(_ value: UInt64, forKey key: Key) { add(key).set(.unsigned(UInt64(value))) }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        try add(key).encode(value, at: codingPath + [key])
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        PayloadEncoder(slot: add(key), codingPath: codingPath + [key]).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        PayloadEncoder(slot: add(key), codingPath: codingPath + [key]).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        PayloadEncoder(
            slot: slot.add(PayloadKey.parent.stringValue), codingPath: codingPath + [PayloadKey.parent])
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        PayloadEncoder(slot: add(key), codingPath: codingPath + [key])
    }

    private func add(_ key: Key) -> PayloadEncoder.Slot { slot.add(key.stringValue) }
}

struct ListPayload: UnkeyedEncodingContainer {
    let slot: PayloadEncoder.Slot
    let codingPath: [any CodingKey]

    var count: Int { slot.count }

    func encodeNil() { slot.append().set(.null) }
    func encode(_ value: Bool) { slot.append().set(.boolean(value)) }
    func encode(_ value: String) { slot.append().set(.string(value)) }
    func encode(_ value: Double) { slot.append().set(.double(value)) }
    func encode(_ value: Float) { slot.append().set(.double(Double(value))) }
    func encode(_ value: Int) { slot.append().set(.signed(Int64(value))) }
    func encode(_ value: Int8) { slot.append().set(.signed(Int64(value))) }
    func encode(_ value: Int16) { slot.append().set(.signed(Int64(value))) }
    func encode(_ value: Int32) { slot.append().set(.signed(Int64(value))) }
    func encode(_ value: Int64) { slot.append().set(.signed(Int64(value))) }
    func encode(_ value: UInt) { slot.append().set(.unsigned(UInt64(value))) }
    func encode(_ value: UInt8) { slot.append().set(.unsigned(UInt64(value))) }
    func encode(_ value: UInt16) { slot.append().set(.unsigned(UInt64(value))) }
    func encode(_ value: UInt32) { slot.append().set(.unsigned(UInt64(value))) }
    func encode(_ value: UInt64) { slot.append().set(.unsigned(UInt64(value))) }

    func encode(_ value: some Encodable) throws {
        let path = codingPath + [PayloadKey(count)]
        try slot.append().encode(value, at: path)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        next().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }

    func superEncoder() -> any Encoder { next() }

    private func next() -> PayloadEncoder {
        let path = codingPath + [PayloadKey(count)]
        return PayloadEncoder(slot: slot.append(), codingPath: path)
    }
}

struct SinglePayload: SingleValueEncodingContainer {
    let slot: PayloadEncoder.Slot
    let codingPath: [any CodingKey]

    func encodeNil() { slot.set(.null) }
    func encode(_ value: Bool) { slot.set(.boolean(value)) }
    func encode(_ value: String) { slot.set(.string(value)) }
    func encode(_ value: Double) { slot.set(.double(value)) }
    func encode(_ value: Float) { slot.set(.double(Double(value))) }
    func encode(_ value: Int) { slot.set(.signed(Int64(value))) }
    func encode(_ value: Int8) { slot.set(.signed(Int64(value))) }
    func encode(_ value: Int16) { slot.set(.signed(Int64(value))) }
    func encode(_ value: Int32) { slot.set(.signed(Int64(value))) }
    func encode(_ value: Int64) { slot.set(.signed(Int64(value))) }
    func encode(_ value: UInt) { slot.set(.unsigned(UInt64(value))) }
    func encode(_ value: UInt8) { slot.set(.unsigned(UInt64(value))) }
    func encode(_ value: UInt16) { slot.set(.unsigned(UInt64(value))) }
    func encode(_ value: UInt32) { slot.set(.unsigned(UInt64(value))) }
    func encode(_ value: UInt64) { slot.set(.unsigned(UInt64(value))) }

    func encode(_ value: some Encodable) throws { try slot.encode(value, at: codingPath + [PayloadKey("value")]) }
}
