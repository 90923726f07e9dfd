// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffSystem

/// A file that shows when its last descriptor was closed.
final class Telltale {
    private let end: OpenFile
    private var file: OpenFile?

    init() {
        var ends: [CInt] = [-1, -1]
        let made = socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        precondition(made == 0, "this process has no descriptor left")
        end = OpenFile(descriptor: ends[0], path: "a telltale")
        file = OpenFile(descriptor: ends[1], path: "a file")
    }

    /// Call once.
    func takeFile() -> OpenFile { file.take()! }

    var isClosed: Bool { closes(within: 0) }

    func closes(within milliseconds: CInt) -> Bool {
        var poller = pollfd(fd: end.descriptor, events: 0, revents: 0)
        return poll(&poller, 1, milliseconds) == 1 && poller.revents & Int16(POLLHUP) != 0
    }
}
