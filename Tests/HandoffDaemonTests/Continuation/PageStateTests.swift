// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Shows N03, X12: the part of a state that is sent with a page, and the addresses that are refused.
@Suite struct PageStateTests {
    private let site = try! WebHost("example.com")
    private let personal = Team.personal(AccountID(uncheckedBytes: Array(repeating: 1, count: 32)))
    private let address = "https://example.com/a%2Fb/?q=%C3%BC&x=1#top"

    private func offer(
        host: WebHost? = try! WebHost("example.com"), bundle: String? = nil, type: ActivityType = .browsingWeb
    ) -> Offer {
        Offer(
            activity: BoardFixture.activity(1), type: type, bundle: bundle.map { try! BundleID($0) },
            appName: DisplayText(cleaning: "Firefox"), team: personal, hasWebPage: true, since: BoardFixture.wallZero,
            webHost: host)
    }

    private func state(_ address: String?) -> ActivityState {
        ActivityState(
            type: .browsingWeb, title: "Title", userInfo: [1, 2], webpageURL: address,
            referrerURL: "https://elsewhere.example.org/", targetContentIdentifier: "x", keywords: ["k"],
            supportsStreams: true)
    }

    @Test func appGetsTheAddressByteForByteAndNothingElse() throws {
        let page = try state(address).page(of: offer(), for: .app)
        #expect(page == ActivityState(type: .browsingWeb, title: "Title", webpageURL: address))
    }

    /// The position in the page is sent between browsers only.
    @Test func browserGetsThePlaceOnAPageOfAnotherBrowserAlone() throws {
        #expect(try state(address).page(of: offer(), for: .browser).userInfo == [1, 2])
        #expect(try state(address).page(of: offer(), for: .requester).userInfo == [])
        #expect(try state(address).page(of: offer(bundle: "com.example.app"), for: .browser).userInfo == [])
        #expect(state(address).pageAlone(of: offer()).userInfo == [1, 2])
        #expect(state(address).pageAlone(of: offer(bundle: "com.example.app")).userInfo == [])
        let native = offer(type: try ActivityType("com.example.editing"))
        #expect(state(address).pageAlone(of: native).userInfo == [])
        #expect(!state(address).pageAlone(of: offer()).supportsStreams)
    }

    @Test(arguments: [
        "https://evil.example.org/", "https://www.example.com/", "https://example.com@evil.example.org/",
        "https://user:secret@example.com/", "https://example.com:8443/", "https://example.com./",
        "https://example.com\\@evil.example.org/", "https://exаmple.com/", "https://example.com/a/../b",
        "https://example.com/ü", "http://[::1]/", "https://example.com/" + String(repeating: "a", count: 100_000),
    ])
    func addressOutsideOfferedSiteIsRejected(address: String) {
        for viewer in [PageViewer.app, .browser, .requester] {
            #expect(throws: Failure(.malformed, "")) { try state(address).page(of: offer(), for: viewer) }
        }
    }

    @Test(arguments: [
        nil, "", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "https://example.com/\n",
        "https://example.com/a b", "https://example.com/\u{7F}", " https://example.com/",
        "https://example.com/" + String(repeating: "a", count: 100_000),
    ])
    func nonWebAddressIsRejected(address: String?) {
        for viewer in [PageViewer.app, .browser, .requester] {
            #expect(throws: Failure(.malformed, "")) { try state(address).page(of: offer(), for: viewer) }
        }
    }

    /// The offer names only hosts that apps claim.
    @Test func browserGetsAnyAddressWhereNoSiteWasOffered() throws {
        for address in ["https://user@example.com:8443/ü", "http://localhost/", "https://other.example.org/"] {
            #expect(try state(address).page(of: offer(host: nil), for: .browser).webpageURL == address)
        }
    }
}
