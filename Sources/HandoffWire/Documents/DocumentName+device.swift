// SPDX-License-Identifier: Apache-2.0

extension DocumentName {
    /// "Desk" in `Letter (Desk, 2026-11-22 15.14).txt`. Nil if `conflictCopies(of:among:)` would not return `name`.
    package static func device(ofConflictCopy name: [UInt8]) -> String? {
        guard let open = name.lastIndex(of: UInt8(ascii: "(")), let close = name.lastIndex(of: UInt8(ascii: ")")),
            open < close
        else { return nil }
        // The device's name may contain a comma; the time and a number follow commas too.
        let words = String(decoding: name[(open + 1)..<close], as: UTF8.self).components(by: ", ")
        guard let time = words.lastIndex(where: { $0.utf8.count == "2026-11-22 15.14".utf8.count }), time > 0 else {
            return nil
        }
        return words[..<time].joined(separator: ", ")
    }
}

extension String {
    fileprivate func components(by separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
