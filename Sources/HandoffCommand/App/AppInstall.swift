// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffCore
internal import HandoffHost
internal import HandoffTrust
internal import HandoffWire

struct AppInstall: Verb {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Install an app bundle, or a newer version of it.",
        discussion: """
            The bundle must be signed by a team that you trust. On a terminal, asks whether to trust a new team. Compare its \
            key with what the developer published.
            """)

    @Argument(help: ArgumentHelp("The bundle: Name.app.", valueName: "bundle"), completion: .directory)
    var bundle: String

    @Flag(help: "Trust the team that signed it, without asking.")
    var trustTeam = false

    @Flag(help: "Install even if a newer version is installed.")
    var force = false

    @Flag(help: "Accept it unsigned, on this device only: it works only with your own scripts and other unsigned apps.")
    var development = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if development, trustTeam { throw ValidationError("--development and --trust-team exclude each other") }
    }

    func perform(_ output: Output) throws {
        var progress = ProgressLine("verifying", output)
        defer { progress.clear() }
        let grounds: BundleInstaller.Grounds =
            development
            ? .development
            : .signature { signature in
                progress.clear()
                try approve(signature.team, output)
            }
        let files = common.files
        let installed: BundleInstaller.Installed
        do {
            installed = try BundleInstaller(files).install(bundle, on: grounds, force: force, at: .now) {
                progress.reached($0, of: $1)
            }
        } catch let refusal as InstallRefusal {
            progress.clear()
            throw explained(refusal, output)
        }
        progress.clear()
        try common.tellDaemonOfApps()
        output.show(
            ShownInstall(
                app: ShownApp(installed.app, trusted: true, running: nil), replacedVersion: installed.replacedVersion))
        files.noteChange(of: files.locations.apps, output)
        output.remark(rejectedClaimsIn: installed.app.associatedDomains)
        output.remark(containerProblems: installed.app.documents.problems)
        guard development else { return }
        output.note("It is unsigned, so it belongs to your account's personal team, on this device only.")
    }

    private func approve(_ team: TeamCertificate, _ output: Output) throws {
        let book = TeamBook(common)
        if try book.isTrusted(team.team) { return }
        if trustTeam { return try book.trust(team) }
        let who = "team \(team.id), \(team.name), with the key \(team.fingerprint.grouped)"
        guard Terminal.canAsk, !output.json else {
            throw CommandFailure(
                .failed, code: "teamNotTrusted", "the bundle is signed by \(who), which is not trusted on this device",
                advice: "compare the key with the one the developer published; to trust it: --trust-team")
        }
        Terminal.ask(
            """
            The bundle is signed by a team that is not trusted on this device yet.
              name     \(team.name)
              Team ID  \(team.id)
              key      \(team.fingerprint.grouped)
            Compare the key with what the developer published. Trust this team?
            """)
        guard Terminal.saysYes else {
            throw CommandFailure(.failed, code: "teamNotTrusted", "not installed: team \(team.id) is not trusted")
        }
        try book.trust(team)
    }

    private func explained(_ refusal: InstallRefusal, _ output: Output) -> CommandFailure {
        switch refusal {
        case .unsigned:
            return CommandFailure(
                .notVerified, code: "unsigned", "\(bundle) is not signed",
                advice: "to try your own app on this device only: --development")
        case .notVerified(let findings):
            if findings.count > 1 { output.show(ShownVerification(problems: findings)) }
            let text = findings.count == 1 ? "\(findings[0])" : "\(findings.count) findings"
            return CommandFailure(
                .notVerified, code: "notVerified",
                "\(bundle) cannot be verified: \(DisplayText(cleaning: text, limit: Limits.reasonCharacters))")
        case .olderVersion:
            return CommandFailure(
                .failed, code: "olderVersion", "\(refusal)", advice: "to install the older version anyway: --force")
        case .installedByAnotherTeam(let bundle, _):
            return CommandFailure(
                .failed, code: "otherTeam", "\(refusal)",
                advice: "to change developers, remove it first: handoff app remove \(bundle)")
        }
    }
}

private struct ShownInstall: Renderable {
    let app: ShownApp
    let replacedVersion: String?

    func text(_ terminal: Terminal) -> String {
        let replaced =
            switch replacedVersion {
            case nil: ""
            case app.version?: ", again"
            case ""?: ", in place of one without a version"
            case let version?: ", in place of \(version)"
            }
        return "installed \([app.name, app.version].words) (\(app.bundle))\(replaced)"
    }
}

extension BundleInstaller {
    init(_ files: DaemonFiles) {
        self.init(directory: files.locations.apps, installs: files.locations.installs)
    }
}

extension CommonOptions {
    /// A daemon that starts later reads the folder anyway.
    func tellDaemonOfApps() throws(CommandFailure) {
        guard let client = try connectIfRunning() else { return }
        do throws(Failure) {
            _ = try client.call(.launching(.reloadApps))
        } catch {
            throw CommandFailure(error)
        }
    }
}
