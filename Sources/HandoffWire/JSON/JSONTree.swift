// SPDX-License-Identifier: Apache-2.0

/// JSON as it stands in a file. Numbers are checked and not kept: nothing here asks for one.
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
    case number
    case string(String)
    case list([JSONTree])
    /// In the order of the file; no key twice.
    case object([Member])
    /// An object that has a key twice, with where and which: nobody chooses between the two.
    case ambiguous(String)
}
