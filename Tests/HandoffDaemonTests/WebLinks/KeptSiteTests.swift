// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

// Shows N12, X08.

@Suite struct KeptSiteTests {
    private static let today = WallTime(milliseconds: 1_800_000_000_000)

    private static let kept = KeptSite(
        site: Site(Web.shop.host, reach: .anywhere), place: .root,
        file: SiteFile(bytes: [0x30, 0x80, 0, 10, 10, 255], form: .signed, label: .missing, etag: "W/\"7\""),
        answered: today, claimants: [Web.notes, Web.mail, Web.notes])

    private static let text = """
        handoff-site 1
        host shop.example.com
        reach internet
        place well-known
        answered 1800000000000
        form json
        label right
        etag "1"
        app com.example.notes
        bytes 2

        {}
        """

    @Test func isWrittenAsPeopleReadIt() throws {
        #expect(String(decoding: Web.kept(at: Self.today).encoded(), as: UTF8.self) == Self.text)
    }

    @Test func survivesTheFile() throws {
        let empty = KeptSite(
            site: Web.forum, place: .wellKnown, file: SiteFile(bytes: [], contentType: nil, etag: nil),
            answered: WallTime(milliseconds: 0), claimants: [])
        for kept in [Self.kept, Web.kept(at: Self.today), empty] {
            #expect(try KeptSite(encoded: kept.encoded()) == kept)
        }
    }

    @Test func aFileOfTheLargestSizeFits() throws {
        let file = SiteFile(bytes: Array(repeating: 10, count: Limits.associationBytes), contentType: nil, etag: nil)
        let apps = try (0..<SiteLimits.claimants).map { try BundleID(String(repeating: "a", count: 150) + "\($0)") }
        let kept = KeptSite(
            site: Web.shop, place: .root, file: file, answered: Self.today, claimants: apps)
        #expect(try KeptSite(encoded: kept.encoded()) == kept)
    }

    @Test func noPartOfItIsEnough() {
        let bytes = Self.kept.encoded()
        for length in 0..<bytes.count {
            #expect(throws: WireError.self) { try KeptSite(encoded: Array(bytes.prefix(length))) }
        }
        #expect(throws: WireError.self) { try KeptSite(encoded: bytes + [0]) }
    }

    @Test(arguments: [
        ("handoff-site 1", "handoff-site 2"), ("shop.example.com", "127.0.0.1"), ("shop", "Shop"), ("internet", "moon"),
        ("well-known", "elsewhere"), ("answered 1", "answered -1"), ("answered 1", "answered 01"), ("json", "xml"),
        ("label right", "label left"), ("etag \"1\"", "etag \"1 \""), ("etag \"1\"", "etag "), ("bytes 2", "bytes 3"),
        ("bytes 2", "bytes 99999999999999999999"), ("notes\n", "notes\napp com.example.mail\n"),
        ("notes\n", "notes\napp com.example.notes\n"), ("\n\n", "\nmore 1\n\n"), ("\nform", "\r\nform"),
    ])
    func anythingElseIsRefused(_ part: String, _ other: String) {
        let text = Self.text
        #expect(throws: WireError.self) {
            try KeptSite(encoded: Array(text.replacing(part, with: other, maxReplacements: 1).utf8))
        }
    }

    @Test func aHeadingThatDoesNotEndIsNotReadForEver() {
        let start = Self.text.split(separator: "\nbytes").first ?? ""
        let app = "\napp com.example.notes"
        let endless = String(start) + String(repeating: app, count: 10_000)
        #expect(throws: WireError.self) { try KeptSite(encoded: Array(endless.utf8)) }
    }
}
