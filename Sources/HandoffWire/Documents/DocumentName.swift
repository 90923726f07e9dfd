// SPDX-License-Identifier: Apache-2.0

/// Names of files. They are bytes: two that Swift calls equal may be two files, and one that was typed on another
/// system may be spelled otherwise here.
package enum DocumentName {
    package enum Match: Hashable, Sendable {
        case none
        /// As it is on the disk.
        case found([UInt8])
        /// Several could be meant, and none of them is it exactly.
        case ambiguous
    }

    /// A name among the entries of a folder: exactly, else the only one that is the same but for its Unicode form,
    /// else, where the file system takes them for one, the only one that is the same but for case, else the only name that
    /// another device has shortened to this one.
    package static func find(_ name: some Collection<UInt8>, among entries: [[UInt8]], ignoringCase: Bool) -> Match {
        let name = Array(name)
        guard !entries.contains(name) else { return .found(name) }
        guard let text = String(validating: name, as: UTF8.self) else { return .none }
        // String compares canonically: as if both were in NFC.
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
