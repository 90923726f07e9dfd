// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The folder that holds what this path names: "/etc" of "/etc/handoff", "/" of "/etc"; empty without a slash.
    var parent: String {
        guard let slash = lastIndex(of: "/") else { return "" }
        return slash == startIndex ? "/" : String(self[..<slash])
    }
}
