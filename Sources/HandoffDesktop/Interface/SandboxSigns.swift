// SPDX-License-Identifier: Apache-2.0

internal import Glibc
import HandoffBus
internal import HandoffSystem
internal import HandoffWire

/// Reads only /proc: files of another mount namespace may be on an unreachable mount.
struct SandboxSigns {
    enum Finding: Hashable, Sendable {
        case isConfined
        case isFree
        /// It has its own mounts: `hasFlatpakRoot` decides, which may block.
        case hasOtherMounts
        /// Or it cannot be examined.
        case hasEnded
    }

    /// Forwards a Flatpak's calls, and is then the caller.
    private static let proxy = "xdg-dbus-proxy"
    private static let fileBytes = 64 << 10

    let proc: String

    init(proc: String = "/proc") { self.proc = proc }

    func finding(of peer: BusPeer) -> Finding {
        if Self.isConfining(label: peer.securityLabel) { return .isConfined }
        guard let number = peer.processID, let folder = try? OpenFile.open("\(proc)/\(number)", O_RDONLY | O_DIRECTORY)
        else { return .hasEnded }
        if let descriptor = peer.process?.duplicate(), !ProcessDescriptor(taking: descriptor).isRunning {
            return .hasEnded
        }
        if runsProxy(folder) || isInScope(folder, hasLabel: !peer.securityLabel.isEmpty) { return .isConfined }
        if Self.isConfining(label: Self.text("attr/current", in: folder)) { return .isConfined }
        // A process that hides itself cannot be read; one with a proxy or a label cannot hide itself.
        guard let mounts = "ns/mnt".linkTarget(in: folder.descriptor) else { return .isFree }
        return mounts == "\(proc)/self/ns/mnt".linkTarget() ? .isFree : .hasOtherMounts
    }

    /// By the label that the kernel enforces, at the time of the connection if the bus reports it.
    func snap(of peer: BusPeer) -> BundleID? {
        var label = peer.securityLabel
        if label.isEmpty, let number = peer.processID,
            let folder = try? OpenFile.open("\(proc)/\(number)", O_RDONLY | O_DIRECTORY)
        {
            label = Self.text("attr/current", in: folder)
        }
        // snap.NAME.PROGRAM (enforce)
        let parts = label.prefix { $0 != " " }.split(separator: ".", omittingEmptySubsequences: false)
        guard Self.isConfining(label: label), parts.count >= 3 else { return nil }
        return try? BundleID(String(parts[1]))
    }

    /// Blocks as long as the file system of the process's root.
    static func hasFlatpakRoot(_ process: Int32, proc: String = "/proc") -> Bool {
        var file = stat()
        if fstatat(AT_FDCWD, "\(proc)/\(process)/root/.flatpak-info", &file, AT_SYMLINK_NOFOLLOW) == 0 { return true }
        // If it cannot be checked, assume a sandbox.
        return errno != ENOENT && errno != ENOTDIR
    }

    /// A label in complain mode confines nothing.
    private static func isConfining(label: String) -> Bool { label.hasPrefix("snap.") && !label.contains("(complain)") }

    private func runsProxy(_ folder: borrowing OpenFile) -> Bool {
        let file = "exe".linkTarget(in: folder.descriptor)?.split(separator: "/").last
        // After an upgrade: "xdg-dbus-proxy (deleted)".
        return file?.prefix { $0 != " " } == Self.proxy[...] || Self.text("comm", in: folder) == Self.proxy
    }

    /// Flatpak's scope. Snap's scope confines nothing if the kernel has no labels.
    private func isInScope(_ folder: borrowing OpenFile, hasLabel: Bool) -> Bool {
        Self.text("cgroup", in: folder).split { $0 == "/" || $0 == "\n" }.contains {
            $0.hasPrefix("app-flatpak-") || (!hasLabel && $0.hasPrefix("snap."))
        }
    }

    private static func text(_ name: String, in folder: borrowing OpenFile) -> String {
        let descriptor = openat(folder.descriptor, name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        let bytes = (try? OpenFile(descriptor: descriptor, path: name).readAll(limit: fileBytes)) ?? []
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).split(separator: "\n").joined(separator: "\n")
    }
}
