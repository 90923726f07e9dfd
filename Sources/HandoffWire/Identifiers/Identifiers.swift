// SPDX-License-Identifier: Apache-2.0

/// Derived from the public half of the account's recovery key.
package struct AccountID: FixedBytesIdentifier {
    package static let byteCount = 32
    package static let noun = "account id"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
}

package struct TeamFingerprint: FixedBytesIdentifier {
    package static let byteCount = 32
    package static let noun = "key fingerprint of a team"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }

    /// For people: `0123 4567 89ab …`.
    package var grouped: String {
        stride(from: 0, to: bytes.count, by: 2).map { bytes[$0..<min($0 + 2, bytes.count)].hexadecimal }
            .joined(separator: " ")
    }
}

/// Hashes a statement and its signer, without the signature, because many can be valid.
package struct StatementID: FixedBytesIdentifier {
    package static let byteCount = 32
    package static let noun = "statement id"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
}

package struct FileDigest: FixedBytesIdentifier {
    package static let byteCount = 32
    package static let noun = "SHA-256"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
}

package struct FileToken: FixedBytesIdentifier {
    package static let byteCount = 32
    package static let noun = "file token"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
    /// Hides the secret.
    package var description: String { "file token" }
}

package struct VersionID: FixedBytesIdentifier {
    package static let byteCount = 16
    package static let noun = "version id"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
}

/// Chosen at random by the app.
package struct ActivityID: FixedBytesIdentifier {
    package static let byteCount = 16
    package static let noun = "activity id"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
}

/// One attempt, chosen at random by the receiver.
package struct ContinuationID: FixedBytesIdentifier {
    package static let byteCount = 16
    package static let noun = "continuation id"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
}

/// Links an app's connection to the daemon's start of that app, once.
package struct LaunchToken: FixedBytesIdentifier {
    package static let byteCount = 32
    package static let noun = "launch token"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
    /// Hides the secret.
    package var description: String { "launch token" }
}

/// Chosen at random by each daemon for its own app.
package struct StreamID: FixedBytesIdentifier {
    package static let byteCount = 16
    package static let noun = "stream id"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
}

/// For one connection and one stream, once.
package struct StreamToken: FixedBytesIdentifier {
    package static let byteCount = 32
    package static let noun = "stream token"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
    /// Hides the secret.
    package var description: String { "stream token" }
}

/// One start of a daemon. Later starts are higher, unless the wall clock was set back.
package struct BootID: Hashable, Comparable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }

    /// Milliseconds since 1970 in the upper 48 bits, the rest random.
    package init(startedAt time: WallTime, random: UInt64) {
        let milliseconds = UInt64(clamping: time.milliseconds) & 0xFFFF_FFFF_FFFF
        self.init(milliseconds << 16 | random & 0xFFFF)
    }

    package static func < (one: BootID, other: BootID) -> Bool { one.value < other.value }
}

/// Shared by caller and called device. The caller proves it before the other reveals anything.
package struct CallSecret: FixedBytesIdentifier {
    package static let byteCount = 32
    package static let noun = "call secret"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
    /// Hides the secret.
    package var description: String { "call secret" }
}

/// Compared by UTF-8 bytes: to `String`, é in its two spellings is equal.
package struct ExactText: Hashable, Sendable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let text: String

    package init(_ text: some StringProtocol) { self.text = String(text) }
    package init(stringLiteral text: String) { self.text = text }

    package var description: String { text }

    package static func == (left: Self, right: Self) -> Bool {
        // Finds differences faster.
        left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// `String` hashes equivalent texts alike, and a file may have thousands of them.
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
