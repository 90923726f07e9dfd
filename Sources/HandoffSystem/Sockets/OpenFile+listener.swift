// SPDX-License-Identifier: Apache-2.0

internal import Glibc

extension OpenFile {
    /// Nil if this is a Unix stream socket that listens at `path`, else a phrase such as "is not a socket".
    package func faultAsListener(at path: String) -> String? {
        guard let family = option(SO_DOMAIN), let type = option(SO_TYPE), let isListening = option(SO_ACCEPTCONN) else {
            return "is not a socket"
        }
        guard family == AF_UNIX, type == CInt(SOCK_STREAM.rawValue) else { return "is not a Unix stream socket" }
        guard isListening != 0 else { return "does not listen" }
        guard let place = boundPath else { return "has no path" }
        // Files, because a folder can have several names.
        var here = stat()
        var wanted = stat()
        guard lstat(place, &here) == 0 else { return "listens at \(place), which is gone" }
        guard lstat(path, &wanted) == 0, here.st_dev == wanted.st_dev, here.st_ino == wanted.st_ino else {
            return "listens at \(place)"
        }
        return nil
    }

    private func option(_ name: CInt) -> CInt? {
        var value: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }

    var boundPath: String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { return nil }
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let bytes = withUnsafeBytes(of: address) {
            $0[start..<max(start, min(Int(length), $0.count))].prefix { $0 != 0 }
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}

package enum UnixSockets {
    private static let mostBytes = 16 * 1024 * 1024
    /// `__SO_ACCEPTCON`, as the kernel prints it.
    private static let listening: Substring = "00010000"

    /// Does not connect: that would start a socket-activated program.
    package static func isListenedTo(_ path: String) -> Bool {
        guard let text = OpenFile.text(of: "/proc/net/unix", limit: mostBytes) else { return false }
        // Num RefCount Protocol Flags Type St Inode Path
        return text.split(separator: "\n").contains { line in
            guard line.hasSuffix(" " + path) else { return false }
            let fields = line.split(separator: " ", maxSplits: 7, omittingEmptySubsequences: true)
            return fields.count == 8 && fields[3] == listening && fields[7] == path
        }
    }
}
