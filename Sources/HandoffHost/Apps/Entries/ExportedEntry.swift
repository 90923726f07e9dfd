// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// Flatpak and snapd put the package's name into its desktop entries, and let no package write another package's entry.
enum ExportedEntry {
    /// In the system's folder and in the user's.
    private static let flatpaks = "/flatpak/exports/share/applications/"
    private static let snaps = "/snapd/desktop/applications/"

    /// Nil: the entry is not a package's. A copy of an exported entry in another folder does not qualify: its activity
    /// types may not be the package's.
    static func sandbox(of file: EntryFile, startedBy command: AppCommand?) -> Sandbox? {
        if let id = package(.flatpak, in: file), file.path.contains(flatpaks), id.name == file.id.text,
            command.map({ starts(id, $0) }) ?? true
        {
            return .flatpak(id)
        }
        if let instance = package(.snap, in: file), file.path.contains(snaps),
            file.id.text.hasPrefix(instance.name + "_")
        {
            return .snap(instance)
        }
        return nil
    }

    private static func package(_ key: DesktopEntry.Key, in file: EntryFile) -> BundleID? {
        guard let name = (try? file.entry.text(key)) ?? nil else { return nil }
        return try? BundleID(name)
    }

    /// `flatpak run --branch=stable --command=notes com.example.notes @@u @@`.
    private static func starts(_ id: BundleID, _ command: AppCommand) -> Bool {
        guard command.executable.split(separator: "/").last == "flatpak", command.arguments.first == "run" else {
            return false
        }
        return command.arguments.dropFirst().first { !$0.hasPrefix("-") } == id.name
    }
}
