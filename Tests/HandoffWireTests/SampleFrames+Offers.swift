// SPDX-License-Identifier: Apache-2.0

@testable import HandoffWire

extension SampleFrames {
    static let offer = Offer(
        activity: activity, type: type, title: DisplayText(cleaning: "Weather"), bundle: bundle,
        appName: DisplayText(cleaning: "MonkeyBrowser"), team: team, supportsStreams: true, hasWebPage: true,
        since: noon, expires: noon.advanced(by: .seconds(60)))
    static let scriptOffer = Offer(
        activity: activity, type: type, appName: DisplayText(cleaning: "handoff"), team: .personal(account), since: noon
    )
    static let programOffer = Offer(
        activity: activity, type: .playingMedia, title: DisplayText(cleaning: "A film"), bundle: program,
        appName: DisplayText(cleaning: "mpv"), team: .system(account), since: noon)
    static let program = try! BundleID(systemProgram: "mpv")
    /// The app has quit.
    static let keptOffer: Offer = {
        var kept = offer
        kept.saved = noon
        return kept
    }()
    static let host = try! WebHost("www.example.com")
    /// From a browser.
    static let browsedOffer: Offer = {
        var browsed = scriptOffer
        browsed.hasWebPage = true
        browsed.webHost = host
        return browsed
    }()
    static let site = SiteSummary(
        host: host, mayBePrivate: true, standing: .kept, reason: "it answered 503", answered: noon,
        tried: noon.advanced(by: .seconds(60)), isAtRoot: true, isSigned: true, apps: [bundle])
    static let state = ActivityState(
        type: type, title: "Weather", userInfo: [0x62, 0x00], webpageURL: "https://example.com/",
        referrerURL: "https://example.org/", expirationDate: 820_000_000.5, targetContentIdentifier: "tab1",
        persistentIdentifier: "weather", keywords: ["rain", "sun"], requiredUserInfoKeys: [], supportsStreams: true,
        isEligibleForSearch: true, isEligibleForPublicIndexing: true, isEligibleForPrediction: true,
        contentAttributes: [0x62, 0x00])
    static let carried = try! CarriedState(state)
    static let statement = SignedStatement(statement: [1, 2, 3], signer: [4, 5], signature: [6])
    static let statementID = StatementID(uncheckedBytes: Array(128..<160))
    static let deviceSummary: DeviceSummary = {
        var summary = DeviceSummary(
            device: device, name: laptop, kind: .laptop, isThisDevice: true, isConnected: true,
            address: "192.0.2.1:7737", admitted: noon, admittedBy: DisplayText(cleaning: "Desktop"),
            lastSeen: noon.advanced(by: .seconds(90)))
        summary.software = DisplayText(cleaning: "handoff 1.2.0")
        summary.problem = DisplayText(cleaning: "the other device went to sleep")
        summary.clock = .seconds(-7200)
        return summary
    }()

    static let removedDevice: DeviceSummary = {
        var removed = deviceSummary
        removed.isAdmitterRemoved = true
        removed.dependents = [deviceSummary]
        removed.alsoRemoved = [deviceSummary, deviceSummary]
        return removed
    }()
}
