// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffCore

// Shows M06.
@Suite struct ProgramDescriptionTests {
    private static let members = [
        "type": #""org.example.reading""#, "executable": #""reader""#, "arguments": #"["--page={page}", "{target}"]"#,
        "reads": #""the page that it shows""#, "loses": #""marks""#,
    ]

    private func problem(_ changes: [String: String?], entry: String = "org.example.Reader") -> String? {
        var members = Self.members
        for (key, value) in changes { members[key] = value }
        let text = "{" + members.map { "\"\($0)\": \($1)" }.joined(separator: ",") + "}"
        do throws(ProgramDescription.Problem) {
            _ = try ProgramDescription(Array(text.utf8), entry: entry)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func descriptionIsRead() throws {
        let text = "{" + Self.members.map { "\"\($0)\": \($1)" }.joined(separator: ",") + "}"
        let read = try ProgramDescription(Array(text.utf8), entry: "org.example.Reader")
        #expect(read.entry == "org.example.Reader")
        #expect(read.activityType.name == "org.example.reading")
        #expect(read.executable == "reader")
        #expect(read.arguments.templates == ["--page={page}", "{target}"])
        #expect((read.reads, read.loses, read.needs) == ("the page that it shows", "marks", nil))
    }

    @Test func missingAndUnknownKeysAreNamed() {
        for key in Self.members.keys {
            #expect(problem([key: String?.none])?.contains(key) == true)
            #expect(problem([key: .some("7")])?.contains(key) == true)
        }
        #expect(problem(["adapter": "1"]) == "has the unknown key adapter")
    }

    @Test func clauseIsOneShortLine() {
        #expect(problem(["reads": #""a\nb""#]) != nil)
        let long = String(repeating: "a", count: ProgramDescription.clauseCharacters)
        #expect(problem(["reads": "\"\(long)\""]) == nil)
        #expect(problem(["reads": "\"\(long)a\""]) != nil)
        #expect(problem(["needs": "\"\(long)\""]) == nil)
        #expect(problem(["needs": "\"\(long)a\""]) != nil)
    }

    @Test func nameIsAnEntryThatNeitherHandoffNorTheBusRefuses() {
        #expect(problem([:], entry: "mpv")?.contains("its own adapter") == true)
        for entry in ["", "a b", "../a", "7zip", "org.7zip.Viewer", "a..b", String(repeating: "a", count: 240)] {
            #expect(problem([:], entry: entry) != nil, "\(entry)")
        }
        #expect(problem([:], entry: "reader-2") == nil)
    }

    @Test(arguments: ["", "[]", "{", "\u{FEFF}", #"{"type": "a", "type": "b"}"#])
    func otherFilesAreRefused(text: String) {
        #expect(throws: ProgramDescription.Problem.self) {
            try ProgramDescription(Array(text.utf8), entry: "org.example.Reader")
        }
    }
}
