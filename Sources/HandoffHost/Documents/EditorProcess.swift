// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffWire

/// Other processes, by /proc.
enum EditorProcess {
    /// A file's time is that of the last tick, and clocks are set.
    private static let slack: Duration = .seconds(2)

    /// Whether the process with that number runs, and did so at that time.
    static func wasRunning(_ process: Int32, at time: WallTime) -> Bool {
        guard process > 0, let start = start(of: "\(process)") else { return false }
        return start <= time.advanced(by: slack)
    }

    /// Every user is looked at: two may share a folder.
    static func wasAnyRunning(named names: Set<String>, at time: WallTime) -> Bool {
        running().contains { process in
            guard let name = OpenFile.text(of: "/proc/\(process)/comm"),
                names.contains(String(name.prefix { $0 != "\n" })),
                let start = start(of: process)
            else { return false }
            return start <= time.advanced(by: slack)
        }
    }

    /// The numbers of all processes.
    static func running() -> [String] {
        let names = (try? OpenFile.open("/proc", O_RDONLY | O_DIRECTORY).entries(atMost: .max)) ?? []
        return names.filter { $0.utf8.first.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false }
    }

    /// For people: "Kate". Nil if it does not run.
    static func name(of process: String) -> String? {
        guard let text = OpenFile.text(of: "/proc/\(process)/comm") else { return nil }
        let name = text.prefix { $0 != "\n" }
        switch name.prefix(while: { $0 != "." && $0 != "-" }) {
        case "vi", "view", "vim", "gvim", "vimdiff": return "Vim"
        case "nvim": return "Neovim"
        case "emacs", "emacsclient": return "Emacs"
        case "joe", "jmacs", "jpico", "jstar", "rjoe": return "JOE"
        case "jed", "xjed": return "Jed"
        case "kate": return "Kate"
        case "kwrite": return "KWrite"
        case "soffice": return "LibreOffice"
        default: return String(name)
        }
    }

    /// Nil if it does not run. A zombie does not.
    private static func start(of process: String) -> WallTime? {
        // Its name, in parentheses, may hold anything.
        guard let text = OpenFile.text(of: "/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else {
            return nil
        }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 19, fields[0] != "Z", fields[0] != "X", let ticks = Int64(fields[19]) else { return nil }
        let perSecond = Int64(sysconf(CInt(_SC_CLK_TCK)))
        guard perSecond > 0 else { return nil }
        return FileClock.now.advanced(by: .seconds(ticks / perSecond) - FileClock.sinceBoot)
    }
}
