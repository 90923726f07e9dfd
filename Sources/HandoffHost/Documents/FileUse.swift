// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffSystem
import HandoffWire

/// A program that keeps the text only in memory cannot be detected.
struct FileUse {
    let hold: DocumentHold?

    /// `files`: the document, or all files of a package.
    init(of files: Set<FileNumber>, _ name: [UInt8], in folder: borrowing OpenFile) {
        var search = Search(files: files)
        // Kate keeps it open while the text is unsaved, and leaves it if it crashes.
        if let swap = try? folder.status(of: Array(".".utf8) + name + Array(".kate-swp".utf8)) {
            search.swapFile = FileNumber(swap)
        }
        search.swapName = Self.swapName(of: name, in: folder)
        hold = search.locked() ?? search.opened()
    }

    /// In a folder of their own, Vim and Neovim name swap files after the document's whole path, with `%` for each
    /// slash.
    private static func swapName(of name: [UInt8], in folder: borrowing OpenFile) -> [UInt8]? {
        guard let own = try? OpenFile.open("/proc/self/fd", O_RDONLY | O_DIRECTORY),
            let path = try? own.linkTarget(of: Array("\(folder.descriptor)".utf8))
        else { return nil }
        let slash = UInt8(ascii: "/"), percent = UInt8(ascii: "%")
        return (path + [slash] + name).map { $0 == slash ? percent : $0 } + Array(".sw".utf8)
    }
}

private struct Search {
    /// Beyond a limit, the rest is considered free.
    private static let time: Duration = .milliseconds(500)
    private static let mostDescriptors = 100_000

    let files: Set<FileNumber>
    var swapFile: FileNumber?
    /// Without its last letter.
    var swapName: [UInt8]?

    // MARK: Locks

    /// /proc/locks lists the locks and leases of all users.
    func locked() -> DocumentHold? {
        guard let list = OpenFile.text(of: "/proc/locks", limit: 4 << 20) else { return nil }
        for line in list.split(separator: "\n") {
            let fields = line.split(separator: " ")
            // An arrow marks a waiting process.
            guard fields.count > 5, fields[1] != "->", let process = Int32(fields[4]), process != getpid() else {
                continue
            }
            let numbers = fields[5].split(separator: ":")
            guard numbers.count == 3, let inode = UInt64(numbers[2]), let major = UInt64(numbers[0], radix: 16),
                let minor = UInt64(numbers[1], radix: 16),
                let file = files.first(where: { $0.inode == inode })
            else { continue }
            // Btrfs shows other device numbers here than for the file.
            guard file.isOn(major, minor) || has(process, file) else { continue }
            return .process(EditorProcess.name(of: "\(process)") ?? "Another program")
        }
        return nil
    }

    private func has(_ process: Int32, _ file: FileNumber) -> Bool {
        guard process > 0, let folder = try? OpenFile.open("/proc/\(process)/fd", O_RDONLY | O_DIRECTORY),
            let names = try? folder.names(atMost: Self.mostDescriptors)
        else { return false }
        return names.contains { folder.file(behind: $0) == file }
    }

    // MARK: Descriptors

    /// Only this user's processes can be read.
    func opened() -> DocumentHold? {
        let end = ContinuousClock.now + Self.time
        let own = "\(getpid())"
        var left = Self.mostDescriptors
        for process in EditorProcess.running() where process != own {
            guard left > 0, .now < end else { return nil }
            guard let folder = try? OpenFile.open("/proc/\(process)/fd", O_RDONLY | O_DIRECTORY),
                let names = try? folder.names(atMost: left)
            else { continue }
            left -= names.count
            for name in names {
                guard let hold = hold(by: process, name, in: folder) else { continue }
                return hold
            }
        }
        return nil
    }

    private func hold(by process: String, _ name: [UInt8], in folder: borrowing OpenFile) -> DocumentHold? {
        // The link's mode shows how the file is open.
        guard let link = try? folder.status(of: name), link.st_mode & S_IWUSR != 0,
            let file = folder.file(behind: name)
        else { return nil }
        let program = { EditorProcess.name(of: process) ?? "Another program" }
        if files.contains(file) { return .process(program()) }
        if file == swapFile { return .editor(program()) }
        guard let swapName, let path = try? folder.linkTarget(of: name) else { return nil }
        let last = path[((path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...]
        return last.dropLast().elementsEqual(swapName) ? .editor(program()) : nil
    }
}

extension FileNumber {
    /// The C library's layout of device numbers.
    fileprivate func isOn(_ major: UInt64, _ minor: UInt64) -> Bool {
        (device >> 8 & 0xFFF | device >> 32 & ~0xFFF) == major && (device & 0xFF | device >> 12 & ~0xFF) == minor
    }
}

extension OpenFile {
    /// Nil if it is not a regular file.
    fileprivate func file(behind name: [UInt8]) -> FileNumber? {
        linkedFile(of: name).flatMap { $0.isFile ? FileNumber(device: $0.device, inode: $0.inode) : nil }
    }
}

enum EditorProcess {
    /// File times lag by a tick, and clocks are set.
    private static let slack: Duration = .seconds(2)

    /// Now, and at that time.
    static func wasRunning(_ process: Int32, at time: WallTime) -> Bool {
        guard process > 0, let start = start(of: "\(process)") else { return false }
        return start <= time.advanced(by: slack)
    }

    /// For all users, because they may share a folder.
    static func wasAnyRunning(named names: Set<String>, at time: WallTime) -> Bool {
        running().contains { process in
            guard let name = OpenFile.text(of: "/proc/\(process)/comm"),
                names.contains(String(name.prefix { $0 != "\n" })),
                let start = start(of: process)
            else { return false }
            return start <= time.advanced(by: slack)
        }
    }

    static func running() -> [String] {
        let names = (try? OpenFile.open("/proc", O_RDONLY | O_DIRECTORY).entries(atMost: .max)) ?? []
        return names.filter { $0.utf8.first.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false }
    }

    /// Nil if it does not run.
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

    /// Nil if it does not run or is a zombie.
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
