// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Tells when something in one folder may have changed, or, while that folder is not there, in the nearest one above it
/// that is. Costs nothing in between.
package final class FolderWatch: Sendable {
    package enum Interest: Sendable {
        /// Something new is there, or may be entered now.
        case arrivals
        /// Whatever is written, renamed or removed there as well.
        case changes

        fileprivate var events: UInt32 {
            let arrivals = IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
            return switch self {
            case .arrivals: UInt32(arrivals)
            case .changes: UInt32(arrivals | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM)
            }
        }
    }

    /// Readable once something happened; -1 where the system has no watch to give.
    package let descriptor: CInt

    private let folder: String
    private let interest: Interest

    /// Tells of what happens from now on.
    package init(folder: String, for interest: Interest) {
        self.folder = folder
        self.interest = interest
        descriptor = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
        if descriptor >= 0 { watch() }
    }

    deinit { if descriptor >= 0 { _ = close(descriptor) } }

    package var isBlind: Bool { descriptor < 0 }

    /// Blocks until something happened; false where nothing can be watched. One thread's.
    package func waitForChange() -> Bool {
        guard !isBlind else { return false }
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard retrying({ poll(&poller, 1, -1) }) > 0 else { return false }
        var events = [UInt8](repeating: 0, count: 4096)
        while retrying({ read(descriptor, &events, events.count) }) > 0 {}
        return watch()
    }

    /// False where nothing can be watched.
    @discardableResult
    private func watch() -> Bool {
        // A folder that is made between two looks would be watched from too far above: look until nothing is new. One that
        // is watched already is not watched twice.
        var watched: String?
        while watched != folder {
            let nearest = watchNearest()
            if nearest == watched { break }
            watched = nearest
        }
        return watched != nil
    }

    private func watchNearest() -> String? {
        var place = folder
        while inotify_add_watch(descriptor, place, events(in: place)) < 0 {
            guard place != "/", !place.isEmpty else { return nil }
            place = place.parent
        }
        return place
    }

    private func events(in place: String) -> UInt32 {
        (place == folder ? interest : .arrivals).events | UInt32(IN_ONLYDIR)
    }
}
