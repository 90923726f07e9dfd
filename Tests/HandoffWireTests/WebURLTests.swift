// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

@Suite struct WebURLTests {
    @Test(arguments: [
        "https://example.com", "http://example.com/", "HTTPS://Example.COM/a?b#c", "https://example.com?b",
        "https://example.com#c", "https://xn--bcher-kva.example/%2F..a/...?x=/../#/..", "https://example.com/a%2Fb",
        "https://example.com/?a=@&b=:80",
    ])
    func addressesOfPagesAreTakenByteForByte(text: String) throws {
        let url = try WebURL(text)
        #expect(url.text == text)
        #expect(url.host.name == "example.com" || url.host.name == "xn--bcher-kva.example")
    }

    // Shows X12.
    @Test(arguments: [
        ("https://user@example.com/", WebURLRejection.userInfo), ("https://user:secret@example.com/", .userInfo),
        ("https://example.com@evil.org/", .userInfo), ("https://example.com:443/", .port),
        ("https://example.com:8443/", .port), ("https://example.com:/", .port),
        ("https://bücher.example/", .host(.notASCII)), ("https://exаmple.com/", .host(.notASCII)),
        ("https://example.com./", .host(.dotAtTheEnd)), ("https:///path", .host(.empty)),
        ("https://127.0.0.1/", .host(.address)), ("https://2130706433/", .host(.address)),
        ("https://[::1]/", .host(.address)), ("https://[::1]:80/", .host(.address)),
        ("https://localhost/", .host(.oneLabel)), ("https://ex%61mple.com/", .host(.badLabel)),
        ("ftp://example.com/", .scheme), ("javascript:alert(1)", .scheme), ("https:example.com", .scheme),
        ("https:/example.com", .scheme), ("example.com", .scheme), ("", .scheme), ("file:///etc/passwd", .scheme),
        ("https://example.com/a b", .blankOrControlCharacter), ("https://example.com/a\tb", .blankOrControlCharacter),
        ("https://exam\nple.com/", .blankOrControlCharacter), ("https://example.com/\u{7F}", .blankOrControlCharacter),
        ("https://example.com/\0", .blankOrControlCharacter), (" https://example.com/", .blankOrControlCharacter),
        ("https://example.com\\@evil.org/", .userInfo), ("https://example.com\\a", .backslash),
        ("https://example.com/a\\..\\b", .backslash), ("https://example.com/a/../b", .dotSegment),
        ("https://example.com/a/.%2E/b", .dotSegment), ("https://example.com/%2e", .dotSegment),
        ("https://example.com/ü", .notASCII), ("https://example.com/?q=ü", .notASCII),
    ])
    func otherAddressesReachNoApp(text: String, rejection: WebURLRejection) {
        #expect(throws: rejection) { try WebURL(text) }
        #expect(!rejection.description.isEmpty)
    }

    /// Shows N04: only a browsed page that an app may get has a host in its offer.
    @Test func offersNameTheHostOfAPageThatIsBrowsed() throws {
        let page = "https://Example.com/a?b=1"
        #expect(WebURL.offeredHost(of: page, .browsingWeb)?.name == "example.com")
        #expect(WebURL.offeredHost(of: page, try ActivityType("com.example.reading")) == nil)
        #expect(WebURL.offeredHost(of: "https://example.com:8443/", .browsingWeb) == nil)
        #expect(WebURL.offeredHost(of: nil, .browsingWeb) == nil)
    }

    @Test func longAddressesAreRefused() throws {
        let start = "https://example.com/"
        let fitting = start + String(repeating: "a", count: Limits.urlBytes - start.utf8.count)
        #expect(try WebURL(fitting).text == fitting)
        #expect(throws: WebURLRejection.tooLong) { try WebURL(fitting + "a") }
        #expect(throws: WebURLRejection.tooLong) { try WebURL(start + String(repeating: "a", count: 100_000)) }
    }
}
