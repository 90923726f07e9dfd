// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A user's programs share a few inotify instances.
final class ChangeSource: Sendable {
    /// Readable after a change; -1 if the system has no instance left.
    let descriptor: CInt

    init() { descriptor = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK)) }

    deinit { if descriptor >= 0 { _ = close(descriptor) } }

    /// Nil if it is not a folder, or without a free watch. A watched folder keeps its number and gets the new interest.
    func add(_ folder: String, for interest: FolderWatch.Interest) -> CInt? {
        let number = inotify_add_watch(descriptor, folder, interest.events | UInt32(IN_ONLYDIR))
        return number < 0 ? nil : number
    }

    func remove(_ number: CInt) { _ = inotify_rm_watch(descriptor, number) }

    func drain() {
        var events = [UInt8](repeating: 0, count: 4096)
        while retrying({ read(descriptor, &events, events.count) }) > 0 {}
    }
}

extension FolderWatch.Interest {
    fileprivate var events: UInt32 {
        let arrivals = IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
        let names = arrivals | IN_DELETE | IN_MOVED_FROM
        return switch self {
        case .arrivals: UInt32(arrivals)
        case .names: UInt32(names)
        case .changes: UInt32(names | IN_CLOSE_WRITE)
        }
    }
}
