// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffSystem
import HandoffWire
import Logging

@testable import HandoffHost

/// A desktop entry on disk that a test can damage.
struct SampleEntry {
    var exec: String? = "notes %U"
    var types: String? = "com.example.notes.editing;com.example.notes.reading;"
    var name = "Notes"
    var type = "Application"
    /// Additional lines, unchanged.
    var more: [String] = []

    var text: String {
        let exec = exec.map { ["Exec=\($0)"] } ?? []
        let types = types.map { ["X-Handoff-ActivityTypes=\($0)"] } ?? []
        return (["[Desktop Entry]", "Type=\(type)", "Name=\(name)"] + exec + types + more).joined(separator: "\n")
            + "\n"
    }

    /// By default in the user's own folder. Returns its path.
    @discardableResult
    func write(_ name: String = "com.example.notes", in home: TemporaryDirectory, _ folder: String = "own") throws
        -> String
    {
        try home.file("\(folder)/applications/\(name).desktop", text)
    }
}

extension TemporaryDirectory {
    /// The user's folder, the system's, and the programs' folder.
    var desktop: [String: String] {
        [
            "XDG_DATA_HOME": path("own"), "XDG_DATA_DIRS": "\(path("local")):\(path("system")):relative",
            "PATH": "\(path("bin")):/usr/bin:/bin",
        ]
    }

    /// Machine code that does nothing.
    @discardableResult
    func program(_ name: String) throws -> String {
        try folder(String(name.prefix(upTo: name.lastIndex(of: "/")!)))
        try FileManager.default.copyItem(atPath: "/bin/true", toPath: path(name))
        return path(name)
    }

    /// Loaded, including desktop entries.
    func catalogWithEntries(
        _ environment: [String: String] = [:], patience: Duration = FileQuestions.patience
    ) -> BundleCatalog {
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let catalog = BundleCatalog(
            directory: path("apps"), installs: path("installs"),
            entries: EntryFolders(environment: desktop.merging(environment) { $1 }, patience: patience), log: quiet)
        catalog.reload()
        return catalog
    }
}
