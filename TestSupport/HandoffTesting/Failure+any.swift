// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

extension Failure {
    /// For tests that compare codes alone.
    package static func any(_ code: Code) -> Failure { Failure(code, "") }
}
