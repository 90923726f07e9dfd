// SPDX-License-Identifier: Apache-2.0

/// An expectation that was not met, in words for users.
package struct Unmet: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
