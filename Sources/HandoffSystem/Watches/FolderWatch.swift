// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Tells when something in one folder may have changed, or, while that folder is not there, in the nearest one above it
/// that is. Costs nothing in between.
package final class FolderWatch: Sendable {
    package enum Interest: Sendable {
        /// Something new is there, or may be entered now.
        case arrivals
        /// And something is gone or has another name.
        case names
        /// And whatever is written there.
        case changes
    }

    /// Readable once something happened; -1 where the system has no watch to give.
    package var descriptor: CInt { source.descriptor }

    private let source = ChangeSource()
    private let folder: String
    private let interest: Interest

    /// Tells of what happens from now on.
    package init(folder: String, for interest: Interest) {
        self.folder = folder
        self.interest = interest
        isBlind = source.descriptor < 0 || Self.watch(folder, for: interest, source) == nil
    }

    /// Nothing can be watched.
    package let isBlind: Bool

    /// Blocks until something happened; false where nothing can be watched. One thread's.
    package func waitForChange() -> Bool {
        guard !isBlind else { return false }
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard retrying({ poll(&poller, 1, -1) }) > 0 else { return false }
        return takeChanges()
    }

    /// Takes the changes so far, without waiting. False: the system has no watches left. One thread's.
    @discardableResult package func takeChanges() -> Bool {
        guard !isBlind else { return false }
        source.drain()
        return Self.watch(folder, for: interest, source) != nil
    }

    /// Returns what is watched; nil where nothing can be.
    private static func watch(_ folder: String, for interest: Interest, _ source: ChangeSource) -> String? {
        // A folder that is made between two looks would be watched from too far above: look until nothing is new. One that
        // is watched already is not watched twice.
        var watched: String?
        while watched != folder {
            let nearest = watchNearest(folder, for: interest, source)
            if nearest == watched { break }
            watched = nearest
        }
        return watched
    }

    private static func watchNearest(_ folder: String, for interest: Interest, _ source: ChangeSource) -> String? {
        var place = folder
        while source.add(place, for: place == folder ? interest : .arrivals) == nil {
            guard place != "/", !place.isEmpty else { return nil }
            place = place.parent
        }
        return place
    }
}
