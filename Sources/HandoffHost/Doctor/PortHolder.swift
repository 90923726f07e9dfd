// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffWire

/// The program that listens at a TCP port, from /proc. Programs of other users are not found, except by root.
package enum PortHolder {
    /// Bytes of the kernel's table, and descriptors of one process.
    private static let mostBytes = 4 << 20
    private static let mostDescriptors = 100_000

    package static func of(_ port: UInt16) -> (name: String, process: Int)? {
        let tables = ["/proc/net/tcp", "/proc/net/tcp6"].compactMap { OpenFile.text(of: $0, limit: mostBytes) }
        let sockets = Set(tables.flatMap { listeners(at: port, in: $0) }.map { Array("socket:[\($0)]".utf8) })
        guard !sockets.isEmpty else { return nil }
        for process in EditorProcess.running() {
            guard let folder = try? OpenFile.open("/proc/\(process)/fd", O_RDONLY | O_DIRECTORY),
                let names = try? folder.names(atMost: mostDescriptors), let number = Int(process),
                names.contains(where: { (try? folder.linkTarget(of: $0)).map(sockets.contains) ?? false })
            else { continue }
            return (DisplayText(cleaning: EditorProcess.name(of: process) ?? "a program").text, number)
        }
        return nil
    }

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
}
