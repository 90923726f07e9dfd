// SPDX-License-Identifier: Apache-2.0

/// Reports possible changes, also of a symbolic link on the way: some people keep all settings in one folder. For one
/// thread.
package final class FileWatch {
    /// The system's limit.
    package static let links = 40
    /// While the path changes. Later changes are reported normally.
    private static let looks = 8

    private let path: String
    private let source = ChangeSource()
    private var numbers: Set<CInt> = []
    /// Without a free watch, or without access to a folder.
    package private(set) var isBlind = false

    /// `path` is absolute.
    package init(_ path: String) {
        self.path = path
        watch()
    }

    /// Readable after a change; -1 if the system has no instance left.
    package var descriptor: CInt { source.descriptor }

    /// Does not wait. Watches the path's current way.
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
            // A link may have changed between two iterations.
            let now = Self.way(to: path)
            if now == way { return }
            way = now
        }
    }

    /// The folders of the links, and of the file or the first missing item. Their paths contain no link.
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
