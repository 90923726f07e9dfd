// SPDX-License-Identifier: Apache-2.0

/// Errors with the same code are equal; the text is for people.
package protocol CodedError: Error, Hashable, Sendable, CustomStringConvertible {
    associatedtype Code: Hashable, Sendable
    var code: Code { get }
}

extension CodedError {
    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
