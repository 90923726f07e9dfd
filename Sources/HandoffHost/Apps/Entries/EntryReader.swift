// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffSystem
import HandoffTrust
import HandoffWire

struct EntryReader {
    private let programs: ProgramFinder
    private let ownPrograms: OwnPrograms
    private let environment: [String: String]
    private let home: String?

    /// `files` include other programs' entries.
    init(files: [EntryFile], environment: [String: String]) {
        programs = ProgramFinder(environment: environment)
        self.environment = environment
        home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        ownPrograms = OwnPrograms(of: files, programs)
    }

    func app(in file: EntryFile) throws(EntryProblem) -> InstalledApp {
        let bundle: BundleID
        let types: [ActivityType]
        try requireApplication(file)
        let listed = try file.entry.list(.activityTypes, atMost: BundleReader.activityTypes) ?? []
        guard !listed.isEmpty else {
            throw EntryProblem("lists nothing in \(DesktopEntry.Key.activityTypes.rawValue)")
        }
        do throws(WireError) {
            bundle = try BundleID(file.id.text)
            types = try listed.map { (name) throws(WireError) in try ActivityType(name) }
        } catch {
            throw EntryProblem("cannot be an app: \(error.reason)")
        }
        let command = try self.command(in: file, getsLaunchToken: true)
        return InstalledApp(
            bundle: bundle, name: displayName(of: file), signer: .entry,
            activityTypes: Set(types), path: file.path, executable: command?.own ?? "",
            entry: try entry(in: file, command?.command),
            sandbox: ExportedEntry.sandbox(of: file, startedBy: command?.command))
    }

    func entry(in file: EntryFile, starting app: InstalledApp) throws(EntryProblem) -> AppEntry {
        try requireApplication(file)
        var command = try self.command(in: file, getsLaunchToken: false)?.command
        if let program = command?.executable {
            command?.getsLaunchToken = program.followingLinks.map(app.executable.isSamePath) ?? false
        }
        let entry = try entry(in: file, command)
        if case .refused(let reason) = entry.way {
            throw EntryProblem("does not start \(app.path), whose executable is started without it: \(reason)")
        }
        return entry
    }

    func remarks(on file: EntryFile, ofTeam team: DeveloperTeam?) -> [String] {
        departures(of: file).map { "\(file.path) \($0)" } + unprovenTeam(in: file, of: team)
    }

    /// Departures from the Desktop Entry Specification. Without a program in `Exec` the rest of that key is irrelevant.
    private func departures(of file: EntryFile) -> [String] {
        let exec = ((try? file.entry.text(.exec)) ?? nil).flatMap { $0.isEmpty ? nil : $0 }
        let isShellLine = exec.flatMap { try? self.command($0, of: file) }?.isShellLine == true
        let path = ((try? file.entry.text(.path)) ?? nil) ?? ""
        let keys = file.entry.remarks(on: [.type, .name, .exec, .tryExec, .path, .terminal, .isActivatable])
        let texts = [DesktopEntry.Key.name, .icon].compactMap { key -> String? in
            do throws(EntryProblem) {
                _ = try file.entry.text(key)
                return nil
            } catch {
                return error.reason
            }
        }
        let line = isShellLine ? nil : exec.flatMap(ExecGrammar.departure)
        let all = keys + texts + [line].compactMap(\.self)
        var remarks = all.map { $0 + ". It is started as other desktops start it" }
        if isShellLine {
            remarks.append("has a line in Exec that only a shell can run. It is given to /bin/sh, as KDE does")
        }
        if !path.isEmpty, !path.hasPrefix("/") {
            remarks.append("names a Path that is not absolute. It is looked for in your home folder")
        }
        return remarks
    }

    private func unprovenTeam(in file: EntryFile, of team: DeveloperTeam?) -> [String] {
        guard let said = (try? file.entry.text(.teamID)) ?? nil, said != team?.id.name else { return [] }
        let key = DesktopEntry.Key.teamID.rawValue
        let truth =
            team.map { "the bundle is signed by team \($0)" }
            ?? "no team signed a bundle of this identifier, so that the app belongs to your account's personal team"
        return ["\(key)=\(said) in \(file.path): \(truth)"]
    }

    // MARK: Parts of an entry

