// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
package import HandoffWire

/// Flatpak puts this file into the root of each sandbox and of its proxy. It is read-only, and a sandboxed program
/// cannot mount.
package enum FlatpakInfo: Hashable, Sendable {
    case app(BundleID)
    case isMissing
    /// Or it names no app.
    case isUnreadable

    /// Bytes; a real file has about 1 KiB.
    static let bytes = 64 << 10

    /// Blocks as long as the file system of the process's root.
    static func of(_ process: Int32, proc: String = "/proc") -> FlatpakInfo {
        do throws(SystemError) {
            let file = try OpenFile.open("\(proc)/\(process)/root/.flatpak-info", O_RDONLY | O_NONBLOCK)
            guard try file.status().kind == S_IFREG else { return .isUnreadable }
            return FlatpakInfo(try file.readAll(limit: bytes))
        } catch {
            return error.code == ENOENT || error.code == ENOTDIR ? .isMissing : .isUnreadable
        }
    }

    package init(_ bytes: [UInt8]) {
        var group = Substring()
        var names: [Substring] = []
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("[") {
                group = line
            } else if group == "[Application]", line.hasPrefix("name=") {
                names.append(line.dropFirst("name=".count))
            }
        }
        // Flatpak writes the name once.
        guard names.count == 1, let app = try? BundleID(String(names[0])) else {
            self = .isUnreadable
            return
        }
        self = .app(app)
    }
}
