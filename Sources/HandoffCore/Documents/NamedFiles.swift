// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The files that a `userInfo` names by `file:` URLs.
package struct NamedFiles: Sendable {
    /// Each once, in a fixed order.
    package let urls: [ExactText]

    /// Nil where it names none, which costs a look at the bytes, or cannot be read.
    package init?(in userInfo: [UInt8]) {
        guard Self.mayName(userInfo), let root = try? Value(encoded: userInfo) else { return nil }
        var urls: Set<ExactText> = []
        root.visit { if case .url(let text) = $0, FileURL.isOne(text.text) { urls.insert(text) } }
        guard !urls.isEmpty else { return nil }
        self.urls = urls.sorted()
    }

    private static func mayName(_ bytes: [UInt8]) -> Bool {
        let wanted = Array("file:".utf8)
        return bytes.withUnsafeBufferPointer { bytes in
            guard bytes.count >= wanted.count else { return false }
            for start in 0...bytes.count - wanted.count where bytes[start] | 0x20 == wanted[0] {
                var length = 1
                while length < wanted.count, bytes[start + length] | 0x20 == wanted[length] { length += 1 }
                // A colon has that bit as it is.
                if length == wanted.count { return true }
            }
            return false
        }
    }
}
