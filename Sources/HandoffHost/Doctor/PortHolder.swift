// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import HandoffSystem

/// The program that listens at a TCP port, from /proc. Programs of other users are not found, except by root.
struct PortHolder: Equatable {
    let name: String
    let process: Int

    init?(of port: UInt16, tables: [String] = ["/proc/net/tcp", "/proc/net/tcp6"].compactMap(Self.read)) {
        let sockets = Set(tables.flatMap { Self.listeners(at: port, in: $0) }.map { "socket:[\($0)]" })
        guard !sockets.isEmpty else { return nil }
        let files = FileManager.default
        for process in (try? files.contentsOfDirectory(atPath: "/proc"))?.compactMap({ Int($0) }) ?? [] {
            let folder = "/proc/\(process)/fd"
            let descriptors = (try? files.contentsOfDirectory(atPath: folder)) ?? []
            guard descriptors.contains(where: { "\(folder)/\($0)".linkTarget().map(sockets.contains) ?? false }) else {
                continue
            }
            let name = Self.read("/proc/\(process)/comm")?.split(separator: "\n").first ?? "a program"
            (self.name, self.process) = (String(name), process)
            return
        }
        return nil
    }

    /// The numbers of the sockets.
    static func listeners(at port: UInt16, in table: String) -> [String] {
        table.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: " ")
            let isListening = "0A"
            guard fields.count > 9, fields[3] == isListening,
                fields[1].split(separator: ":").last.flatMap({ UInt16($0, radix: 16) }) == port
            else { return nil }
            return String(fields[9])
        }
    }

    private static func read(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
