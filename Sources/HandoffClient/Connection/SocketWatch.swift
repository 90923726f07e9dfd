// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Tells when a socket may have appeared at a path, by inotify on the nearest directory above it that exists. Made
/// before a try to connect, so that nothing is missed between the try and the wait.
struct SocketWatch: ~Copyable {
    /// Readable when something was made there; -1 where the system has no watch to give.
    let descriptor: CInt

    var isBlind: Bool { descriptor < 0 }

    init(path: String) {
        descriptor = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { return }
        // A directory that is made between two looks would be watched from too far above: look until nothing is new.
        var watched: String?
        while watched != Self.parent(of: path) {
            let nearest = Self.watchNearest(to: path, with: descriptor)
            if nearest == watched { break }
            watched = nearest
        }
    }

    private static func watchNearest(to path: String, with descriptor: CInt) -> String {
        let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
        var directory = parent(of: path)
        while inotify_add_watch(descriptor, directory, events) < 0, directory != "/" {
            directory = parent(of: directory)
        }
        return directory
    }

    deinit { if descriptor >= 0 { _ = close(descriptor) } }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
