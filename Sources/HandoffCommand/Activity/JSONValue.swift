// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import HandoffWire

/// From JSON, whole numbers become signed integers (unsigned above their range), others doubles. To JSON, bytes become
/// base 64, dates ISO 8601, URLs and UUIDs text, sets arrays, and keys text.
struct JSONValue: Codable {
    let value: Value

    init(_ value: Value) { self.value = value }

    init(userInfo text: String) throws(CommandFailure) {
        if let tree = try? JSONReader.read(Array(text.utf8)), let reason = tree.lostKeys {
            throw .usage("the user info cannot be used: \(reason)")
        }
        let parsed: JSONValue
        do {
            parsed = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        } catch {
            throw .usage("the user info is not JSON")
        }
        guard case .dictionary = parsed.value else {
            throw .usage("the user info must be a JSON object, such as {\"key\": \"value\"}, not \(parsed.kind)")
        }
        self = parsed
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = .null
        } else if let boolean = try? container.decode(Bool.self) {
            value = .boolean(boolean)
        } else if let number = try? container.decode(Int64.self) {
            value = .signed(number)
        } else if let number = try? container.decode(UInt64.self) {
            value = .unsigned(number)
        } else if let number = try? container.decode(Double.self) {
            value = .double(number)
        } else if let string = try? container.decode(String.self) {
            value = .string(string)
        } else if let items = try? container.decode([JSONValue].self) {
            value = .array(items.map(\.value))
        } else {
            var entries: [Value: Value] = [:]
            for (key, member) in try container.decode([String: JSONValue].self) { entries[.string(key)] = member.value }
            value = .dictionary(entries)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .null: try container.encodeNil()
        case .boolean(let boolean): try container.encode(boolean)
        case .signed(let number): try container.encode(number)
        case .unsigned(let number): try container.encode(number)
        case .double(let number): try container.encode(number)
        case .array(let items): try container.encode(items.map(JSONValue.init))
        case .set(let items): try container.encode(items.map(JSONValue.init).sorted { $0.text < $1.text })
        case .dictionary(let entries):
            let members = entries.map { (JSONValue($0).text, JSONValue($1)) }
            try container.encode(Dictionary(members) { first, _ in first })
        case .string, .bytes, .date, .url, .uuid, .document: try container.encode(text)
        }
    }

    /// Two keys, at any depth, with the same text, such as 7 and "7": only one would be shown.
    var sameKeys: String? {
        switch value {
        case .array(let items): return items.lazy.compactMap { JSONValue($0).sameKeys }.first
        case .set(let items): return items.lazy.compactMap { JSONValue($0).sameKeys }.first
        case .dictionary(let entries):
            var names: Set<String> = []
            for key in entries.keys where !names.insert(JSONValue(key).text).inserted { return JSONValue(key).text }
            return entries.values.lazy.compactMap { JSONValue($0).sameKeys }.first
        default: return nil
        }
    }

    private var kind: String {
        switch value {
        case .null: "null"
        case .boolean: "a boolean"
        case .signed, .unsigned, .double: "a number"
        case .array, .set: "an array"
        case .dictionary: "an object"
        case .string, .bytes, .date, .url, .uuid, .document: "a string"
        }
    }

    private var text: String {
        switch value {
        case .null: "null"
        case .boolean(let boolean): "\(boolean)"
        case .signed(let number): "\(number)"
        case .unsigned(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let string): string.text
        case .bytes(let bytes): Data(bytes).base64EncodedString()
        case .date(let seconds): Self.iso8601(seconds)
        case .url(let url): url.text
        case .uuid(let bytes): Self.uuid(bytes)
        case .document(let index): "document \(index)"
        case .array(let items): items.map { JSONValue($0).text }.joined(separator: ",")
        case .set(let items): items.map { JSONValue($0).text }.sorted().joined(separator: ",")
        case .dictionary(let entries):
            entries.map { "\(JSONValue($0).text)=\(JSONValue($1).text)" }.sorted().joined(separator: ",")
        }
    }

    /// Another device's date may be outside the calendar.
    private static func iso8601(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 100_000_000_000 else { return "\(seconds)" }
        return Date(timeIntervalSinceReferenceDate: seconds)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func uuid(_ bytes: [UInt8]) -> String {
        let digits = bytes.hexadecimal.uppercased()
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text += "-" }
            text.append(digit)
        }
        return text
    }
}

extension JSONTree {
    /// Foundation's decoder keeps only one of two members whose keys are equal to Swift.
    fileprivate var lostKeys: String? {
        switch self {
        case .ambiguous(let reason): return reason
        case .list(let items): return items.lazy.compactMap(\.lostKeys).first
        case .object(let members):
            var known: [String: ExactText] = [:]
            for member in members {
                if let other = known.updateValue(member.key, forKey: member.key.text) {
                    let (one, two) = (other.text.debugDescription, member.key.text.debugDescription)
                    return "the keys \(one) and \(two) differ only in spelling"
                }
            }
            return members.lazy.compactMap(\.value.lostKeys).first
        case .null, .boolean, .number, .string: return nil
        }
    }
}
