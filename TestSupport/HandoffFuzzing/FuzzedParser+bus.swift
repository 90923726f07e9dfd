// SPDX-License-Identifier: Apache-2.0

import HandoffBus
internal import HandoffClient
internal import HandoffDesktop
internal import HandoffWire

extension FuzzedParser {
    /// Values from programs on the user's bus.
    static let bus = [busValue, busUserInfo, busActivity]

    /// Any value of a message, read as part of a `userInfo`.
    private static let busValue = FuzzedParser("bus-value") { bytes in
        var source = BusValueSource(bytes)
        return try roundTrip(source.value(depth: 0), parse: { try Value(bus: $0) }, write: \.bus)
    }

    /// Any `userInfo`, on the bus and back.
    private static let busUserInfo = FuzzedParser("bus-user-info") { bytes in
        guard let value = try? Value(encoded: bytes), !value.namesDocuments else { return .refused }
        guard let again = try? Value(bus: value.bus) else {
            throw BrokenPromise("\(value) cannot be read from the bus")
        }
        try promise(isSame(value, again, anew: try Value(encoded: bytes)), "\(value) was read from the bus as \(again)")
        return .taken
    }

    /// The properties of an activity. Accepted properties must be reported in the same form.
    private static let busActivity = FuzzedParser("bus-activity") { bytes in
        var source = BusValueSource(bytes)
        let id = ActivityID(uncheckedBytes: [UInt8](repeating: 1, count: ActivityID.byteCount))
        var properties = ["type": BusValue.string("com.example.fuzzed")]
        for _ in 0..<source.count(below: 8) { properties[source.property] = source.value(depth: 0) }
        guard let offered = try? OfferedActivity(id, properties) else { return .refused }
        let told = try OfferedActivity.properties(of: offered.state).properties ?? [:]
        let again = try OfferedActivity(id, told)
        try promise(
            isSame(offered.state, again.state, anew: try OfferedActivity(id, properties).state),
            "\(offered.state) was read back as \(again.state)")
        return .taken
    }
}

extension Value {
    /// Programs neither send nor get these.
    fileprivate var namesDocuments: Bool {
        switch self {
        case .document: true
        case .array(let items): items.contains(where: \.namesDocuments)
        case .set(let items): items.contains(where: \.namesDocuments)
        case .dictionary(let entries): entries.contains { $0.key.namesDocuments || $0.value.namesDocuments }
        default: false
        }
    }
}

/// Builds D-Bus values from bytes, which select the types.
struct BusValueSource {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    private mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }
    mutating func count(below limit: Int) -> Int { Int(byte()) % limit }

    private mutating func number() -> UInt64 { (0..<8).reduce(0) { number, _ in number << 8 | UInt64(byte()) } }

    private mutating func text() -> String {
        let count = Int(byte() % 16)
        defer { rest = rest.dropFirst(count) }
        // A string on the bus has no zero byte.
        return String(decoding: rest.prefix(count).filter { $0 != 0 }, as: UTF8.self)
    }

    private static let words = ["null", "date", "url", "uuid", "set", "dictionary", "encoded", "document", "other"]
    private static let properties = [
        "title", "user-info", "content-attributes", "web-page-url", "referrer-url", "expires",
        "target-content-identifier", "persistent-identifier", "keywords", "required-keys", "supports-streams",
        "eligible-for-search", "needs-save", "type", "other",
    ]

    var property: String { mutating get { Self.properties[count(below: Self.properties.count)] } }

    mutating func value(depth: Int) -> BusValue {
        let isDeep = depth >= 12
        switch byte() % (isDeep ? 11 : 19) {
        case 0: return .byte(byte())
        case 1: return .boolean(byte() & 1 == 1)
        case 2: return .int16(Int16(truncatingIfNeeded: number()))
        case 3: return .uint16(UInt16(truncatingIfNeeded: number()))
        case 4: return .int32(Int32(truncatingIfNeeded: number()))
        case 5: return .uint32(UInt32(truncatingIfNeeded: number()))
        case 6: return .int64(Int64(bitPattern: number()))
        case 7: return .uint64(number())
        case 8: return .double(Double(bitPattern: number()))
        case 9: return .string(text())
        case 10:
            let count = Int(byte() % 32)
            defer { rest = rest.dropFirst(count) }
            return .bytes(Array(rest.prefix(count)))
        case 11: return .variant(value(depth: depth + 1))
        case 12: return .strings((0..<count(below: 4)).map { _ in text() })
        case 13: return .array(of: .variant, (0..<count(below: 4)).map { _ in .variant(value(depth: depth + 1)) })
        case 14:
            let entries = (0..<count(below: 4)).map { _ in
                BusValue.entry(.string(text()), .variant(value(depth: depth + 1)))
            }
            return .array(of: .entry(.string, .variant), entries)
        case 15: return .array(of: .entry(.uint32, .string), [.entry(.uint32(UInt32(byte())), .string(text()))])
        case 16: return .structure((0...count(below: 3)).map { _ in value(depth: depth + 1) })
        case 17:
            let pairs = (0..<count(below: 3)).map { _ in
                BusValue.structure([.variant(value(depth: depth + 1)), .variant(value(depth: depth + 1))])
            }
            return .structure([
                .string("dictionary"), .variant(.array(of: .structure([.variant, .variant]), pairs)),
            ])
        default:
            return .structure([
                .string(Self.words[count(below: Self.words.count)]), .variant(value(depth: depth + 1)),
            ])
        }
    }
}
