// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

// A web page on its way from one device to another.

/// Who shows a page.
package enum PageViewer: Hashable, Sendable {
    /// Approved for its host, or a browser of another team.
    case app
    case browser
    /// Who asked, and opens it in the user's browser.
    case requester
}

extension ActivityState {
    /// What leaves the origin where the page alone was asked for. Only between browsers is there more to it: the place on
    /// the page.
    package func pageAlone(of offer: Offer) -> ActivityState {
        ActivityState(
            type: type, title: title, userInfo: offer.isFromBrowser ? userInfo : [], webpageURL: webpageURL,
            referrerURL: referrerURL)
    }

    /// What its viewer gets at the receiver, the address byte for byte as it came. The origin may be anybody's program:
    /// throws where it is no page, or not of the site that was offered. What a person chose is what opens, whoever opens it.
    package func page(of offer: Offer, for viewer: PageViewer) throws(Failure) -> ActivityState {
        guard let address = webpageURL else { throw Failure(.malformed, "the origin sent no web page") }
        guard WebPageURL.isAllowed(address), address.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw Failure(.malformed, "what the origin sent is not the address of a web page")
        }
        if let host = offer.browsedHost { try Self.check(address, isOf: host) }
        switch viewer {
        case .app:
            // Where its user came from may be any site, of which the app is to hear nothing.
            return ActivityState(type: type, title: title, webpageURL: address)
        case .browser:
            return ActivityState(
                type: type, title: title, userInfo: offer.isFromBrowser ? userInfo : [], webpageURL: address,
                referrerURL: referrerURL)
        case .requester:
            return ActivityState(type: type, title: title, webpageURL: address, referrerURL: referrerURL)
        }
    }

    private static func check(_ address: String, isOf host: WebHost) throws(Failure) {
        let url: WebURL
        do throws(WebURLRejection) {
            url = try WebURL(address)
        } catch {
            throw Failure(
                .malformed, "what the origin sent cannot be told to be of \(host.name), which it offered: \(error)")
        }
        guard url.host == host else {
            throw Failure(
                .malformed, "the page there is now of another site than \(host.name), which was offered; try again")
        }
    }
}
