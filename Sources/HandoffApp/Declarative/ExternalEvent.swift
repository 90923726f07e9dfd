// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff

/// What comes to the app from outside, as scenes and handlers are chosen for it.
struct ExternalEvent: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case activity(type: String)
        /// A web page in whose place the app goes on, or another URL that the app opens.
        case url(URL)
    }

    let kind: Kind
    /// What conditions are compared with; nil if it is about nothing in particular.
    let subject: String?

    /// A page comes as its URL, and is about that. One without a URL is an activity like any other.
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
