// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem

struct StateHolder: Equatable {
    struct Host: Equatable {
        var name: String
        /// Changes at each boot.
        var boot: String
        /// The same across boots, and on a copy of the disk.
        var machine: String

        static var here: Host {
            Host(
                name: MachineName.hostName, boot: line(of: "/proc/sys/kernel/random/boot_id"),
                machine: line(of: "/etc/machine-id"))
        }

        private static func line(of path: String) -> String {
            String((OpenFile.text(of: path) ?? "").prefix { !$0.isWhitespace })
        }

        /// Then the processes of `other` are gone.
        func isLaterBoot(of other: Host) -> Bool {
            boot != other.boot && !machine.isEmpty && machine == other.machine && name == other.name
        }
    }

    var host: Host
    var process: Int32
    /// Random at each start.
    var start: UInt64
    /// Increases while the daemon runs. Nil: the kernel's lock is enough.
    var beat: UInt64?

    private static let heading = "handoff-lock 1"
    static let bytes = 4096
    /// After a clean exit. Not empty, so that a full disk has room for the next name.
    static var none: [UInt8] { Array("\(heading)\n".utf8) }

    var encoded: [UInt8] {
        let name = host.name.isEmpty ? "-" : String(host.name.map { $0.isWhitespace ? "_" : $0 })
        let lines = [
            Self.heading, "host \(name)", "boot \(host.boot)", "machine \(host.machine)", "process \(process)",
            "start \(start)", "beat \(beat.map { "\($0)" } ?? "-")",
        ]
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// Nil: a clean exit, or not a daemon's text.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.first.map(String.init) == Self.heading else { return nil }
        var values: [String: String] = [:]
        for line in lines.dropFirst() {
            let words = line.split(separator: " ")
            if words.count == 2 { values[String(words[0])] = String(words[1]) }
        }
        guard let name = values["host"], let start = values["start"].flatMap(UInt64.init) else { return nil }
        host = Host(name: name, boot: values["boot"] ?? "", machine: values["machine"] ?? "")
        process = values["process"].flatMap(Int32.init) ?? 0
        self.start = start
        beat = values["beat"].flatMap(UInt64.init)
    }

    init(host: Host, process: Int32, start: UInt64, beat: UInt64?) {
        self.host = host
        self.process = process
        self.start = start
        self.beat = beat
    }
}
