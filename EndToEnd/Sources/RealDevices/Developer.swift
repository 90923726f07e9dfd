// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A developer of apps: a team's key in its own folder, outside the devices.
package struct Developer: Sendable {
    package let name: String
    package let team: String
    private let root: URL

    /// Makes the key. Two developers may have the same name, but not the same `folder`.
    package init(_ name: String, team: String, in folder: URL) throws {
        self.name = name
        self.team = team
        root = folder
        try handoff("team", "create", name, "--id", team)
    }

    /// A copy of the app, signed by this team.
    package func sign(_ app: App) throws -> App {
        let signed = root.appending(path: "signed/\(app.bundle).app")
        try? FileManager.default.removeItem(at: signed)
        try FileManager.default.createDirectory(
            at: signed.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: URL(filePath: app.path), to: signed)
        try handoff("app", "sign", signed.path, "--team", team)
        return App(bundle: app.bundle, executable: app.executable, path: signed.path, team: team)
    }

    private func handoff(_ arguments: String...) throws {
        let ended = try RunningProgram.run(
            [Builds.commandLine] + arguments, environment: ["HANDOFF_ROOT": root.path], within: .seconds(60))
        guard ended.code == 0 else {
            throw Unmet(
                "handoff \(arguments.joined(separator: " ")) of \(name) exited with \(ended.code): \(ended.errors)")
        }
    }
}

extension Device {
    /// Signed by the developer of its team, whom this device's user then trusts.
    package func install(_ app: App) throws { try install(app, by: stage.developer(of: app.team)) }

    package func install(_ app: App, by developer: Developer) throws {
        try handoff("app", "install", developer.sign(app).path, "--trust-team", within: .seconds(60))
    }
}
