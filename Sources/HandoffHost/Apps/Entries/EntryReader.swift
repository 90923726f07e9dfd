// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

/// Makes of desktop entries what they tell of: apps, and how apps are started.
struct EntryReader {
    private let programs: ProgramFinder
    private let ownPrograms: OwnPrograms

    /// `files`: all entries that count, those of other programs as well.
    init(files: [EntryFile], programs: ProgramFinder) {
        self.programs = programs
        ownPrograms = OwnPrograms(of: files, programs)
    }

    /// An app that has no bundle.
    func app(in file: EntryFile) throws(EntryProblem) -> InstalledApp {
        let bundle: BundleID
        let types: [ActivityType]
        try requireApplication(file)
        let listed = try file.entry.list(.activityTypes, atMost: BundleReader.activityTypes) ?? []
        guard !listed.isEmpty else {
            throw EntryProblem("lists nothing in \(DesktopEntry.Key.activityTypes.rawValue)")
        }
        do throws(WireError) {
            bundle = try BundleID(file.id)
            types = try listed.map { (name) throws(WireError) in try ActivityType(name) }
        } catch {
            throw EntryProblem("cannot be an app: \(error.reason)")
        }
        let name = try self.name(of: file)
        let command = try self.command(in: file, getsLaunchToken: true)
        return InstalledApp(
            bundle: bundle, name: DisplayText(cleaning: name, limit: Limits.nameCharacters), signer: .entry,
            activityTypes: Set(types), path: file.path, executable: command?.own ?? "",
            entry: try entry(in: file, command?.command))
    }

    /// How an installed bundle is started.
    func entry(in file: EntryFile, starting app: InstalledApp) throws(EntryProblem) -> AppEntry {
        try requireApplication(file)
        var command = try self.command(in: file, getsLaunchToken: false)?.command
        if let program = command?.executable { command?.getsLaunchToken = program.followingLinks == app.executable }
        let entry = try entry(in: file, command)
        if case .refused(let reason) = entry.way {
            throw EntryProblem("does not start \(app.path), whose executable is started without it: \(reason)")
        }
        return entry
    }

    /// What its user should know, though the entry counts.
    func remarks(on file: EntryFile, ofTeam team: DeveloperTeam?) -> [String] {
        guard let said = (try? file.entry.text(.teamID)) ?? nil, said != team?.id.name else { return [] }
        let key = DesktopEntry.Key.teamID.rawValue
        let truth =
            team.map { "the bundle is signed by team \($0)" }
            ?? "no team signed a bundle of this identifier, so that the app belongs to your account's personal team"
        return ["\(key)=\(said) in \(file.path): \(truth)"]
    }

    // MARK: What it says

    private func requireApplication(_ file: EntryFile) throws(EntryProblem) {
        guard try file.entry.text(.type) == "Application" else { throw EntryProblem("is not of Type=Application") }
        // Whoever wrote it says so: without that program the application is not installed.
        if let program = try file.entry.text(.tryExec), programs.path(of: program) == nil {
            throw EntryProblem("names the program \(program) in TryExec, which is not there")
        }
    }

    private func name(of file: EntryFile) throws(EntryProblem) -> String {
        let name = try file.entry.text(.name) ?? ""
        return name.isEmpty ? file.id : name
    }

    private func entry(in file: EntryFile, _ command: AppCommand?) throws(EntryProblem) -> AppEntry {
        AppEntry(path: file.path, hash: FileDigest(of: file.bytes).bytes, way: try way(in: file, command))
    }

    private func way(in file: EntryFile, _ command: AppCommand?) throws(EntryProblem) -> AppEntry.Way {
        let wantsTerminal = try file.entry.flag(.terminal)
        if try file.entry.flag(.isActivatable) {
            guard file.id.isBusName else {
                throw EntryProblem("says DBusActivatable, but \(file.id) cannot be a name on a bus")
            }
            return .activation(withoutBus: wantsTerminal ? nil : command)
        }
        if wantsTerminal { return .refused("its desktop entry asks for a terminal, and there is none to start it in") }
        guard let command else { throw EntryProblem("has no Exec") }
        return .command(command)
    }

    /// `own`: its executable, where that tells the app. Nil where the bus starts it, and there is none.
    private func command(
        in file: EntryFile, getsLaunchToken: Bool
    ) throws(EntryProblem) -> (command: AppCommand, own: String?)? {
        guard let exec = try file.entry.text(.exec) else { return nil }
        let fields = DesktopCommand.Fields(
            name: try name(of: file), icon: try file.entry.text(.icon) ?? "", file: file.path)
        let command = try DesktopCommand(exec, fields: fields)
        let directory = try file.entry.text(.path).flatMap { $0.isEmpty ? nil : $0 }
        guard directory?.hasPrefix("/") ?? true else { throw EntryProblem("names a Path that is not absolute") }
        guard let program = programs.path(of: command.program) else {
            if try file.entry.flag(.isActivatable) { return nil }
            throw EntryProblem("names the program \(command.program) in Exec, which is not there")
        }
        let started = AppCommand(
            executable: program, arguments: command.arguments, directory: directory, getsLaunchToken: getsLaunchToken)
        return (started, command.isProgramAlone ? ownPrograms.executable(program, of: file) : nil)
    }
}

extension String {
    /// As the D-Bus Specification has well-known names.
    fileprivate var isBusName: Bool {
        let parts = split(separator: ".", omittingEmptySubsequences: false)
        return utf8.count <= 255 && parts.count >= 2
            && parts.allSatisfy { part in
                guard let first = part.utf8.first, !first.isDigit else { return false }
                return part.utf8.allSatisfy {
                    $0.isDigit || $0.isLetter || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                }
            }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
    }
}
