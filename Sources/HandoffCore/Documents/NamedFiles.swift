// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The files that a `userInfo` names by `file:` URLs.
package struct NamedFiles: Sendable {
    package let urls: [ExactText]

    /// Nil if `userInfo` names no file or cannot be read. A scan of the bytes avoids most decoding.
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
                // The colon already has that bit.
                if length == wanted.count { return true }
            }
            return false
        }
    }
}
