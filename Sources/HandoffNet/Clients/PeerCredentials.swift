// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Who is at the other end of a Unix socket, as the kernel says.
struct PeerCredentials: Equatable {
    var processID: Int32
    var userID: UInt32

    init(processID: Int32, userID: UInt32) {
        self.processID = processID
        self.userID = userID
    }

    /// `struct ucred` is not visible to Swift: three 32-bit numbers.
    init?(socket: Int32) {
        var fields: (pid: Int32, uid: UInt32, gid: UInt32) = (0, 0, 0)
        var length = socklen_t(MemoryLayout.size(ofValue: fields))
        let result = withUnsafeMutableBytes(of: &fields) { bytes in
            getsockopt(socket, SOL_SOCKET, SO_PEERCRED, bytes.baseAddress, &length)
        }
        guard result == 0 else { return nil }
        self.init(processID: fields.pid, userID: fields.uid)
    }

    /// What that process runs now. A label for people and policy, not a proof: a process can start another program.
    var executable: String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            let length = readlink("/proc/\(processID)/exe", buffer.baseAddress!, buffer.count)
            guard length > 0, length < buffer.count else { return nil }
            return String(decoding: UnsafeRawBufferPointer(start: buffer.baseAddress, count: length), as: UTF8.self)
        }
    }
}
