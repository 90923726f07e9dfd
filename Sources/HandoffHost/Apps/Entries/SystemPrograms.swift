// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

/// Programs that take part through `handoff-adapters`.
///
/// Only root may be able to change the entry, which is never in the user's own folder, even root's. The adapter starts
/// the program itself, so the entry only names it.
struct SystemPrograms: Sendable {
    /// The user's search path may begin with folders of theirs.
    private static let path = "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games"

    let adapters: String
    let own: String?
    let descriptions: [String: ProgramDescription]
    /// By the identifiers of their entries.
    let defaults: Set<String>

    /// For each kind of content, the first of the desktop's programs among these entries.
    static func defaults(among entries: Set<ExactText>, in environment: [String: String]) -> Set<String> {
        let found = MIMEAssociations(environment: environment)
            .programs(for: Set(ProgramContent.allCases.compactMap(\.mimeType)), all: false)
        return Set(
            found.values.compactMap { programs in
                programs.lazy.map { $0.hasSuffix(".desktop") ? String($0.dropLast(".desktop".count)) : $0 }
                    .first { entries.contains(ExactText($0)) }
            })
    }

    /// Nil: not a system program.
    func app(in file: EntryFile, name: (EntryFile) -> DisplayText) -> InstalledApp? {
        guard let known = program(file.id.text), let bundle = try? BundleID(systemProgram: file.id.text),
            own.map({ !file.path.hasPrefix($0 + "/") }) ?? true, file.path.isChangedByRootAlone,
            let program = ProgramFinder(path: Self.path).path(of: known.executable), program.isChangedByRootAlone
        else { return nil }
        let command = AppCommand(
            executable: adapters, arguments: ["--open", file.id.text, program] + known.templates)
        return InstalledApp(
            bundle: bundle, name: name(file), signer: .system, activityTypes: [known.type],
            path: file.path,
            executable: "",
            entry: AppEntry(path: file.path, hash: FileDigest(of: file.bytes).bytes, way: .command(command)),
            isDefault: defaults.contains(file.id.text))
    }

    /// `templates`: see `OpeningArguments`; empty for known programs.
    private func program(_ entry: String) -> (executable: String, type: ActivityType, templates: [String])? {
        if let known = KnownProgram.of(entry: entry) { return (known.executable, known.content.activityType, []) }
        guard let described = descriptions[entry] else { return nil }
        return (described.executable, described.activityType, described.arguments.templates)
    }
}
