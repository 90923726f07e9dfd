// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff

struct ExternalEvent: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case activity(type: String)
        /// A web page to continue, or another URL to open.
        case url(URL)
    }

    let kind: Kind
    /// Compared with conditions.
    let subject: String?

    /// A web page with a URL becomes a URL event.
    init(activityType: String, targetContentIdentifier: String?, webpageURL: URL?) {
        if activityType == NSUserActivityTypeBrowsingWeb, let webpageURL {
            self.init(webpageURL)
        } else {
            self.init(
                kind: .activity(type: activityType), subject: targetContentIdentifier ?? webpageURL?.absoluteString)
        }
    }

    init(_ url: URL) { self.init(kind: .url(url), subject: url.absoluteString) }

    private init(kind: Kind, subject: String?) {
        self.kind = kind
        self.subject = subject
    }
}

extension ExternalEvent {
    init(_ activity: NSUserActivity) {
        self.init(
            activityType: activity.activityType, targetContentIdentifier: activity.targetContentIdentifier,
            webpageURL: activity.webpageURL)
    }
}
