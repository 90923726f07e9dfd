// SPDX-License-Identifier: Apache-2.0

/// What a `userInfo` may hold, free of Foundation. `Handoff` turns it into Foundation's types and back.
///
/// Texts are equal if their bytes are: a program in another language may have a key for each of two texts that Swift's
/// `String` takes for one.
package enum Value: Hashable, Sendable {
    case null
    case boolean(Bool)
    case signed(Int64)
    case unsigned(UInt64)
    case double(Double)
    case string(ExactText)
    case bytes([UInt8])
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    case url(ExactText)
    /// 16 bytes.
    case uuid([UInt8])
    case array([Value])
    case dictionary([Value: Value])
    case set(Set<Value>)
    /// A file that goes along: the index of a `DocumentReference`, below `Limits.documents`. Between devices alone; a
    /// daemon puts it in place of a `file:` URL and the other one a URL in its place.
    case document(UInt32)

    package static func string(_ text: String) -> Value { .string(ExactText(text)) }
    package static func url(_ text: String) -> Value { .url(ExactText(text)) }
}
