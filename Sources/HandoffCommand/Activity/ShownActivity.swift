// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

struct ShownActivity: Listed {
    static let columns: [Table.Column] = [
        "ID", .elastic("TITLE"), .elastic("APP"), .elastic("DEVICE"), "SINCE", "CONTINUES IN",
    ]

    struct Target: Encodable {
        let kind: String
        let app: String?
        let name: String?
        let reason: String?
        let development: Bool?
        private let isOfApp: Bool

        private enum CodingKeys: CodingKey { case kind, app, name, reason, development }

        /// `isOfApp`: not published by a script.
        init(_ target: ListedActivity.Target, name: DisplayText, isPersonal: Bool = false, isOfApp: Bool = false) {
            self.isOfApp = isOfApp
            self.name = name.isEmpty ? nil : name.text
            switch target {
            case .app(let bundle): (kind, app, reason) = ("app", bundle.name, nil)
            case .webPage: (kind, app, reason) = ("webPage", nil, nil)
            case .script: (kind, app, reason) = ("script", nil, nil)
            case .nothing(let why): (kind, app, reason) = ("nothing", nil, why)
            }
            // Only these are in the personal team.
            development = kind == "app" && isPersonal ? true : nil
        }

        var words: String {
            switch kind {
            case "app": (name ?? app ?? kind) + (development == true ? " (development)" : "")
            case "webPage": name.map { "web page in \($0)" } ?? "web page"
            case "script": isOfApp ? "no app here (--json prints it)" : "printed as JSON"
            default: "nothing: \(reason ?? "")"
            }
        }
    }

    let activity: String
    let type: String
    let title: String?
    let app: String?
    let appName: String
    let team: String
    let teamKey: String?
    let development: Bool
    let device: String
    let deviceName: String
    let deviceKind: String
    let thisDevice: Bool
    let since: String
    let expires: String?
    let saved: String?
    let supportsStreams: Bool
    let hasWebPage: Bool
    let target: Target
    let browserToo: Bool
    let sent: Bool
    private let shownTitle: String
    private let shownDevice: String
    private let sinceLocal: String
    private let savedLocal: String?

    enum CodingKeys: String, CodingKey {
        case activity, type, title, app, appName, team, teamKey, development, device, deviceName, deviceKind,
            thisDevice, since, expires, saved
        case supportsStreams, hasWebPage, target, browserToo, sent
    }

    init(_ listed: ListedActivity, among names: DeviceNames) {
        let offer = listed.offer
        activity = offer.activity.hex
        type = offer.type.name
        title = offer.title?.text
        app = offer.bundle?.name
        appName = offer.appName.text
        team = "\(offer.team)"
        teamKey = offer.team.developer?.key.hex
        development = offer.isFromDevelopment
        device = listed.device.description
        deviceName = listed.deviceName.text
        deviceKind = listed.deviceKind.word
        thisDevice = listed.isFromThisDevice
        since = offer.since.iso8601
        expires = offer.expires?.iso8601
        saved = offer.saved?.iso8601
        supportsStreams = offer.supportsStreams
        hasWebPage = offer.hasWebPage
        target = Target(
            listed.target, name: listed.targetName,
            isPersonal: offer.team.developer == nil && !offer.team.isOfSystemPrograms,
            isOfApp: offer.bundle != nil)
        browserToo = listed.isForBrowserToo
        sent = listed.isSent
        shownTitle = offer.shownTitle
        shownDevice = names.shown(listed.device)
        sinceLocal = offer.since.localClock
        savedLocal = offer.saved?.localClock
    }

    var words: String {
        let app = appName.isEmpty || appName == shownTitle ? "" : "\(appName) on "
        return "\(shownTitle) (\(app)\(shownDevice))"
    }

    private var appWords: String {
        appName + (development ? " (development)" : "") + (savedLocal.map { " (quit, saved \($0))" } ?? "")
            + (sent ? " (sent)" : "")
    }

    var cells: [String] {
        [
            String(activity.prefix(8)), shownTitle, appWords, thisDevice ? "this device" : shownDevice, sinceLocal,
            target.words,
        ]
    }
}

extension Offer {
    var shownTitle: String { knownTitle.isEmpty ? (hasWebPage ? "a web page" : type.name) : knownTitle }
}
