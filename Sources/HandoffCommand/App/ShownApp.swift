// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// An installed app, as it is shown.
struct ShownApp: Encodable {
    let bundle: String
    let name: String
    let version: String
    /// The declared Team ID; absent: the account's personal team.
    let team: String?
    let signed: Bool
    let activityTypes: [String]
    let path: String
    /// Absent where no daemon runs that could know.
    let running: Bool?

    init(_ app: InstalledApp, running: Bool?) {
        bundle = app.bundle.name
        name = app.name.text
        version = app.version
        team = app.declaredTeam?.name
        signed = app.isSigned
        activityTypes = app.activityTypes.map(\.name).sorted()
        path = app.path
        self.running = running
    }
}
