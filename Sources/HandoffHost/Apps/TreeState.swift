// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffWire

/// How everything in a folder is, as far as it can be told without reading it: whatever is written, renamed or given
/// another mode afterwards shows, for the time of a file's last change is the kernel's to set.
struct TreeState {
    /// By path, the folder itself as the empty one.
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

    /// A path that is not as it was; of a folder and something in it that one, which says more. Nil: nothing changed.
    func firstChange(to other: TreeState) -> String? {
        let paths = Set(entries.keys).union(other.entries.keys).filter { path in
            guard let before = entries[path], let after = other.entries[path] else { return true }
            return !before.isSameVersion(as: after)
        }
        let folders = Set(paths.lazy.filter { !$0.text.isEmpty }.map { ExactText($0.text.parent) })
        return paths.subtracting(folders).min()?.text
    }
}
