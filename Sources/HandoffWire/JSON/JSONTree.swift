// SPDX-License-Identifier: Apache-2.0

package enum JSONTree: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package let key: ExactText
        package let value: JSONTree

        package init(key: ExactText, value: JSONTree) {
            self.key = key
            self.value = value
        }
    }

    case null
    case boolean(Bool)
    /// Nil: too large, or with a fraction or an exponent.
    case number(Int?)
    case string(String)
    case list([JSONTree])
    /// In the order of the file, without duplicate keys.
    case object([Member])
    /// Neither value of a duplicate key is preferred.
    case ambiguous(String)

    package subscript(key: ExactText) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }
}

package struct JSONSlip: CodedError {
    package enum Code: String, Sendable, CaseIterable {
        case notUTF8
        case notJSON
        case nestingTooDeep
    }

    package let code: Code
    package let description: String

    init(_ code: Code, _ description: String = "") {
        self.code = code
        self.description = description
    }
}
