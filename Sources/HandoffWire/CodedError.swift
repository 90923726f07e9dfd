// SPDX-License-Identifier: Apache-2.0

/// An error that is known by its code. Equal by code: the words beside it are for people, and name what was met.
package protocol CodedError: Error, Hashable, Sendable, CustomStringConvertible {
    associatedtype Code: Hashable, Sendable
    var code: Code { get }
}

extension CodedError {
    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
