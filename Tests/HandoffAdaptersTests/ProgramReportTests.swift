// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HandoffSystem
import HandoffWire
import Testing

@testable import HandoffAdapters

final class ProgramReportTests {
    private let runtime = NSTemporaryDirectory() + "handoff-run-\(UUID().uuidString)"
    private let folder: ReportFolder

    init() throws {
        try FileManager.default.createDirectory(
            atPath: runtime, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        folder = try #require(ReportFolder(environment: ["XDG_RUNTIME_DIR": runtime]))
    }

    deinit { try? FileManager.default.removeItem(atPath: runtime) }

    private func report(_ text: String) -> ProgramReport? { ProgramReport(bytes: Array(text.utf8), time: [0, 0]) }

    // Shows M04.
    @Test func editorReportsItsFileAndCursor() throws {
        let written = try #require(report("40\n3\n/home/anna/a\nb.txt"))
        #expect(
            written.content == .editor(try AbsolutePath("/home/anna/a\nb.txt"), .cursor(line: 40, column: 3)))
    }

    // Shows M05.
    @Test func shellReportsItsFolder() throws {
        let folder = try AbsolutePath("/home/anna/a\nb")
        #expect(try #require(report("/home/anna/a\nb")).content == .shell(folder))
    }

    // Shows M05.
    @Test func mailProgramReportsItsMessage() throws {
        let id = "sea+1%20=a@example.com"
        #expect(try #require(report("mail\n\(id)\nGrüße")).content == .mail(id, subject: "Grüße"))
        let long = String(repeating: "a", count: 999)
        for other in ["", "a b@example.com", "<a@example.com>", "a\u{7F}@b", "ä@b", long] {
            guard case .mail(nil, let subject)? = report("mail\n\(other)\n\u{1B}[2J")?.content else {
                Issue.record("\(other)")
                continue
            }
            #expect(!subject.contains("\u{1B}"))
        }
        #expect(report("mail\na@b") == nil)
    }

    @Test func editorWithoutAFileOffersNone() throws {
        #expect(try #require(report("1\n1\n")).content == .editor(nil, .cursor(line: 1, column: 1)))
        #expect(try #require(report("1\n1\nnotes.txt")).content == .editor(nil, .cursor(line: 1, column: 1)))
    }

    @Test(arguments: [
        "", "x", "1", "1\n2", "0\n1\n/a", "1\n0\n/a", "-1\n1\n/a", "1.5\n1\n/a", "99999999999999999999\n1\n/a",
        "1\n2000000000\n/a",
    ])
    func otherReportIsIgnored(text: String) { #expect(report(text) == nil) }

    @Test(arguments: ["a", "1", "0", "-7", "99999999999", "7.swp"])
    func fileThatNoProcessNamesIsIgnored(name: String) throws {
        #expect(folder.create())
        try Data("1\n1\n/a".utf8).write(to: URL(filePath: "\(folder.path)/\(name)"))
        #expect(folder.files().isEmpty)
    }

    @Test func largeReportIsIgnored() {
        let bytes = [UInt8](repeating: 0x61, count: ProgramReport.maximumBytes + 1)
        #expect(ProgramReport(bytes: Array("1\n1\n/".utf8) + bytes, time: [0, 0]) == nil)
    }

    @Test func onlyPlainFilesAreRead() throws {
        #expect(folder.create())
        try Data("1\n1\n/a".utf8).write(to: URL(filePath: folder.path + "/700"))
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/701", withDestinationPath: "/dev/zero")
        #expect(mkfifo(folder.path + "/702", 0o600) == 0)
        try FileManager.default.createDirectory(atPath: folder.path + "/703", withIntermediateDirectories: false)
        #expect(folder.files().filter { $0.report != nil }.map(\.process) == [700])
    }

    // A program that is writing its report has not ended.
    @Test func emptyReportKeepsItsProcess() throws {
        #expect(folder.create())
        try Data().write(to: URL(filePath: folder.path + "/700"))
        #expect(folder.files().map(\.process) == [700])
    }

    @Test func manyReportsAreReadUpToALimit() throws {
        #expect(folder.create())
        for number in 0...ReportFolder.maximum {
            try Data("/a".utf8).write(to: URL(filePath: folder.path + "/\(number + 100)"))
        }
        #expect(folder.files().count == ReportFolder.maximum)
    }

    @Test func folderThatOthersCanWriteIsRefused() throws {
        #expect(folder.create())
        #expect(chmod(folder.path, 0o777) == 0)
        #expect(!folder.create())
        folder.remove()
        try FileManager.default.createSymbolicLink(atPath: folder.path, withDestinationPath: "/tmp")
        #expect(!folder.create())
    }

    @Test func folderIsRemovedWithItsReports() throws {
        #expect(folder.create())
        try Data().write(to: URL(filePath: folder.path + "/700"))
        folder.remove()
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test func parentOfAProcessIsKnown() {
        #expect(ProcessParent.of(getpid()) == getppid())
        #expect(ProcessParent.of(.max) == nil)
    }
}
