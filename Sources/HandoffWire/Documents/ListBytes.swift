// SPDX-License-Identifier: Apache-2.0

/// A document's list as another device sent it: a message whose fields all have a length, and of which much could be
/// made that takes more room than it does.
struct ListBytes {
    struct Field {
        var number: Int
        /// Of its content, bytes.
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

    /// Those of the message itself, without looking into them; nil where there are more than `limit`.
    func fields(atMost limit: Int) throws(WireError) -> [Field]? {
        var fields: [Field] = []
        var rest = bytes[...]
        while let tag = rest.popFirst() {
            // One of the first fifteen fields, with a length.
            guard tag & 0x87 == 0x02, let length = Self.length(&rest), length <= rest.count else {
                throw WireError(.malformed, "not a document's list")
            }
            guard fields.count < limit else { return nil }
            fields.append(Field(number: Int(tag >> 3), length: length))
            rest = rest.dropFirst(length)
        }
        return fields
    }

    /// Seven bits a byte, the lowest first, in at most four of them: enough for every list.
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
