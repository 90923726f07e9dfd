// SPDX-License-Identifier: Apache-2.0

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
