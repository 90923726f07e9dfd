// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffWire

// Converts `userInfo` to values and back. Numbers keep their kind and return as NSNumber, which casts to every fitting
// Swift type; keys and set members return as Swift types, for `userInfo["key"]` and `set.contains(1)`.

extension [Value: Value] {
    init(foundation dictionary: [AnyHashable: Any]) throws(NSUserActivity.InvalidValueError) {
        self = try Value.entries(of: dictionary, depth: 0)
    }

    var foundation: [AnyHashable: Any] {
        var dictionary: [AnyHashable: Any] = [:]
        for (key, value) in self { dictionary[key.hashable] = value.foundation }
        return dictionary
    }

    /// Replaces a key that is equal in Swift.
    mutating func add(_ added: Self) {
        if !(keys.allSatisfy(\.isPlainText) && added.keys.allSatisfy(\.isPlainText)) {
            let new = Set(added.keys.map(\.hashable))
            self = filter { !new.contains($0.key.hashable) }
        }
        merge(added) { $1 }
    }
}

extension Value {
    /// Whether keys or members are equal in Swift, such as 1 and 1.0, or é in its two encodings; `foundation` keeps one
    /// of them. Another language's program may send them.
    var holdsEqualsOfSwift: Bool {
        switch self {
        case .array(let items): items.contains(where: \.holdsEqualsOfSwift)
        case .set(let items): Self.areAlike(items) || items.contains(where: \.holdsEqualsOfSwift)
        case .dictionary(let entries):
            Self.areAlike(entries.keys)
                || entries.contains { $0.key.holdsEqualsOfSwift || $0.value.holdsEqualsOfSwift }
        case .null, .boolean, .signed, .unsigned, .double, .string, .bytes, .date, .url, .uuid, .document: false
        }
    }

    private static func areAlike(_ values: some Collection<Value>) -> Bool {
        !values.allSatisfy(\.isPlainText) && Set(values.map(\.hashable)).count < values.count
    }

    /// ASCII, which has one encoding.
    fileprivate var isPlainText: Bool {
        if case .string(let text) = self { text.text.utf8.allSatisfy { $0 < 0x80 } } else { false }
    }
}

extension Value {
    private init(foundation object: Any, depth: Int) throws(NSUserActivity.InvalidValueError) {
        if let value = try Self.plain(object, depth: depth) ?? Self.leaf(object) {
            self = value
            return
        }
        if let container = FoundationContainer(object) { try container.check(depth: depth) }
        if let set = object as? Set<AnyHashable> {
            try Self.check(depth)
            var members: Set<Value> = []
            for member in set {
                members.insert(try Self.distinct(member.base, depth: depth + 1))
            }
            self = .set(members)
        } else if let dictionary = object as? [AnyHashable: Any] {
            self = .dictionary(try Self.entries(of: dictionary, depth: depth))
        } else if let array = object as? [Any] {
            try Self.check(depth)
            var items: [Value] = []
            for item in array { items.append(try Value(foundation: item, depth: depth + 1)) }
            self = .array(items)
        } else {
            throw NSUserActivity.InvalidValueError(
                .typeNotAllowed, "NSUserActivity.userInfo cannot hold an object of type \(type(of: object)).")
        }
    }

    fileprivate static func entries(
        of dictionary: [AnyHashable: Any], depth: Int
    ) throws(NSUserActivity.InvalidValueError) -> [Value: Value] {
        try check(depth)
        var entries: [Value: Value] = [:]
        for (key, value) in dictionary {
            entries[try distinct(key.base, depth: depth + 1)] = try Value(foundation: value, depth: depth + 1)
        }
        return entries
    }

    private static func distinct(_ object: Any, depth: Int) throws(NSUserActivity.InvalidValueError) -> Value {
        if type(of: object) == String.self, let text = object as? String { return .string(text) }
        let value = try Value(foundation: object, depth: depth)
        guard !value.holdsNaN else {
            throw NSUserActivity.InvalidValueError(
                .keyNotEqualToItself, "NSUserActivity.userInfo cannot hold a NaN as a key or as a member of a set.")
        }
        return value
    }

    static func check(_ depth: Int) throws(NSUserActivity.InvalidValueError) {
        guard depth < Limits.valueNesting else {
            throw NSUserActivity.InvalidValueError(
                .nestedTooDeep, "NSUserActivity.userInfo nests at most \(Limits.valueNesting) containers.")
        }
    }

