// SPDX-License-Identifier: Apache-2.0

/// Tells when the file that a path leads to may have changed: the file itself, or a symbolic link on the way to it, as people
/// have who keep all their settings in one folder. One thread's.
package final class FileWatch {
    /// Links that are followed: as many as the system does.
    package static let links = 40
    /// How often the way is looked at again while it changes; what changes after that is told like any change.
    private static let looks = 8

    private let path: String
    private let source = ChangeSource()
    /// Of what is watched now.
    private var numbers: Set<CInt> = []
    /// Some folder on the way cannot be watched: the system has no more watches, or does not let this program into it.
    package private(set) var isBlind = false

    /// Tells of what happens from now on. `path` is absolute.
    package init(_ path: String) {
        self.path = path
        watch()
    }

    /// Readable once something happened; -1 where the system has none to give.
    package var descriptor: CInt { source.descriptor }

    /// Takes what has happened, without waiting, and goes on with where the path leads now.
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
            // A link that was changed between two looks would be followed to where it led before.
            let now = Self.way(to: path)
            if now == way { return }
            way = now
        }
    }

    /// The folders in which something has to change before the path leads to another file, or the file is another one: of
    /// each link, and of the file, or of the first thing on the way that is missing. None of them is a link.
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
