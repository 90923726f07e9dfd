// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import HandoffWire

/// Shows X08.
@Suite struct FileURLTests {
    /// Names with every ASCII byte, and in several scripts.
    private static let oddNames = bytes + scripts
    private static let bytes: [String] = (UInt8(1)...127).filter { $0 != 47 }.map { byte in
        "x\(Character(UnicodeScalar(byte)))y"
    }
    private static let scripts: [String] = [
        "Grüße an Anna.txt", "Cafe\u{301}.txt", "Caf\u{E9}.txt", "日本.txt", "👩‍👩‍👧.png", "100%.txt", "100%25.txt",
        "a%2Fb", "what?", "a#b", "a;b", "a&b=c", "[1]", "a|b", "C:\\Letters", "%", "%%", "~anna", " ", "a ",
        "\u{202E}txt.exe", "\u{FEFF}", "...",
    ]

    @Test(arguments: oddNames) func fileURLIsWrittenAsFoundationWritesIt(name: String) throws {
        let path = "/home/anna/" + name
        let url = URL(fileURLWithPath: path, isDirectory: false)
        #expect(FileURL(try AbsolutePath(path)).text == url.absoluteString)
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        #expect(FileURL(try AbsolutePath(path), namesFolder: true).text == folder.absoluteString)
    }

    @Test(arguments: oddNames) func foundationURLsAreRead(name: String) throws {
        let path = "/home/anna/" + name
        for isFolder in [false, true] {
            let url = URL(fileURLWithPath: path, isDirectory: isFolder)
            let read = try FileURL(url.absoluteString)
            #expect(read == FileURL(try AbsolutePath(path), namesFolder: isFolder))
            #expect(URL(string: read.text) == url)
        }
    }

    @Test func nonTextBytesSurviveRoundTrip() throws {
        for byte in UInt8(128)...255 {
            let url = FileURL(try AbsolutePath(bytes: [0x2F, 0x61, byte]))
            #expect(url.text == "file:///a%" + [byte].hexadecimal.uppercased())
            #expect(try FileURL(url.text) == url)
        }
    }

    @Test(arguments: [
        "file:///a/b", "FILE:///a/b", "File:/a/b", "fIlE://localhost/a/b", "file://LOCALHOST/a/b", "file:///a/%62",
        "file:///%61/b",
    ])
    func oneFileHasManyURLs(text: String) throws {
        #expect(FileURL.isOne(text))
        #expect(try FileURL(text) == FileURL(AbsolutePath("/a/b")))
    }

    @Test func digitsOfAByteAreOfEitherCase() throws {
        #expect(try FileURL("file:///%c3%A9") == FileURL(AbsolutePath("/\u{E9}")))
        #expect(try FileURL("file:///\u{E9}") == FileURL(AbsolutePath("/\u{E9}")))
    }

    @Test func folderEndsWithASlash() throws {
        #expect(try FileURL("file:///a/").namesFolder)
        #expect(try FileURL("file:///a//") == FileURL("file:///a/"))
        #expect(try FileURL("file:///a//").text == "file:///a/")
        for root in ["file:///", "file:////", "file:/"] {
            let read = try FileURL(root)
            #expect(!read.namesFolder && read.path.text == "/" && read.text == "file:///")
        }
        #expect(FileURL(try AbsolutePath("/"), namesFolder: true).text == URL(fileURLWithPath: "/").absoluteString)
    }

    @Test(arguments: ["http:///a", "", "file", "fil:///a", "files:///a", "file;///a", " file:///a", "file\u{1A}///a"])
    func otherSchemesAreRejected(text: String) {
        #expect(!FileURL.isOne(text))
        #expect(throws: WireError(.malformed, "")) { try FileURL(text) }
    }

    @Test(arguments: [
        "file:///a?b", "file:///a?", "file:///a#b", "file:///a#", "file://server/a", "file://user@localhost/a",
        "file://localhost:80/a", "file://%6Cocalhost/a", "file:///a%", "file:///a%4", "file:///a%zz", "file:///a%+1",
        "file:///a%\u{DF}", "file:///a%2Fb", "file:///a%2fb",
    ])
    func urlOfNoLocalFileIsRejected(text: String) {
        #expect(FileURL.isOne(text))
        #expect(throws: WireError(.malformed, "")) { try FileURL(text) }
    }

    @Test(arguments: ["file:", "file://", "file://localhost", "file:a", "file:a/b", "file:///a%00b", "file:%2Fa"])
    func invalidPathIsRejected(text: String) {
        #expect(throws: WireError.self) { try FileURL(text) }
    }

    /// `AbsolutePath.path(in:)` compares the bytes of the path.
    @Test func climbingPathIsReadButIsInsideNoFolder() throws {
        let climbing = try FileURL("file:///home/anna/%2E%2E/bob")
        #expect(climbing.path.text == "/home/anna/../bob")
        #expect(climbing.path.path(in: try AbsolutePath("/home/anna")) == nil)
    }
}
