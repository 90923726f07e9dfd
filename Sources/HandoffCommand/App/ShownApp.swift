// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

struct ShownApp: Listed {
    static let columns: [Table.Column] = [
        .elastic("NAME"), "VERSION", .elastic("SIGNED BY"), "STATE", "ID", "PATH",
    ]

    let bundle: String
    let name: String
    let version: String
    let team: String?
    let teamName: String?
    let teamKey: String?
    let signed: Bool
    let development: Bool
    let trusted: Bool
    let activityTypes: [String]
    let path: String
    let entry: String?
    let running: Bool?

    init(_ app: InstalledApp, trusted: Bool, running: Bool?) {
        bundle = app.bundle.name
        name = app.name.text
        version = app.version
        switch app.signer {
        case .team(let signer, let name):
            (team, teamName, teamKey) = (signer.id.name, name.text, signer.key.hex)
        case .development, .entry, .system: (team, teamName, teamKey) = (nil, nil, nil)
        }
        signed = app.developer != nil
        development = app.isInDevelopment
        self.trusted = trusted
        activityTypes = app.activityTypes.map(\.name).sorted()
        path = app.path
        entry = app.entry?.path
        self.running = running
    }

    init(_ app: AppSummary) {
        bundle = app.bundle.name
        name = app.name.text
        version = app.version
        let developer = app.team?.developer
        (team, teamName, teamKey) = (developer?.id.name, app.teamName?.text, developer?.key.hex)
        signed = developer != nil
        development = app.isInDevelopment
        trusted = app.isTrusted
        activityTypes = app.activityTypes.map(\.name)
        path = app.path
        entry = app.entry
        running = app.isRunning
    }

    var cells: [String] { [name, version, signedBy, state, bundle, path] }

    var signedBy: String {
        guard let team, let teamName else { return development ? "no team (development)" : "no team (desktop entry)" }
        return "\(teamName) (\(team))"
    }

    var state: String {
        guard trusted else { return "team not trusted" }
        return running.map { $0 ? "running" : "not running" } ?? "-"
    }
}
