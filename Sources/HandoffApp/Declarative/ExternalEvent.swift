// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff

struct ExternalEvent: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case activity(type: String)
        /// A web page that the app continues, or another URL that the app opens.
        case url(URL)
    }

    let kind: Kind
    /// The text that conditions are compared with; nil without a subject.
    let subject: String?

    /// A web page becomes a URL event. If it has no URL, it is an ordinary activity.
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
