// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem
import Testing

@testable import HandoffBrowserHost

// Shows M05.
final class MailReportTests {
    private let runtime = NSTemporaryDirectory() + "handoff-mail-\(UUID().uuidString)"
    private var folder: String { runtime + "/handoff-programs" }

    init() throws { try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: runtime) }

    /// The report after each message, and whether one is left at the end.
    private func reports(_ messages: [String]) throws -> (last: String?, isLeft: Bool) {
        let mail = try #require(MailReport(environment: ["XDG_RUNTIME_DIR": runtime], process: 7))
        let pipe = try ProgramPipe()
        var last: String?
        for message in messages { #expect(pipe.write(try NativeFrame.framed(Array(message.utf8)))) }
        pipe.closeWriting()
        try mail.run(input: pipe.reading) { last = try? String(contentsOfFile: folder + "/7", encoding: .utf8) }
        return (last, FileManager.default.fileExists(atPath: folder + "/7"))
    }

    @Test func latestMessageIsReportedUntilTheAddOnLeaves() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let (last, isLeft) = try reports([
            #"{"id": "a@b", "subject": "One"}"#, #"{"id": "c@d", "subject": "Two\n\nlines"}"#,
        ])
        #expect(last == "mail\nc@d\nTwolines" && !isLeft)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test func nothingIsWrittenWhileNoMailProgramIsOn() throws {
        #expect(try reports([#"{"id": "a@b", "subject": "One"}"#]).last == nil)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func otherMessagesAreIgnoredAndATooLongMessageFails() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(try reports(["", "[]", #"{"id": 5, "subject": ""}"#]).last == nil)
        let mail = try #require(MailReport(environment: ["XDG_RUNTIME_DIR": runtime], process: 7))
        let pipe = try ProgramPipe()
        #expect(pipe.write([0xFF, 0xFF, 0xFF, 0x7F]))
        #expect(throws: NativeFrameError.self) { try mail.run(input: pipe.reading) }
    }
}
