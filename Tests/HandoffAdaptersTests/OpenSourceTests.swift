// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire
import Testing

@testable import HandoffAdapters

struct OpenSourceTests {
    // Shows M02.
    @Test(arguments: [
        ("https://films.example/a.mkv?t=1", "https://films.example/a.mkv?t=1"),
        ("https://anna:secret@films.example/a.mkv", "https://films.example/a.mkv"),
        ("http://anna@b@films.example", "http://films.example"),
    ])
    func credentialsDoNotLeaveTheDevice(url: String, offered: String) {
        #expect(OpenSource(url: url) == .page(offered))
    }

    @Test(arguments: [
        "", "a.mkv", "smb://server/a.mkv", "javascript:alert(1)", "edl://a", "https://", "https://a@/", "https:a@b/c",
        "https://films.example/a b", "https://films.example/a\nb", "file:///home/anna/films/", "file://server/a.mkv",
        "file:///home/a%00b", "https://anna:secret\\@films.example/",
    ])
    func otherAddressesAreNotOffered(url: String) {
        #expect(OpenSource(url: url) == nil)
    }

    @Test func fileIsNamedByItsPath() throws {
        #expect(OpenSource(url: "file:///home/anna/a%20b.mkv") == .file(try AbsolutePath("/home/anna/a b.mkv")))
    }

    // Shows M02.
    @Test func stateSurvivesTheBus() throws {
        let states = [
            ProgramState(source: .page("https://films.example/a.mkv"), place: .time(61.5), isPlaying: true),
            ProgramState(source: .homeFile(try DocumentPath("Videos/a\nb.mkv"), FileContent(bytes: 12))),
            ProgramState(
                source: .homeFile(
                    try DocumentPath("a.pdf"), FileContent(bytes: 12, digest: Array(repeating: 7, count: 32))),
                place: .page(7)),
            ProgramState(
                source: .homeFile(
                    try DocumentPath("src/a.c"), FileContent(bytes: 12),
                    CheckoutPlace(remote: "example.com/a", path: try DocumentPath("a.c")))),
            ProgramState(source: .message("sea+1%20=a@example.com")),
            ProgramState(
                source: .homeFolder(try DocumentPath("src"), CheckoutPlace(remote: "example.com/a", path: nil))),
        ]
        for state in states { #expect(try ProgramState(["user-info": state.userInfo]) == state) }
    }

    @Test(arguments: [
        ["uri": BusValue.string("file:///etc/passwd")], ["uri": .string("smb://a/b")], ["uri": .int64(5)], [:],
        ["home-path": .bytes(Array("../.ssh/id".utf8)), "size": .int64(5)],
        ["home-path": .bytes(Array("/etc/passwd".utf8)), "size": .int64(5)],
        ["home-path": .bytes(Array("a".utf8))], ["home-path": .string("a"), "size": .int64(5)],
        ["home-path": .bytes(Array("a".utf8)), "size": .int64(-1)],
        ["message-id": .string("-a b")], ["message-id": .string("<a@b>")], ["message-id": .string("")],
        ["home-folder": .bytes([97]), "repository": .string("a"), "repository-path": .bytes(Array("../a".utf8))],
    ])
    func stateOfAnotherDeviceMustNameAnAddressOrAFileInTheHomeFolder(values: [String: BusValue]) {
        #expect(throws: BusFailure.self) { try ProgramState(["user-info": .properties(values)]) }
    }

    @Test(arguments: [-1.0, .infinity, .nan])
    func impossiblePositionIsIgnored(seconds: Double) throws {
        let values: [String: BusValue] = ["uri": .string("https://films.example/a"), "seconds": .double(seconds)]
        #expect(try ProgramState(["user-info": .properties(values)]).place == nil)
    }

    @Test func pageIsWithinItsLimits() throws {
        func place(_ page: BusValue) throws -> ProgramState.Place? {
            try ProgramState(["user-info": .properties(["uri": .string("https://a.example/"), "page": page])]).place
        }
        #expect(try place(.int64(0)) == nil)
        #expect(try place(.int64(.min)) == nil)
        #expect(try place(.string("3")) == nil)
        #expect(try place(.int64(.max)) == .page(ProgramState.maximumNumber))
    }

    // Shows M03.
    @Test func viewerNamesAFileByItsPathOrURL() throws {
        let file = OpenSource.file(try AbsolutePath("/home/anna/a #1.pdf"))
        #expect(OpenSource(pathOrURL: "/home/anna/a #1.pdf") == file)
        #expect(OpenSource(pathOrURL: "file:///home/anna/a%20%231.pdf") == file)
        #expect(OpenSource(pathOrURL: "a.pdf") == nil)
        #expect(OpenSource(pathOrURL: "") == nil)
    }
}
