// SPDX-License-Identifier: Apache-2.0

/// One line of a board: what a peer may know of an activity before its user accepts. No state.
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
    /// When it became current.
    package var since: WallTime
    package var expires: WallTime?
    /// Its app has quit: when it had saved last.
    package var saved: WallTime?
    /// Of a page that is being browsed: whose apps may take it. Nil where no app could.
    package var webHost: WebHost?

    /// Offered by an app that was installed unsigned, for its developer's own devices: in the personal team scripts have
    /// no bundle.
    package var isFromDevelopment: Bool {
        switch team {
        case .personal: bundle != nil
        case .developer: false
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