    /// The most common exact types, because each cast for the others costs more.
    private static func plain(_ object: Any, depth: Int) throws(NSUserActivity.InvalidValueError) -> Value? {
        func the<Type>(_: Type.Type) -> Type { object as! Type }
        let type = type(of: object)
        if type == String.self { return .string(the(String.self)) }
        if type == Int.self { return .signed(Int64(the(Int.self))) }
        if type == Bool.self { return .boolean(the(Bool.self)) }
        if type == Double.self { return .double(the(Double.self)) }
        if type == Date.self { return .date(the(Date.self).timeIntervalSinceReferenceDate) }
        if type == [Int].self {
            try check(depth)
            return .array(the([Int].self).map { .signed(Int64($0)) })
        }
        if type == [String].self {
            try check(depth)
            return .array(the([String].self).map { .string($0) })
        }
        if type == [Any].self {
            try check(depth)
            var items: [Value] = []
            for item in the([Any].self) { items.append(try Value(foundation: item, depth: depth + 1)) }
            return .array(items)
        }
        if type == [String: Any].self {
            try check(depth)
            var entries: [Value: Value] = [:]
            for (key, value) in the([String: Any].self) {
                entries[.string(key)] = try Value(foundation: value, depth: depth + 1)
            }
            return .dictionary(entries)
        }
        return nil
    }

    private static func leaf(_ object: Any) -> Value? {
        // Swift's numbers first: NSNumber would lose that a UInt64 was unsigned.
        switch object {
        case let number as NSNumber where type(of: object) is NSNumber.Type: .number(number)
        case let value as any FixedWidthInteger where !(type(of: object) is NSNumber.Type): integer(value)
        case let value as any BinaryFloatingPoint: .double(Double(value))
        case is NSNull: .null
        case let number as NSNumber: .number(number)
        case let text as String: .string(text)
        case let text as NSString: .string(text as String)
        case let data as Data: .bytes(Array(data))
        case let date as Date: .date(date.timeIntervalSinceReferenceDate)
        case let url as URL: .url(url.absoluteString)
        case let uuid as UUID: .uuid(withUnsafeBytes(of: uuid.uuid) { Array($0) })
        // Last: casts also look inside an optional with a value.
        case let optional as any OptionalValue where optional.isNil: .null
        default: nil
        }
    }

    private static func integer(_ value: some FixedWidthInteger) -> Value? {
        type(of: value).isSigned
            ? Int64(exactly: value).map { .signed($0) } : UInt64(exactly: value).map { .unsigned($0) }
    }

    static func number(_ number: NSNumber) -> Value {
        switch UInt8(bitPattern: number.objCType.pointee) {
        // Foundation on Linux has no other numbers of these types.
        case UInt8(ascii: "c"), UInt8(ascii: "B"): .boolean(number.boolValue)
        case UInt8(ascii: "Q"), UInt8(ascii: "L"), UInt8(ascii: "I"), UInt8(ascii: "S"), UInt8(ascii: "C"):
            .unsigned(number.uint64Value)
        case UInt8(ascii: "d"), UInt8(ascii: "f"): .double(number.doubleValue)
        default: .signed(number.int64Value)
        }
    }

    fileprivate var foundation: Any {
        switch self {
        case .null: NSNull()
        case .boolean(let value): NSNumber(value: value)
        case .signed(let value): NSNumber(value: value)
        case .unsigned(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .string(let text): text.text
        case .bytes(let bytes): Data(bytes)
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .url(let text): URL(string: text.text) ?? text.text
        case .uuid(let bytes): UUID(bytes: bytes)
        // The daemon replaces it with a URL.
        case .document: NSNull()
        case .array(let items): items.map(\.foundation)
        case .dictionary(let entries): entries.foundation
        case .set(let members): Set(members.map(\.hashable))
        }
    }

    fileprivate var hashable: AnyHashable {
        switch self {
        case .null: NSNull()
        case .boolean(let value): value
        case .signed(let value): Int(value)
        case .unsigned(let value): UInt(value)
        case .double(let value): value
        case .string(let text): text.text
        case .bytes(let bytes): Data(bytes)
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .url(let text): URL(string: text.text).map { AnyHashable($0) } ?? AnyHashable(text.text)
        case .uuid(let bytes): UUID(bytes: bytes)
        case .document: NSNull()
        case .array(let items): items.map(\.hashable)
        case .dictionary(let entries):
            Dictionary(entries.map { ($0.key.hashable, $0.value.hashable) }, uniquingKeysWith: { first, _ in first })
        case .set(let members): Set(members.map(\.hashable))
        }
    }
}

/// Matches optionals that Objective-C bridging converts to NSNull.
private protocol OptionalValue {
    var isNil: Bool { get }
}

extension Optional: OptionalValue {
    /// Also true for a nested nil optional.
    fileprivate var isNil: Bool {
        switch self {
        case .none: true
        case .some(let wrapped as any OptionalValue): wrapped.isNil
        case .some: false
        }
    }
}

extension UUID {
    /// 16 bytes.
    init(bytes: [UInt8]) {
        var uuid = UUID_NULL
        withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes.prefix(16)) }
        self.init(uuid: uuid)
    }
}

private let UUID_NULL: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
