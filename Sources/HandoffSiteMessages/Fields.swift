// SPDX-License-Identifier: Apache-2.0

// A version, then the fields: big-endian numbers of four bytes, and bytes after their number. Protobuf would be a third
// of the fetching program.

/// The daemon may keep running during an update of the program.
private let version: UInt8 = 1

struct FieldWriter {
    private(set) var bytes: [UInt8] = [version]

    mutating func put(_ number: UInt32) {
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(shift))) }
    }

    mutating func put(_ list: [UInt8]) {
        put(UInt32(list.count))
        bytes += list
    }

    mutating func put(text: String) { put(Array(text.utf8)) }

    mutating func put(optional text: String?) {
        put(text == nil ? 0 : 1)
        if let text { put(text: text) }
    }
}

/// Reads return nil if the next field has a different form.
struct FieldReader {
    private let bytes: [UInt8]
    private var at = 1

    init?(_ bytes: [UInt8]) {
        guard bytes.first == version else { return nil }
        self.bytes = bytes
    }

    var isAtEnd: Bool { at == bytes.count }

    mutating func number() -> UInt32? {
        guard bytes.count - at >= 4 else { return nil }
        defer { at += 4 }
        return bytes[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func byteList() -> [UInt8]? {
        guard let count = number().map(Int.init), bytes.count - at >= count else { return nil }
        defer { at += count }
        return Array(bytes[at..<at + count])
    }

    mutating func text() -> String? { byteList().flatMap { String(validating: $0, as: UTF8.self) } }

    mutating func flag() -> Bool? {
        switch number() {
        case 0: false
        case 1: true
        default: nil
        }
    }

    /// `.some(nil)`: present without a value.
    mutating func optionalText() -> String?? {
        guard let isThere = flag() else { return nil }
        guard isThere else { return .some(nil) }
        return text().map { .some($0) }
    }
}
