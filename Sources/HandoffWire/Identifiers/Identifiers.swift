// SPDX-License-Identifier: Apache-2.0

/// An account: made from its recovery key's public half.
package struct AccountID: FixedBytesIdentifier {
    package static let byteCount = 32
    package static let noun = "account id"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
}

/// A developer team's key: the SHA-256 of its SubjectPublicKeyInfo.
package struct TeamFingerprint: FixedBytesIdentifier {
    package static let byteCount = 32
    package static let noun = "key fingerprint of a team"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }

    /// For people to compare with what the developer published: `0123 4567 89ab …`.
    package var grouped: String {
        stride(from: 0, to: bytes.count, by: 2).map { bytes[$0..<min($0 + 2, bytes.count)].hexadecimal }
            .joined(separator: " ")
    }
}

/// Which statement of a roster: the hash of who says what. The signature is no part of it, for one statement can be signed
/// in many ways.
package struct StatementID: FixedBytesIdentifier {
    package static let byteCount = 32
    package static let noun = "statement id"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
}

/// The SHA-256 of a file.
package struct FileDigest: FixedBytesIdentifier {
    package static let byteCount = 32
    package static let noun = "SHA-256"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
}

/// With which an app gives the daemon an open file.
package struct FileToken: FixedBytesIdentifier {
    package static let byteCount = 32
    package static let noun = "file token"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
    /// A secret: never the bytes.
    package var description: String { "file token" }
}

/// What was replaced, and is kept.
package struct VersionID: FixedBytesIdentifier {
    package static let byteCount = 16
    package static let noun = "version id"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
}

/// An activity, chosen at random by the app that made it.
package struct ActivityID: FixedBytesIdentifier {
    package static let byteCount = 16
    package static let noun = "activity id"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
}

/// One attempt to move an activity, chosen at random by the receiver.
package struct ContinuationID: FixedBytesIdentifier {
    package static let byteCount = 16
    package static let noun = "continuation id"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
}

/// Given to an app that the daemon starts; ties the app's connection to that start, once.
package struct LaunchToken: FixedBytesIdentifier {
    package static let byteCount = 32
    package static let noun = "launch token"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
    /// A secret: never the bytes.
    package var description: String { "launch token" }
}

/// A stream between two apps, chosen at random by each daemon for its own app.
package struct StreamID: FixedBytesIdentifier {
    package static let byteCount = 16
    package static let noun = "stream id"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
}

/// Lets one connection carry one stream, once.
package struct StreamToken: FixedBytesIdentifier {
    package static let byteCount = 32
    package static let noun = "stream token"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
    /// A secret: never the bytes.
    package var description: String { "stream token" }
}

/// One start of a daemon. A later start has the higher one, unless the clock on the wall was set back.
package struct BootID: Hashable, Comparable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }

    /// Milliseconds since 1970 in the upper 48 bits, chance in the lower 16.
    package init(startedAt time: WallTime, random: UInt64) {
        let milliseconds = UInt64(clamping: time.milliseconds) & 0xFFFF_FFFF_FFFF
        self.init(milliseconds << 16 | random & 0xFFFF)
    }

    package static func < (one: BootID, other: BootID) -> Bool { one.value < other.value }
}

/// What a device that calls and the one it calls both know, and nobody else. By it the caller shows who it is before the
/// other side says anything of itself.
package struct CallSecret: FixedBytesIdentifier {
    package static let byteCount = 32
    package static let noun = "call secret"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }
    /// A secret: never the bytes.
    package var description: String { "call secret" }
}
