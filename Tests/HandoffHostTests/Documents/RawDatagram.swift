// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffSystem

/// Sends any bytes with any descriptors, as a program without our library may do.
struct RawSender: ~Copyable {
    private let socket: OpenFile

    init(to path: String) throws {
        let descriptor = Glibc.socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        socket = OpenFile(descriptor: descriptor, path: path)
        guard let address = sockaddr_un(path: path),
            address.withSocketAddress({ connect(descriptor, $0, $1) }) == 0
        else { throw SystemError("connect") }
    }

    /// Waits if the socket is full.
    func send(_ bytes: [UInt8], with descriptors: [CInt]) throws {
        // struct cmsghdr: a length of eight bytes, the level and the type of four each.
        let length = 16 + 4 * descriptors.count
        var control = [UInt8](repeating: 0, count: descriptors.isEmpty ? 0 : (length + 7) / 8 * 8)
        if !descriptors.isEmpty {
            control.withUnsafeMutableBytes { raw in
                raw.storeBytes(of: length, as: Int.self)
                raw.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: CInt.self)
                raw.storeBytes(of: CInt(1), toByteOffset: 12, as: CInt.self)  // SCM_RIGHTS
                for (index, descriptor) in descriptors.enumerated() {
                    raw.storeBytes(of: descriptor, toByteOffset: 16 + 4 * index, as: CInt.self)
                }
            }
        }
        var bytes = bytes
        let sent = bytes.withUnsafeMutableBytes { content in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: content.baseAddress, iov_len: content.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = control.count
                    return sendmsg(socket.descriptor, &message, CInt(MSG_NOSIGNAL))
                }
            }
        }
        guard sent == bytes.count else { throw SystemError("sendmsg") }
    }
}

/// How many descriptors of this process refer to that file.
func descriptors(of path: String) -> Int {
    guard let folder = opendir("/proc/self/fd") else { return -1 }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if "/proc/self/fd/\(name)".linkTarget() == path { count += 1 }
    }
    return count
}
