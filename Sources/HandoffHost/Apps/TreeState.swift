// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffWire

/// Reveals every later write, rename or change of mode, because the kernel sets the time of a file's last change.
struct TreeState {
    /// Empty: the folder itself.
    private var entries: [ExactText: stat] = [:]

    init(of folder: borrowing OpenFile) throws(SystemError) { try add(folder, at: "") }

    private mutating func add(_ folder: borrowing OpenFile, at path: String) throws(SystemError) {
        entries[ExactText(path)] = try folder.status()
        for name in try folder.entries(atMost: .max) {
            let inner = path.isEmpty ? name : "\(path)/\(name)"
            var status = stat()
            guard fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                throw SystemError(errno, folder.path + "/" + name)
            }
            if status.kind == S_IFDIR {
                try add(try folder.open(name, O_RDONLY | O_DIRECTORY), at: inner)
            } else {
                entries[ExactText(inner)] = status
            }
        }
    }

    func firstChange(to other: TreeState) -> String? {
        let paths = Set(entries.keys).union(other.entries.keys).filter { path in
            guard let before = entries[path], let after = other.entries[path] else { return true }
            return !before.isSameVersion(as: after)
        }
        let folders = Set(paths.lazy.filter { !$0.text.isEmpty }.map { ExactText($0.text.parent) })
        return paths.subtracting(folders).min()?.text
    }
}
