// SPDX-License-Identifier: Apache-2.0

/// A line of a board. Has no state, because peers see it before their user accepts.
package struct Offer: Hashable, Sendable {
    package var activity: ActivityID
    package var type: ActivityType
    package var title: DisplayText?
    /// Nil for a script.
    package var bundle: BundleID?
    package var appName: DisplayText
    package var team: Team
    package var supportsStreams: Bool
    package var hasWebPage: Bool
    package var since: WallTime
    package var expires: WallTime?
    /// The last save, if the app has quit.
    package var saved: WallTime?
    /// Nil if no app could continue it.
    package var webHost: WebHost?

    /// Title, else the page's host, else the app's name. A page never gets the app's name: its app is a browser.
    package var knownTitle: String {
        [title?.text, webHost?.name, hasWebPage ? nil : appName.text].compactMap(\.self).first { !$0.isEmpty } ?? ""
    }

    /// Scripts have no bundle.
    package var isFromDevelopment: Bool {
        switch team {
        case .personal: bundle != nil
        case .developer, .system: false
        }
    }

    package init(
        activity: ActivityID, type: ActivityType, title: DisplayText? = nil, bundle: BundleID? = nil,
        appName: DisplayText, team: Team, supportsStreams: Bool = false, hasWebPage: Bool = false,
        since: WallTime, expires: WallTime? = nil, saved: WallTime? = nil, webHost: WebHost? = nil
    ) {
        self.activity = activity
        self.type = type
        self.title = title
        self.bundle = bundle
        self.appName = appName
        self.team = team
        self.supportsStreams = supportsStreams
        self.hasWebPage = hasWebPage
        self.since = since
        self.expires = expires
        self.saved = saved
        self.webHost = webHost
    }
}
