// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension LocalMessage {
    package enum Launching: Hashable, Sendable {
        case listApps
        /// `problems`: ignored bundles and desktop entries, with reasons.
        case appList([AppSummary], problems: [String] = [])
        case reloadApps
        /// For its activity types.
        case preferApp(BundleID, isPreferred: Bool)
    }
}

package struct AppSummary: Hashable, Sendable {
    package var bundle: BundleID
    package var name: DisplayText
    package var version: String
    /// Nil: the personal team, without an account.
    package var team: Team?
    /// From its certificate; nil for the personal team.
    package var teamName: DisplayText?
    package var isInDevelopment: Bool
    /// Otherwise the app takes no part.
    package var isTrusted: Bool
    package var activityTypes: [ActivityType]
    /// The bundle's, or else the desktop entry's.
    package var path: String
    /// Nil: runs the bundle's executable.
    package var entry: String?
    package var isRunning: Bool
    package var isPreferred: Bool

    package init(
        bundle: BundleID, name: DisplayText, version: String, team: Team?, teamName: DisplayText?,
        isInDevelopment: Bool, isTrusted: Bool, activityTypes: [ActivityType], path: String, entry: String? = nil,
        isRunning: Bool, isPreferred: Bool = false
    ) {
        self.bundle = bundle
        self.name = name
        self.version = version
        self.team = team
        self.teamName = teamName
        self.isInDevelopment = isInDevelopment
        self.isTrusted = isTrusted
        self.activityTypes = activityTypes
        self.path = path
        self.entry = entry
        self.isRunning = isRunning
        self.isPreferred = isPreferred
    }
}

extension LocalMessage.Launching {
    var wire: PBLocalFrame.OneOf_Body {
        switch self {
        case .listApps: .listApps(PBListApps())
        case .appList(let apps, let problems):
            .appList(
                .with {
                    $0.apps = apps.map(PBApp.init)
                    $0.problems = problems
                })
        case .reloadApps: .reloadApps(PBReloadApps())
        case .preferApp(let bundle, let isPreferred):
            .preferApp(
                .with {
                    $0.appBundle = bundle.name
                    $0.forget = !isPreferred
                })
        }
    }

    init?(_ body: PBLocalFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .listApps: self = .listApps
        case .appList(let list):
            var apps: [AppSummary] = []
            for app in list.apps { apps.append(try AppSummary(app)) }
            self = .appList(apps, problems: list.problems)
        case .reloadApps: self = .reloadApps
        case .preferApp(let wish):
            self = .preferApp(try BundleID(appOrProgram: wish.appBundle), isPreferred: !wish.forget)
        default: return nil
        }
    }
}

extension PBApp {
    init(_ app: AppSummary) {
        self.init()
        bundle = app.bundle.name
        name = app.name.text
        version = app.version
        if let team = app.team { self.team = PBTeam(team) }
        teamName = app.teamName?.text ?? ""
        development = app.isInDevelopment
        trusted = app.isTrusted
        activityTypes = app.activityTypes.map(\.name)
        path = app.path
        entry = app.entry ?? ""
        running = app.isRunning
        preferred = app.isPreferred
    }
}

extension AppSummary {
    init(_ message: PBApp) throws(WireError) {
        var types: [ActivityType] = []
        for type in message.activityTypes { types.append(try ActivityType(type)) }
        self.init(
            bundle: try BundleID(appOrProgram: message.bundle), name: .name(message.name), version: message.version,
            team: message.hasTeam ? try Team(message.team) : nil,
            teamName: message.teamName.isEmpty ? nil : .name(message.teamName),
            isInDevelopment: message.development, isTrusted: message.trusted, activityTypes: types,
            path: message.path, entry: message.entry.isEmpty ? nil : message.entry, isRunning: message.running,
            isPreferred: message.preferred)
    }
}
