// SPDX-License-Identifier: Apache-2.0

/// `description` is the canonical text; `short` is for logs.
package protocol FixedBytesIdentifier: Hashable, Sendable, Comparable, CustomStringConvertible {
    static var byteCount: Int { get }
    /// For errors: "device id".
    static var noun: String { get }
    var bytes: [UInt8] { get }
    /// `bytes.count` must be `byteCount`.
    init(uncheckedBytes bytes: [UInt8])
}

extension FixedBytesIdentifier {
    package init(bytes: some Collection<UInt8>) throws(WireError) {
        guard bytes.count == Self.byteCount else {
            throw WireError(.badIdentifier, "\(Self.noun) has \(bytes.count) bytes, not \(Self.byteCount)")
        }
        self.init(uncheckedBytes: Array(bytes))
    }

    package static func random(using generator: inout some RandomNumberGenerator) -> Self {
        var bytes: [UInt8] = []
        // Eight at a time: each call may be a system call.
        while bytes.count < byteCount {
            withUnsafeBytes(of: generator.next() as UInt64) { bytes += $0.prefix(byteCount - bytes.count) }
        }
        return Self(uncheckedBytes: bytes)
    }

    /// In one call: the compiler's own code makes a call for each byte.
    package func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }

    package static func < (left: Self, right: Self) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    package var hex: String { bytes.hexadecimal }

    package init(hex text: String) throws(WireError) {
        guard let bytes = [UInt8](hexadecimal: text) else {
            throw WireError(.badIdentifier, "\(Self.noun) is not hexadecimal")
        }
        try self.init(bytes: bytes)
    }

    package var description: String { hex }
    package var short: String { String(description.prefix(8)) }
}

extension Sequence<UInt8> {
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in self {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension [UInt8] {
    package init?(hexadecimal text: String) {
        let digits = text.utf8.map { digit -> UInt8? in
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
            default: nil
            }
        }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0]! << 4 | digits[$0 + 1]! }
    }
}
