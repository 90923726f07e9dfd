// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Tells when something in one folder may have changed. Blocks in the kernel in between, so it costs nothing.
struct FolderWatch: Sendable {
    let folder: String

    private static let changes =
        UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM)
        | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ATTRIB)

    private let inotify: CInt

    /// The descriptor lives as long as the process, as the thread that waits does.
    init(folder: String) {
        self.folder = folder
        inotify = inotify_init1(CInt(IN_CLOEXEC))
        watch()
    }

    /// The folder, or, until it is made, the one that is to hold it. A folder that is watched already is not watched twice.
    @discardableResult
    private func watch() -> Bool {
        if inotify_add_watch(inotify, folder, Self.changes) >= 0 { return true }
        return inotify_add_watch(inotify, folder.parent, UInt32(IN_CREATE) | UInt32(IN_MOVED_TO)) >= 0
    }

    /// Blocks until something changed; false where nothing can be watched.
    func waitForChange() -> Bool {
        var events = [UInt8](repeating: 0, count: 4096)
        guard retrying({ read(inotify, &events, events.count) }) > 0 else { return false }
        return watch()
    }
}
