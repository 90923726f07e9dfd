// SPDX-License-Identifier: Apache-2.0

/// Changing a member keeps the rest byte for byte.
package struct JSONObjectText: Sendable {
    package private(set) var bytes: [UInt8]
    private var members: [Place] = []
    /// After the opening brace.
    private var start = 0

    private struct Place {
        let key: ExactText
        /// From the key's quotation mark to the end of the value.
        let range: Range<Int>
        let valueStart: Int
        /// After the comma that follows, or else the value.
        let end: Int

        var hasComma: Bool { end > range.upperBound }
    }

    package static let empty = JSONObjectText(bytes: Array("{\n}\n".utf8), members: [], start: 1)

    private init(bytes: [UInt8], members: [Place], start: Int) {
        self.bytes = bytes
        self.members = members
        self.start = start
    }

    /// Nil if it is not an object, or has a duplicate key.
    package init?(_ bytes: [UInt8]) throws(JSONSlip) {
        guard case .object = try JSONReader.read(bytes) else { return nil }
        self.bytes = bytes
        (start, members) = try Self.places(in: bytes)
    }

    private static func places(in bytes: [UInt8]) throws(JSONSlip) -> (start: Int, members: [Place]) {
        var reader = JSONReader(bytes: bytes)
        reader.skipBlanks()
        guard reader.take(UInt8(ascii: "{")) else { throw reader.notJSON("it is not an object") }
        let start = reader.at
        var members: [Place] = []
        reader.skipBlanks()
        while !reader.take(UInt8(ascii: "}")) {
            let first = reader.at
            let key = ExactText(try reader.string())
            reader.skipBlanks()
            _ = reader.take(UInt8(ascii: ":"))
            reader.skipBlanks()
            let valueStart = reader.at
            _ = try reader.value(depth: 1)
            let last = reader.at
            reader.skipBlanks()
            let end = reader.take(UInt8(ascii: ",")) ? reader.at : last
            members.append(Place(key: key, range: first..<last, valueStart: valueStart, end: end))
            reader.skipBlanks()
        }
        return (start, members)
    }

    package var keys: [String] { members.map(\.key.text) }

    package func value(of key: String) -> JSONTree? { members.first { $0.key == ExactText(key) }.flatMap(value) }

    package var values: [(key: String, value: JSONTree)] {
        members.compactMap { member in value(of: member).map { (member.key.text, $0) } }
    }

    private func value(of member: Place) -> JSONTree? {
        try? JSONReader.read(Array(bytes[member.valueStart..<member.range.upperBound]))
    }

    package mutating func set(_ key: String, to value: JSONTree) {
        if let member = members.first(where: { $0.key == ExactText(key) }) {
            replace(member.valueStart..<member.range.upperBound, with: value.text)
        } else if let last = members.last {
            let blanks = bytes[(members.dropLast().last?.end ?? start)..<last.range.lowerBound]
            let member = "\(String(decoding: blanks, as: UTF8.self))\(Self.text(key, value))"
            replace(last.end..<last.end, with: last.hasComma ? member : "," + member)
        } else {
            let blanks = bytes[start...].prefix { JSONReader.isBlank($0) }
            replace(start..<(start + blanks.count), with: "\n  \(Self.text(key, value))\n")
        }
    }

    package mutating func remove(_ key: String) {
        guard let index = members.firstIndex(where: { $0.key == ExactText(key) }) else { return }
        let member = members[index]
        if index + 1 < members.count {
            replace(member.range.lowerBound..<members[index + 1].range.lowerBound, with: "")
        } else if index > 0 {
            replace(members[index - 1].range.upperBound..<member.end, with: "")
        } else {
            replace(start..<member.end, with: "")
        }
    }

    private mutating func replace(_ range: Range<Int>, with text: String) {
        bytes.replaceSubrange(range, with: text.utf8)
        // Still valid JSON.
        if let (start, members) = try? Self.places(in: bytes) { (self.start, self.members) = (start, members) }
    }

    private static func text(_ key: String, _ value: JSONTree) -> String {
        "\(JSONTree.string(key).text): \(value.text)"
    }
}

extension JSONTree {
    /// On one line. Numbers and ambiguous objects become null.
    package var text: String {
        switch self {
        case .null, .number, .ambiguous: "null"
        case .boolean(let flag): flag ? "true" : "false"
        case .string(let text): "\"\(text.unicodeScalars.map(Self.escaped).joined())\""
        case .list(let items): "[\(items.map(\.text).joined(separator: ", "))]"
        case .object(let members):
            "{\(members.map { "\(Self.string($0.key.text).text): \($0.value.text)" }.joined(separator: ", "))}"
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": return "\\\""
        case "\\": return "\\\\"
        case "\n": return "\\n"
        case _ where scalar.value < 0x20 || scalar.value == 0x7F:
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: return String(scalar)
        }
    }
}
