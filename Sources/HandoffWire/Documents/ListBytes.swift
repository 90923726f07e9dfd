// SPDX-License-Identifier: Apache-2.0

/// Undecoded, because small fields could take far more memory than their bytes.
struct ListBytes {
    struct Field {
        var number: Int
        /// Bytes.
        var length: Int
    }

    let bytes: [UInt8]

    /// Throws `.tooLarge` above `Limits.documentListBytes`.
    init(_ bytes: some Collection<UInt8>) throws(WireError) {
        guard bytes.count <= Limits.documentListBytes else {
            throw WireError(.tooLarge, "a document's list has at most \(Limits.documentListBytes) bytes")
        }
        self.bytes = Array(bytes)
    }

    /// Top-level. Nil if there are more than `limit`.
    func fields(atMost limit: Int) throws(WireError) -> [Field]? {
        var fields: [Field] = []
        var rest = bytes[...]
        while let tag = rest.popFirst() {
            // One of the first fifteen fields, length-delimited.
            guard tag & 0x87 == 0x02, let length = Self.length(&rest), length <= rest.count else {
                throw WireError(.malformed, "not a document's list")
            }
            guard fields.count < limit else { return nil }
            fields.append(Field(number: Int(tag >> 3), length: length))
            rest = rest.dropFirst(length)
        }
        return fields
    }

    /// A varint of at most four bytes, which suffices for every list.
    private static func length(_ rest: inout ArraySlice<UInt8>) -> Int? {
        var length = 0
        for shift in [0, 7, 14, 21] {
            guard let byte = rest.popFirst() else { return nil }
            length |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return length }
        }
        return nil
    }
}
