// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// A program's sign that it has a document open. It would overwrite a later version with its own text.
struct EditorLock: Hashable, Sendable {
    let program: String
    let host: String
    /// Nil for LibreOffice.
    let process: Int32?

    /// `.~lock.letter.odt#`: comma-separated author, user, host, time and profile.
    init?(libreOffice bytes: [UInt8]) {
        var fields: [[UInt8]] = [[]]
        var isEscaped = false
        for byte in bytes {
            if isEscaped || byte != UInt8(ascii: "\\") && byte != UInt8(ascii: ",") && byte != UInt8(ascii: ";") {
                fields[fields.count - 1].append(byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: ",") {
                fields.append([])
            } else {
                break
            }
        }
        guard fields.count > 3 else { return nil }
        self.init("LibreOffice", String(decoding: fields[2], as: UTF8.self), nil)
    }

    /// `.letter.txt.swp`: Vim's block 0, also written by nano.
    init?(vim bytes: [UInt8]) {
        guard bytes.count >= 108, bytes[0] == UInt8(ascii: "b"), bytes[28...].contains(0) else { return nil }
        let process = bytes[24..<28].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let version = String(decoding: bytes[2..<12].prefix { $0 != 0 }, as: UTF8.self)
        let host = String(decoding: bytes[68..<108].prefix { $0 != 0 }, as: UTF8.self)
        self.init(version.hasPrefix("nano") ? "nano" : "Vim", host, Int32(bitPattern: process))
    }

    /// `.#letter.txt`: a link to `user@host.process:boot`, or a file with that text.
    init?(emacs text: [UInt8]) {
        guard let at = text.lastIndex(of: UInt8(ascii: "@")), let dot = text.lastIndex(of: UInt8(ascii: ".")), at < dot
        else { return nil }
        let digits = text[(dot + 1)...].prefix { $0 != UInt8(ascii: ":") }
        guard let process = Int32(String(decoding: digits, as: UTF8.self)) else { return nil }
        self.init("Emacs", String(decoding: text[(at + 1)..<dot], as: UTF8.self), process)
    }

    private init(_ program: String, _ host: String, _ process: Int32?) {
        self.program = program
        self.host = host
        self.process = process
    }

    /// Another machine's lock cannot be checked, so it expires.
    static let remoteAge: Duration = .seconds(24 * 3600)

    /// A crashed program leaves its lock. A process that began after `made` has reused its number.
    func isHeld(since made: WallTime, now: WallTime) -> Bool {
        guard isOfThisHost else { return made.duration(to: now) < Self.remoteAge }
        if let process { return EditorProcess.wasRunning(process, at: made) }
        return EditorProcess.wasAnyRunning(named: ["soffice.bin", "soffice"], at: made)
    }

    fileprivate var isOfThisHost: Bool {
        // JOE writes this if its shell does not set the host name.
        if host == "here" { return true }
        let own = MachineName.hostName
        guard !own.isEmpty else { return false }
        // Domains are optional, and Vim has room for 39 bytes.
        func first(_ name: String) -> Substring { name.prefix { $0 != "." } }
        return first(own).utf8.prefix(39).elementsEqual(first(host).utf8.prefix(39))
    }
}

extension OpenFile {
    /// An unreadable lock file is ignored.
    func editor(of name: [UInt8], now: WallTime) -> String? {
        func lock(_ lockName: [UInt8], _ read: (borrowing OpenFile) -> EditorLock?) -> String? {
            guard let status = try? status(of: lockName) else { return nil }
            let made = WallTime(milliseconds: FileTime(status.st_mtim).nanoseconds / 1_000_000)
            guard let lock = read(self), lock.isHeld(since: made, now: now) else { return nil }
            // JOE and Jed write Emacs's format, Neovim Vim's.
            return lock.process.flatMap { lock.isOfThisHost ? EditorProcess.name(of: "\($0)") : nil } ?? lock.program
        }
        func head(_ lockName: [UInt8], _ folder: borrowing OpenFile) -> [UInt8]? {
            try? folder.open(lockName, O_RDONLY | O_NONBLOCK | O_NOCTTY).bytes(at: 0, count: 1024)
        }
        let office = Array(".~lock.".utf8) + name + Array("#".utf8)
        if let program = lock(office, { head(office, $0).flatMap(EditorLock.init(libreOffice:)) }) { return program }
        let emacs = Array(".#".utf8) + name
        if let program = lock(
            emacs, { ((try? $0.linkTarget(of: emacs)) ?? head(emacs, $0)).flatMap(EditorLock.init(emacs:)) })
        {
            return program
        }
        // A second Vim takes the next letter.
        for letter in ["p", "o", "n", "m", "l"] {
            let swap = (name.first == UInt8(ascii: ".") ? [] : [UInt8(ascii: ".")]) + name + Array(".sw\(letter)".utf8)
            if let program = lock(swap, { head(swap, $0).flatMap(EditorLock.init(vim:)) }) { return program }
        }
        return nil
    }
}
