// SPDX-License-Identifier: Apache-2.0

package struct WireError: CodedError {
    package enum Code: String, Sendable {
        case frameTooLarge
        case truncated
        case malformed
        case missingField
        case badIdentifier
        case unknownKind
        case limitReached
        case nestingTooDeep
        case tooLarge
    }

    package let code: Code
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { "\(code.rawValue): \(reason)" }
}

package protocol CodedError: Error, Hashable, Sendable, CustomStringConvertible {
    associatedtype Code: Hashable, Sendable
    var code: Code { get }
}

extension CodedError {
    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
