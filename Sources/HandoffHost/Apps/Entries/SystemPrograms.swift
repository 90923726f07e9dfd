// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

/// System programs that take part through `handoff-adapters`.
///
/// Only root may be able to change the entry, which is never in the user's own folder, even root's. The adapter starts the
/// program itself, so the entry only names it.
struct SystemPrograms: Sendable {
    /// The user's search path may begin with folders of theirs.
    private static let path = "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games"

    /// Absolute.
    let adapters: String
    /// The user's data folder.
    let own: String?

    /// Nil: not a system program. `name` is called for known programs only.
    func app(in file: EntryFile, name: (EntryFile) -> DisplayText) -> InstalledApp? {
        guard let known = KnownProgram.of(entry: file.id.text), let bundle = try? BundleID(systemProgram: known.entry),
            own.map({ !file.path.hasPrefix($0 + "/") }) ?? true, file.path.isChangedByRootAlone,
            let program = ProgramFinder(path: Self.path).path(of: known.executable), program.isChangedByRootAlone
        else { return nil }
        let command = AppCommand(executable: adapters, arguments: ["--open", known.entry, program])
        return InstalledApp(
            bundle: bundle, name: name(file), signer: .system, activityTypes: [known.content.activityType],
            path: file.path,
            executable: "",
            entry: AppEntry(path: file.path, hash: FileDigest(of: file.bytes).bytes, way: .command(command)))
    }
}
