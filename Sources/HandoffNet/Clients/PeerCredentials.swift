// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem

/// Who is at the other end of a Unix socket, as the kernel says.
struct PeerCredentials: Equatable {
    var processID: Int32
    var userID: UInt32
    /// Nil where the process ended since it connected.
    var program: RunningProgram?

    /// `struct ucred` is not visible to Swift: three 32-bit numbers.
    init?(socket: Int32) {
        var fields: (pid: Int32, uid: UInt32, gid: UInt32) = (0, 0, 0)
        guard Self.get(SO_PEERCRED, of: socket, into: &fields) else { return nil }
        processID = fields.pid
        userID = fields.uid
        program = Self.program(of: fields.pid, socket: socket)
    }

    /// The number of a process that ended is given to another one some time. So the process is held by a descriptor, and
    /// asked whether it lived on until its folder in /proc was open: from then on that folder is no other's.
    private static func program(of processID: Int32, socket: Int32) -> RunningProgram? {
        let process = PeerProcess(socket: socket)
        guard let folder = try? OpenFile.open("/proc/\(processID)", O_RDONLY | O_DIRECTORY) else { return nil }
        guard process?.isRunning ?? true else { return nil }
        // Follows the link to the file that runs, in whatever mount namespace and whatever has become of its path.
        var file = stat()
        guard fstatat(folder.descriptor, "exe", &file, 0) == 0 else { return nil }
        let path = "exe".linkTarget(in: folder.descriptor)
        return path.map { RunningProgram(path: $0, device: UInt64(file.st_dev), inode: UInt64(file.st_ino)) }
    }

    fileprivate static func get<Value: BitwiseCopyable>(
        _ option: Int32, of socket: Int32, into value: inout Value
    ) -> Bool {
        var length = socklen_t(MemoryLayout<Value>.size)
        return withUnsafeMutableBytes(of: &value) { bytes in
            getsockopt(socket, SOL_SOCKET, option, bytes.baseAddress, &length)
        } == 0
    }
}

/// A descriptor of the process that connected.
private struct PeerProcess: ~Copyable {
    /// Not in the headers of glibc 2.36.
    private static let peerProcessDescriptor: Int32 = 77

    private let descriptor: Int32

    /// Nil before Linux 6.5, which has no such option.
    init?(socket: Int32) {
        var descriptor: Int32 = -1
        guard PeerCredentials.get(Self.peerProcessDescriptor, of: socket, into: &descriptor), descriptor >= 0 else {
            return nil
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// It becomes readable when the process ends.
    var isRunning: Bool {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wait, 1, 0) == 0
    }
}
