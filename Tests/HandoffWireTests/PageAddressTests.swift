// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

// Shows X11, X12 for the pages that a browser offers and opens.
@Suite struct PageAddressTests {
    @Test(arguments: [
        ("https://example.com", "example.com"), ("https://Example.COM/a%2Fb?c=@#d", "example.com"),
        ("http://xn--bcher-kva.example/ü", "xn--bcher-kva.example"), ("HTTPS://example.com?a", "example.com"),
    ])
    func pagesOfSitesHaveTheirHost(url: String, host: String) throws {
        let page = try #require(PageAddress(url))
        #expect(page.url == url)
        #expect(page.host?.name == host)
    }

    /// Valid pages that no app can claim.
    @Test(arguments: [
        "http://localhost/", "http://127.0.0.1:8080/", "https://example.com:8443/", "http://[::1]/",
        "https://example.com./", "https://bücher.example/", "http://printer/",
    ])
    func pagesElsewhereHaveNone(url: String) throws {
        #expect(try #require(PageAddress(url)).host == nil)
    }

    @Test(arguments: [
        "", "example.com", "ftp://example.com/", "file:///etc/passwd", "javascript:alert(1)", "about:blank",
        "chrome://settings/", "https:", "https:/example.com", "https://", "https:///a", "https://user@example.com/",
        "https://user:secret@example.com/", "https://example.com@evil.example/", "https://example.com/a b",
        "https://example.com/\u{0}", "https://example.com/\nHost: x", "https:\\\\example.com/",
        "https://example.com\\@evil.example/", "https://example.com/\u{202E}moc", " https://example.com/",
        "https://example.com/\u{00A0}",
    ])
    func otherAddressesAreNeitherOfferedNorOpened(url: String) {
        #expect(PageAddress(url) == nil)
    }

    @Test func anAddressOfAHundredKilobytesIsRejected() {
        #expect(PageAddress("https://example.com/" + String(repeating: "a", count: 100_000)) == nil)
    }
}