    private func requireApplication(_ file: EntryFile) throws(EntryProblem) {
        guard try file.entry.text(.type) == "Application" else { throw EntryProblem("does not have Type=Application") }
        if let program = try file.entry.text(.tryExec), !program.isEmpty, programs.path(of: program) == nil {
            throw EntryProblem("names the program \(program) in TryExec, which does not exist")
        }
    }

    func displayName(of file: EntryFile) -> DisplayText {
        DisplayText(cleaning: name(of: file), limit: Limits.nameCharacters)
    }

    private func name(of file: EntryFile) -> String {
        let name = ((try? file.entry.text(.name)) ?? nil) ?? ""
        return name.isEmpty ? file.id.text : name
    }

    private func entry(in file: EntryFile, _ command: AppCommand?) throws(EntryProblem) -> AppEntry {
        AppEntry(path: file.path, hash: FileDigest(of: file.bytes).bytes, way: try way(in: file, command))
    }

    private static let noTerminal =
        "its desktop entry asks for a terminal, and none is installed; install one, such as xterm, and set TERMINAL "
        + "to its name if Handoff does not know it"

    private var terminal: Terminal? { Terminal(programs, environment: environment) }

    private func way(in file: EntryFile, _ command: AppCommand?) throws(EntryProblem) -> AppEntry.Way {
        let wantsTerminal = file.entry.flag(.terminal)
        if file.entry.flag(.isActivatable) {
            guard file.id.text.isBusName else {
                throw EntryProblem("says DBusActivatable, but \(file.id) cannot be a name on a bus")
            }
            return .activation(
                withoutBus: wantsTerminal ? command.flatMap { terminal?.command(for: $0) } : command)
        }
        guard let command else { throw EntryProblem("has no Exec") }
        guard wantsTerminal else { return .command(command) }
        guard let terminal else { return .refused(Self.noTerminal) }
        return .command(terminal.command(for: command))
    }

    /// `own`: the executable, if it identifies the app. Nil if the bus starts the app without a command.
    private func command(
        in file: EntryFile, getsLaunchToken: Bool
    ) throws(EntryProblem) -> (command: AppCommand, own: String?)? {
        guard let exec = try file.entry.text(.exec) else { return nil }
        if exec.isEmpty, file.entry.flag(.isActivatable) { return nil }
        let command = try self.command(exec, of: file)
        let directory = try directory(of: file)
        guard let program = programs.path(of: command.program) else {
            if file.entry.flag(.isActivatable) { return nil }
            throw EntryProblem("names the program \(command.program) in Exec, which does not exist")
        }
        let started = AppCommand(
            executable: program, arguments: command.arguments, directory: directory, getsLaunchToken: getsLaunchToken)
        return (started, command.isProgramAlone ? ownPrograms.executable(program, of: file) : nil)
    }

    private func command(_ exec: String, of file: EntryFile) throws(EntryProblem) -> DesktopCommand {
        let fields = DesktopCommand.Fields(
            name: name(of: file), icon: ((try? file.entry.text(.icon)) ?? nil) ?? "", file: file.path, home: home)
        return try DesktopCommand(exec, fields: fields) { programs.path(of: $0) != nil }
    }

    /// GLib and KDE enter a relative `Path` from the user's home. KDE also replaces `$HOME`.
    private func directory(of file: EntryFile) throws(EntryProblem) -> String? {
        guard let path = try file.entry.text(.path), !path.isEmpty, !path.hasPrefix("/") else {
            return try file.entry.text(.path).flatMap { $0.isEmpty ? nil : $0 }
        }
        guard let home else { throw EntryProblem("names a Path that is not absolute, and your home folder is unknown") }
        let prefix = ["$HOME", "${HOME}", "~"].first { path == $0 || path.hasPrefix($0 + "/") } ?? ""
        let rest = path.dropFirst(prefix.utf8.count).drop { $0 == "/" }
        return rest.isEmpty ? home : home + "/" + rest
    }
}

struct EntryFile: Sendable {
    /// Without `.desktop`: `example-notes` for `applications/example/notes.desktop`.
    let id: ExactText
    let path: String
    let bytes: [UInt8]
    let entry: DesktopEntry

    /// Also hides this identifier's entries of lower precedence.
    var isHidden: Bool { entry.flag(.hidden) }
}
