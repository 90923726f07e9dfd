// SPDX-License-Identifier: Apache-2.0

/// What was expected and did not happen, for a person to read.
package struct Unmet: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
