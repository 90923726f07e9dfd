// SPDX-License-Identifier: Apache-2.0

package struct FileURL: Hashable, Sendable {
    package let path: AbsolutePath
    /// False for the root.
    package let namesFolder: Bool

    package init(_ path: AbsolutePath, namesFolder: Bool = false) {
        self.path = path
        self.namesFolder = namesFolder && path.bytes.count > 1
    }

    /// Compares only the scheme.
    package static func isOne(_ text: String) -> Bool {
        text.utf8.prefix(5).elementsEqual("file:".utf8) { byte, expected in
            byte == expected || (UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte && byte | 0x20 == expected)
        }
    }

    /// Also true with blanks or control characters that tolerant parsers skip.
    package static func mayBeOne(_ text: String) -> Bool {
        let plain = text.utf8.lazy.filter { $0 > 0x20 && $0 != 0x7F }.prefix(5)
        return isOne(String(decoding: plain, as: UTF8.self))
    }

    /// Throws for a query, a fragment, another machine's host, and a byte that no file name has (`%00`, `%2F`).
    package init(_ text: String) throws(WireError) {
        guard Self.isOne(text) else { throw WireError(.malformed, "not a file: URL") }
        var rest = Array(text.utf8.dropFirst(5))[...]
        guard !rest.contains(UInt8(ascii: "?")) else { throw WireError(.malformed, "a file: URL with a query") }
        guard !rest.contains(UInt8(ascii: "#")) else { throw WireError(.malformed, "a file: URL with a fragment") }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let host = rest.prefix { $0 != UInt8(ascii: "/") }
            guard host.isEmpty || String(decoding: host, as: UTF8.self).lowercased() == "localhost" else {
                throw WireError(.malformed, "a file: URL of another host")
            }
            rest = rest.dropFirst(host.count)
        }
        let bytes = try Self.decoded(rest)
        self.init(try AbsolutePath(bytes: bytes), namesFolder: bytes.last == UInt8(ascii: "/"))
    }

    private static func decoded(_ text: ArraySlice<UInt8>) throws(WireError) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard let decoded = [UInt8](hexadecimal: digits), decoded.count == 1 else {
                throw WireError(.malformed, "a file: URL with an invalid percent escape")
            }
            // No file name contains a slash, and Foundation does not read this one as a separator.
            guard decoded != [UInt8(ascii: "/")] else {
                throw WireError(.malformed, "a file: URL with a slash in a name")
            }
            bytes += decoded
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    /// In Foundation's spelling.
    package var text: String {
        var text = Array("file://".utf8)
        for byte in path.bytes + (namesFolder ? [UInt8(ascii: "/")] : []) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                text.append(byte)
            case _ where "/-._~!$&'()*+,;=:@".utf8.contains(byte): text.append(byte)
            default: text += Array("%".utf8) + [byte].hexadecimal.uppercased().utf8
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
