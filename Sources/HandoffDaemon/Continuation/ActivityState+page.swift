// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

enum PageViewer: Hashable, Sendable {
    case app
    case browser
    case requester
}

extension ActivityState {
    /// Between browsers, includes the position in the page.
    func pageAlone(of offer: Offer) -> ActivityState {
        ActivityState(
            type: type, title: title, userInfo: offer.isFromBrowser ? userInfo : [], webpageURL: webpageURL,
            referrerURL: referrerURL)
    }

    /// For the viewer, with the address unchanged byte for byte. The origin is not trusted: throws if the address is
    /// not a web page, or not on the offered site.
    func page(of offer: Offer, for viewer: PageViewer) throws(Failure) -> ActivityState {
        guard let address = webpageURL else { throw Failure(.malformed, "the origin sent no web page") }
        guard WebPageURL.isAllowed(address), address.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw Failure(.malformed, "the origin did not send the address of a web page")
        }
        if let host = offer.browsedHost { try Self.check(address, isOf: host) }
        switch viewer {
        case .app:
            // The referrer may be any site.
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
                .malformed,
                "the address that the origin sent cannot be verified to be on \(host.name), which it offered: \(error)")
        }
        guard url.host == host else {
            throw Failure(
                .malformed, "the page there is no longer on \(host.name), the site that was offered; try again")
        }
    }
}
