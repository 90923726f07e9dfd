// SPDX-License-Identifier: Apache-2.0

/// Reports when the file at a path may have changed, or a symbolic link on the way to it, as used by people who keep
/// all settings in one folder. For use by one thread.
package final class FileWatch {
    /// The system's own limit.
    package static let links = 40
    /// How often to resolve the path again while it changes. Later changes are reported normally.
    private static let looks = 8

    private let path: String
    private let source = ChangeSource()
    private var numbers: Set<CInt> = []
    /// A folder on the way cannot be watched: the system has no watches left, or denies access.
    package private(set) var isBlind = false

    /// Reports changes from now on. `path` is absolute.
    package init(_ path: String) {
        self.path = path
        watch()
    }

    /// Readable after a change; -1 if the system has no instance left.
    package var descriptor: CInt { source.descriptor }

    /// Consumes the events without waiting, and watches the current way of the path.
    package func takeChanges() {
        source.drain()
        watch()
    }

    private func watch() {
        guard descriptor >= 0 else { return isBlind = true }
        var way = Self.way(to: path)
        for _ in 0..<Self.looks {
            let found = way.map { source.add($0.key, for: $0.value) }
            let watched = Set(found.compactMap { $0 })
            for old in numbers.subtracting(watched) { source.remove(old) }
            (numbers, isBlind) = (watched, found.contains(nil))
            // Otherwise a link that changed between two iterations would be followed to its old target.
            let now = Self.way(to: path)
            if now == way { return }
            way = now
        }
    }

    /// The folders in which a change can affect the file: those of the links, and of the file or the first missing
    /// item. None of the returned paths contains a link.
    package static func way(to path: String) -> [String: FolderWatch.Interest] {
        var folders: [String: FolderWatch.Interest] = [:]
        var rest = names(path)
        var here = "/"
        var links = 0
        while let name = rest.popFirst() {
            guard name != ".." else {
                here = here.parent
                continue
            }
            let next = here == "/" ? "/\(name)" : "\(here)/\(name)"
            if let target = next.linkTarget() {
                folders[here] = folders[here] ?? .names
                links += 1
                guard links <= self.links else { return folders }
                if target.hasPrefix("/") { here = "/" }
                rest = names(target) + rest
            } else if rest.isEmpty {
                folders[here] = .changes
            } else if !next.isThere {
                folders[here] = folders[here] ?? .names
                return folders
            } else {
                here = next
            }
        }
        return folders
    }

    private static func names(_ path: String) -> ArraySlice<Substring> {
        path.split(separator: "/").filter { $0 != "." }[...]
    }
}
