// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffSystem
package import HandoffWire

/// The report of an editor, a shell or a mail program, in a file named by its process.
package struct ProgramReport: Hashable, Sendable {
    /// A path and two numbers, or an identifier and a subject.
    static let maximumBytes = Limits.absolutePathBytes + 64

    package enum Content: Hashable, Sendable {
        /// The folder as the user entered it, perhaps through links.
        case shell(AbsolutePath)
        /// Nil: no file that may continue.
        case editor(AbsolutePath?, ProgramState.Place?)
        /// Nil: no message that may continue.
        case mail(String?, subject: String)
    }

    package let content: Content
    /// Seconds and nanoseconds: of the last report.
    let time: [Int]

    package init?(bytes: [UInt8], time: [Int]) {
        guard bytes.count <= Self.maximumBytes else { return nil }
        self.time = time
        if bytes.first == UInt8(ascii: "/"), let folder = try? AbsolutePath(bytes: bytes) {
            content = .shell(folder)
            return
        }
        // The path is last, because it may contain line breaks.
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        if parts.count == 3, parts[0].elementsEqual("mail".utf8) {
            let id = String(decoding: parts[1], as: UTF8.self)
            let subject = DisplayText(
                cleaning: String(decoding: parts[2], as: UTF8.self), limit: OpenSource.titleCharacters)
            content = .mail(OpenSource.isMessageID(id) ? id : nil, subject: subject.text)
            return
        }
        guard parts.count == 3, let line = Self.number(parts[0]), let column = Self.number(parts[1]) else { return nil }
        content = .editor(try? AbsolutePath(bytes: parts[2]), .cursor(line: line, column: column))
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        Int(String(decoding: digits, as: UTF8.self)).flatMap { $0 >= 1 && $0 <= ProgramState.maximumNumber ? $0 : nil }
    }
}

/// Exists while a program that writes reports is on, so that the others write nothing.
struct ReportFolder: Sendable {
    /// A hostile program of the user could write more.
    static let maximum = 64

    struct File: Sendable {
        let process: Int32
        /// Nil: malformed, or the program is just writing it.
        let report: ProgramReport?
    }

    let path: String

    /// Nil: the session has no folder for such files.
    init?(environment: [String: String]) {
        guard let path = Locations.programReports(in: environment) else { return nil }
        self.path = path
    }

    /// Blocks. False if it cannot be created, or if another user could write there.
    func create() -> Bool {
        var status = stat()
        if mkdir(path, 0o700) != 0, errno != EEXIST { return false }
        return lstat(path, &status) == 0 && status.kind == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o077 == 0
    }

    /// Blocks. With all reports.
    func remove() {
        for name in names(atMost: .max) { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// Blocks.
    func forget(_ process: Int32) { unlink("\(path)/\(process)") }

    /// Blocks.
    func files() -> [File] {
        names(atMost: Self.maximum).compactMap { name in
            guard let process = Int32(name), process > 1 else { return nil }
            return File(process: process, report: report(in: "\(path)/\(name)"))
        }
    }

    private func report(in path: String) -> ProgramReport? {
        guard let file = try? OpenFile.open(path, O_RDONLY | O_NONBLOCK) else { return nil }
        var status = stat()
        guard fstat(file.descriptor, &status) == 0, status.kind == S_IFREG,
            let bytes = try? file.readAll(limit: ProgramReport.maximumBytes)
        else { return nil }
        return ProgramReport(bytes: bytes, time: [status.st_mtim.tv_sec, status.st_mtim.tv_nsec])
    }

    private func names(atMost most: Int) -> [String] {
        let names = try? OpenFile.open(path, O_RDONLY | O_DIRECTORY).names(atMost: most)
        return (names ?? []).map { String(decoding: $0, as: UTF8.self) }
    }
}
