// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// If the folder is missing, watches its nearest existing parent.
package final class FolderWatch: Sendable {
    package enum Interest: Sendable {
        /// An item was added, or became accessible.
        case arrivals
        /// Also, an item was removed or renamed.
        case names
        /// Also, an item was written.
        case changes
    }

    /// Readable after a change; -1 if the system has no instance left.
    package var descriptor: CInt { source.descriptor }

    private let source = ChangeSource()
    private let folder: String
    private let interest: Interest

    package init(folder: String, for interest: Interest) {
        self.folder = folder
        self.interest = interest
        isBlind = source.descriptor < 0 || Self.watch(folder, for: interest, source) == nil
    }

    package let isBlind: Bool

    /// Blocks. False if nothing can be watched. For one thread.
    package func waitForChange() -> Bool {
        guard !isBlind else { return false }
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard retrying({ poll(&poller, 1, -1) }) > 0 else { return false }
        return takeChanges()
    }

    /// Does not wait. False if no watch is left. For one thread.
    @discardableResult package func takeChanges() -> Bool {
        guard !isBlind else { return false }
        source.drain()
        return Self.watch(folder, for: interest, source) != nil
    }

    private static func watch(_ folder: String, for interest: Interest, _ source: ChangeSource) -> String? {
        // Repeats, because a folder created between two iterations would be watched from too far above. Watching twice
        // has no effect.
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
