// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// A line of `/proc/self/mountinfo`. FUSE file systems share a kernel number, so only type and source distinguish them.
struct Mount: Hashable, Sendable {
    /// "fuse.sshfs"; "fuse" if the program names none.
    let type: String
    /// "host:/folder", or an encrypting file system's folder.
    let source: [UInt8]

    /// Nil if `line` is damaged.
    init?(line: some Sequence<UInt8>) {
        let fields = Array(line).split(separator: UInt8(ascii: " "))
        guard let dash = fields.firstIndex(of: [UInt8(ascii: "-")]), dash + 2 < fields.count else { return nil }
        type = String(decoding: fields[dash + 1], as: UTF8.self)
        source = Self.unescaped(fields[dash + 2])
    }

    /// Nil if /proc does not list the mount.
    init?(of file: borrowing OpenFile) {
        guard let facts = Self.lines(of: "/proc/self/fdinfo/\(file.descriptor)"),
            let fact = facts.first(where: { $0.starts(with: "mnt_id:".utf8) }),
            let mounts = Self.lines(of: "/proc/self/mountinfo")
        else { return nil }
        let number = fact.filter { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } + [UInt8(ascii: " ")]
        guard let line = mounts.first(where: { $0.starts(with: number) }) else { return nil }
        self.init(line: line)
    }

    /// False if neither type nor source shows it.
    var isShared: Bool {
        switch type {
        case "virtiofs": return true
        case "fuseblk": return false
        default:
            let program = type.hasPrefix("fuse.") ? String(type.dropFirst("fuse.".count)) : nil
            let name = String(decoding: source, as: UTF8.self)
            if Self.network.contains(program ?? "") || Self.network.contains(name) { return true }
            return namesServer
        }
    }

    /// "host:/folder", "user@host:folder", "https://host/folder"
    private var namesServer: Bool {
        guard let colon = source.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return false }
        return !source[..<colon].contains(UInt8(ascii: "/"))
    }

    private static let network: Set<String> = [
        "afpfs", "alluxio-fuse", "blobfuse", "blobfuse2", "ceph", "ceph-fuse", "curlftpfs", "cvmfs2", "davfs", "davfs2",
        "dfuse", "fuse_dfs", "gcsfuse", "geesefs", "glusterfs", "google-drive-ocamlfuse", "goofys", "gvfsd-fuse",
        "ipfs", "juicefs", "kbfs", "kio-fuse", "lizardfs", "mfs", "mfsmount", "moosefs", "mount-s3", "mountpoint-s3",
        "nfs", "obsfs", "onedriver", "orangefs", "ossfs", "portal", "rclone", "rclonefs", "s3backer", "s3fs", "s3ql",
        "saunafs", "seaweedfs", "smbnetfs", "sshfs", "vboxsf", "vmhgfs-fuse", "xrdp-chansrv",
    ]

    private static func lines(of path: String) -> [ArraySlice<UInt8>]? {
        guard let file = try? OpenFile.open(path, O_RDONLY), let bytes = try? file.readAll(limit: 16 << 20) else {
            return nil
        }
        return bytes.split(separator: UInt8(ascii: "\n"))
    }

    /// A space in a path is `\040`.
    private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = field
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
