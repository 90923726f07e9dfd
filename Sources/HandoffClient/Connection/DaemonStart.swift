// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc
package import HandoffWire

/// The command with which a user starts the daemon.
package enum DaemonStart: Hashable, Sendable {
    case command(String)
    /// The login's folder of sockets does not exist and cannot be made.
    case noSessionFolder(String)
    /// The folder of sockets is another user's, as in a shell of `su`.
    case foreignSessionFolder(String)

    package static let service = "handoffd.service"
    package static let socket = "handoffd.socket"
    package static let serviceCommand = "systemctl --user start \(service)"

    /// systemd's limit: the units have `ConditionUser=!@system`.
    private static let lastSystemUser: uid_t = 999

    /// Names the user's service manager if it has the units.
    package init(_ locations: Locations) {
        if let root = locations.root {
            self = .command("handoffd --root \(root) &")
            return
        }
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let prefix = URL(filePath: program).deletingLastPathComponent().deletingLastPathComponent().path
        let sessionFolder = URL(filePath: locations.runtime).deletingLastPathComponent().path
        let manager = sessionFolder + "/systemd/private"
        let isManaged = [prefix + "/lib/systemd/user/handoffd.socket", manager].allSatisfy {
            FileManager.default.fileExists(atPath: $0)
        }
        if isManaged, getuid() > Self.lastSystemUser {
            self = .command(Self.serviceCommand)
        } else if Self.isForeign(sessionFolder) {
            self = .foreignSessionFolder(sessionFolder)
        } else {
            self = Self.canHold(sessionFolder) ? .command("handoffd &") : .noSessionFolder(sessionFolder)
        }
    }

    private static func isForeign(_ folder: String) -> Bool {
        var status = stat()
        guard stat(folder, &status) == 0, status.st_uid != geteuid() else { return false }
        return status.st_uid != 0 || access(folder, W_OK) != 0
    }

    private static func canHold(_ folder: String) -> Bool {
        var path = folder
        while access(path, F_OK) != 0, path.count > 1 { path = URL(filePath: path).deletingLastPathComponent().path }
        return access(path, W_OK) == 0
    }
}
