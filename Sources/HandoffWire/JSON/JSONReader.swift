// SPDX-License-Identifier: Apache-2.0

/// RFC 8259, plus trailing commas and a nesting limit. See docs/decisions/0032.
package struct JSONReader {
    static let nesting = 64

    let bytes: [UInt8]
    private(set) var at = 0
    private var counted = (place: 0, lines: 1)

    /// Throws `.notUTF8`, `.notJSON` or `.nestingTooDeep`, with the line.
    package static func read(_ bytes: [UInt8]) throws(JSONSlip) -> JSONTree {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw JSONSlip(.notUTF8, "the file is not UTF-8")
        }
        var reader = JSONReader(bytes: bytes)
        let tree = try reader.value(depth: 0)
        reader.skipBlanks()
        guard reader.at == bytes.count else { throw reader.notJSON("the value is followed by more text") }
        return tree
    }

    init(bytes: [UInt8]) { self.bytes = bytes }

    var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    mutating func skipBlanks() {
        while let byte = next, Self.isBlank(byte) { at += 1 }
    }

    static func isBlank(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        default: false
        }
    }

    mutating func value(depth: Int) throws(JSONSlip) -> JSONTree {
        skipBlanks()
        guard let first = next else { throw notJSON("a value is missing at the end") }
        switch first {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try list(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw notJSON("a value must begin with { [ \" - 0-9 t f or n")
        }
    }

    private mutating func enter(_ depth: Int) throws(JSONSlip) {
        guard depth <= Self.nesting else {
            throw JSONSlip(
                .nestingTooDeep, "line \(line): more than \(Self.nesting) nested objects and lists")
        }
        at += 1
        skipBlanks()
    }

    private mutating func object(depth: Int) throws(JSONSlip) -> JSONTree {
        try enter(depth)
        var members: [JSONTree.Member] = []
        // From the ninth key on.
        var keys: Set<ExactText> = []
        var slip: String?
        // People often leave a trailing comma.
        while !take(UInt8(ascii: "}")) {
            guard next == UInt8(ascii: "\"") else { throw notJSON("a key of an object must be a string") }
            let start = at
            let key = ExactText(try string())
            if members.count < 8 ? members.contains(where: { $0.key == key }) : keys.contains(key), slip == nil {
                slip = "line \(line(before: start)): \"\(key)\" occurs twice"
            }
            skipBlanks()
            guard take(UInt8(ascii: ":")) else { throw notJSON("a colon is missing after a key") }
            members.append(JSONTree.Member(key: key, value: try value(depth: depth)))
            if members.count == 8 { keys = Set(members.map(\.key)) } else if members.count > 8 { keys.insert(key) }
            skipBlanks()
            guard next == UInt8(ascii: "}") || take(UInt8(ascii: ",")) else {
                throw notJSON("a comma or } is missing in an object")
            }
            skipBlanks()
        }
        return if let slip { .ambiguous(slip) } else { .object(members) }
    }

    private mutating func list(depth: Int) throws(JSONSlip) -> JSONTree {
        try enter(depth)
        var items: [JSONTree] = []
        while !take(UInt8(ascii: "]")) {
            items.append(try value(depth: depth))
            skipBlanks()
            guard next == UInt8(ascii: "]") || take(UInt8(ascii: ",")) else {
                throw notJSON("a comma or ] is missing in a list")
            }
            skipBlanks()
        }
        return .list(items)
    }

    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        at += 1
        return true
    }

    private mutating func word(_ word: String, _ tree: JSONTree) throws(JSONSlip) -> JSONTree {
        guard bytes[at...].starts(with: word.utf8) else { throw notJSON("a word that is not \(word)") }
        at += word.utf8.count
        return tree
    }

    private mutating func number() throws(JSONSlip) -> JSONTree {
        let start = at
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return .number(Int(String(decoding: bytes[start..<at], as: UTF8.self)))
    }

    private mutating func digits() throws(JSONSlip) {
        let start = at
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
        guard at > start else { throw notJSON("a digit is missing in a number") }
    }

    mutating func string() throws(JSONSlip) -> String {
        at += 1
        var text = try run()
        while bytes[at] == UInt8(ascii: "\\") {
            at += 1
            text.unicodeScalars.append(try escaped())
            text += try run()
        }
        at += 1
        return text
    }

    private mutating func run() throws(JSONSlip) -> String {
        let start = at
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                // Between ASCII characters, it is valid UTF-8.
                return bytes.withUnsafeBufferPointer { bytes in
                    String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<at]), as: UTF8.self)
                }
            case 0..<0x20: throw notJSON("a control character in a string")
            default: at += 1
            }
        }
        throw notJSON("a string does not end")
    }

    private mutating func escaped() throws(JSONSlip) -> Unicode.Scalar {
        guard let letter = next else { throw notJSON("a string does not end") }
        at += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw notJSON("an escape that JSON does not have")
        }
        let first = try fourDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw notJSON("half of a surrogate pair")
        }
        let second = try fourDigits()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw notJSON("half of a surrogate pair") }
        return scalar
    }

    private mutating func fourDigits() throws(JSONSlip) -> UInt32 {
        guard at + 4 <= bytes.count,
            let digits = String(validating: bytes[at..<at + 4], as: UTF8.self),
            digits.utf8.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
            let number = UInt32(digits, radix: 16)
        else { throw notJSON("\\u without four hexadecimal digits") }
        at += 4
        return number
    }

    private var line: Int { 1 + bytes[..<at].count(where: { $0 == UInt8(ascii: "\n") }) }

    /// From the last place: a file may have ten thousand duplicate keys.
    private mutating func line(before place: Int) -> Int {
        counted.lines += bytes[counted.place..<place].count(where: { $0 == UInt8(ascii: "\n") })
        counted.place = place
        return counted.lines
    }

    func notJSON(_ reason: String) -> JSONSlip {
        JSONSlip(.notJSON, "the file is not JSON, line \(line): \(reason)")
    }
}
