// SPDX-License-Identifier: Apache-2.0

/// A value in a `userInfo`, without Foundation's types, to which `Handoff` converts it.
///
/// Texts are equal if their bytes are, because a program in another language may have both as keys.
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
    /// The index of a `DocumentReference`, below `Limits.documents`. Only between devices: the daemons replace `file:`
    /// URLs by it and it by URLs.
    case document(UInt32)

    package static func string(_ text: String) -> Value { .string(ExactText(text)) }
    package static func url(_ text: String) -> Value { .url(ExactText(text)) }
}
