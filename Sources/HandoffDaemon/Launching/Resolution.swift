// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// An offer's target on this device, with the reason.
///
/// A page that is being browsed goes to the first of these:
///
/// 1. the app or browser that the user chose for its host
/// 2. an app whose claim for the host the site approves
/// 3. an app of the origin's team that declares the type
/// 4. a running browser with the extension
/// 5. a running app of any team that declares the type
/// 6. the desktop's default browser
///
/// Any other activity goes to an app of its team that declares its type, else, as a web page, to a browser, else,
/// within the personal team, to a script.
struct Resolution: Hashable, Sendable {
    var target: ListedActivity.Target
    /// Empty unless the target is an app or a running browser.
    var targetName: DisplayText
    /// The origin sends only the address and title.
    var isPageAlone: Bool
    var isForBrowserToo: Bool
    var reason: String
    /// A clause. Nil: it continues, or nothing helps.
    var advice: String?

    struct Wish: Hashable, Sendable {
        var app: BundleID?
        var inBrowser: Bool = false
    }

    struct Candidates: Hashable, Sendable {
        var apps: [AppCandidate]
        /// Running, with the extension.
        var browser: DisplayText?
        var choice: WebTaker?
        var personalTeam: Team?
    }

    static func of(_ offer: Offer, wish: Wish = Wish(), among candidates: Candidates) -> Resolution {
        if let bundle = wish.app { return only(bundle, offer, candidates) }
        if wish.inBrowser {
            return offer.hasWebPage
                ? page(candidates, because: "you asked for a browser") : nothing("this activity has no web page")
        }
        if offer.isBrowsedPage { return browsed(offer, candidates) }
        if let best = AppChoice.ranked(candidates.apps, for: offer).first {
            return app(best, offer, because: sameTeam(best))
        }
        let misfit = Misfit.nearest(offer, candidates.apps)
        if offer.hasWebPage { return page(candidates, because: misfit.reason) }
        if let personalTeam = candidates.personalTeam, offer.team == personalTeam {
            return Resolution(.script, because: misfit.reason)
        }
        return nothing(misfit.reason, advice: misfit.advice)
    }

    private static func only(_ bundle: BundleID, _ offer: Offer, _ candidates: Candidates) -> Resolution {
        guard let candidate = candidates.apps.first(where: { $0.app.bundle == bundle }) else {
            return nothing("\(bundle) is not installed")
        }
        let fit = candidate.fit(offer)
        guard fit.mayBeChosen else {
            let misfit = Misfit(fit, candidate, offer)
            return nothing(misfit.reason, advice: misfit.advice)
        }
        return app(candidate, offer, because: "\(candidate.app.name) was requested")
    }

    // MARK: Pages that are being browsed

    private static func browsed(_ offer: Offer, _ candidates: Candidates) -> Resolution {
        var passedOver = ""
        if let host = offer.browsedHost, let choice = candidates.choice {
            switch choice {
            case .browser: return page(candidates, because: "you chose the browser for \(host)")
            case .app(let bundle):
                let chosen = only(bundle, offer, candidates)
                guard case .nothing(let why) = chosen.target else {
                    return chosen.because("you chose \(chosen.targetName) for \(host)")
                }
                passedOver = "; the app you chose for \(host) cannot: \(why)"
            }
        }
        return unchosen(offer, candidates).adding(passedOver)
    }

    private static func unchosen(_ offer: Offer, _ candidates: Candidates) -> Resolution {
        let ranked = AppChoice.ranked(candidates.apps, for: offer)
        if let best = ranked.first {
            let name = best.app.name
            guard best.fit(offer) == .approved, let host = offer.browsedHost else {
                return app(best, offer, because: sameTeam(best))
            }
            let isOneOfSeveral = ranked.count { $0.fit(offer) == .approved } > 1
            let first = best.recency == nil ? "is first by name" : "was used most recently"
            let reason = "\(host) and \(name) approve each other"
            return app(best, offer, because: isOneOfSeveral ? "\(reason), and \(first)" : reason)
        }
        let noApp = Misfit.nearest(offer, candidates.apps).reason
        if candidates.browser != nil { return page(candidates, because: noApp) }
        if let shows = AppChoice.runningBrowsers(candidates.apps, for: offer).first {
            return app(shows, offer, because: "\(noApp); \(shows.app.name) shows web pages and is running")
        }
        return page(candidates, because: noApp)
    }

    // MARK: Construction

    private init(_ target: ListedActivity.Target, because reason: String) {
        self.target = target
        targetName = DisplayText(cleaning: "")
        isPageAlone = false
        isForBrowserToo = false
        self.reason = reason
    }

    static func nothing(_ reason: String, advice: String? = nil) -> Resolution {
        var resolution = Resolution(.nothing(reason), because: reason)
        resolution.advice = advice
        return resolution
    }

    var isNothing: Bool {
        if case .nothing = target { true } else { false }
    }

    private static func app(_ candidate: AppCandidate, _ offer: Offer, because reason: String) -> Resolution {
        var resolution = Resolution(.app(candidate.app.bundle), because: reason)
        resolution.targetName = candidate.app.name
        resolution.isPageAlone = candidate.fit(offer).isPageAlone
        resolution.isForBrowserToo = offer.hasWebPage
        return resolution
    }

    private static func sameTeam(_ candidate: AppCandidate) -> String {
        "\(candidate.app.name) is of the same team and supports this activity type"
            + (candidate.isPreferred ? ", and you prefer it" : "")
    }

    private static func page(_ candidates: Candidates, because reason: String) -> Resolution {
        let shows = candidates.browser.map { "\($0) shows its web page" } ?? "the default browser opens its web page"
        var resolution = Resolution(.webPage, because: "\(reason); \(shows)")
        resolution.targetName = candidates.browser ?? DisplayText(cleaning: "")
        resolution.isPageAlone = true
        return resolution
    }

    private func because(_ reason: String) -> Resolution {
        var resolution = self
        resolution.reason = reason
        return resolution
    }

    private func adding(_ remark: String) -> Resolution { because(reason + remark) }
}
