// SPDX-License-Identifier: Apache-2.0

/// Names are bytes, because different files may have names that Swift calls equal. A name may also be spelled
/// differently on another system.
package enum DocumentName {
    package enum Match: Hashable, Sendable {
        case none
        /// As on disk.
        case found([UInt8])
        /// Several entries match, and none of them exactly.
        case ambiguous
    }

    /// The first of: the exact name, the only entry that differs by Unicode form, the only entry that differs by case
    /// (if the file system ignores case), the only entry that another device shortened to this name.
    package static func find(_ name: some Collection<UInt8>, among entries: [[UInt8]], ignoringCase: Bool) -> Match {
        let name = Array(name)
        guard !entries.contains(name) else { return .found(name) }
        guard let text = String(validating: name, as: UTF8.self) else { return .none }
        // String compares canonically, as if both were in NFC.
        var match = only(entries) { $0 == text }
        if match == .none, ignoringCase {
            let lower = text.lowercased()
            match = only(entries) { $0.lowercased() == lower }
        }
        return match == .none ? self.match(of: entries.filter { isShort(name, of: $0) }) : match
    }

    private static func only(_ entries: [[UInt8]], where isMeant: (String) -> Bool) -> Match {
        self.match(of: entries.filter { String(validating: $0, as: UTF8.self).map(isMeant) ?? false })
    }

    private static func match(of meant: [[UInt8]]) -> Match {
        switch meant.count {
        case 0: .none
        case 1: .found(meant[0])
        default: .ambiguous
        }
    }
}

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
