// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms

/// A folder with a device without a daemon, and a team with its key.
final class Home {
    private let path: String

    init() async throws {
        var template = Array("/tmp/handoff-kill-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
        path = String(cString: made)
        guard try await handoff("team", "create", "Notes Makers", "--id", "NOTES12345").end() == 0 else {
            throw CocoaError(.executableLoad)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func handoff(_ arguments: String...) throws -> Program {
        try Program(
            [Program.built + "/handoff"] + arguments, environment: ["HANDOFF_ROOT": path + "/device"], folder: path)
    }

    func path(_ name: String) -> String { path + "/" + name }

    func entries(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder)
    }

    /// With enough files to make the installation take a while. `more`: additional files with their content.
    func makeBundle(_ version: String, more: [String: Data] = [:]) async throws {
        let info = """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.notes</string>
            <key>CFBundleExecutable</key><string>Notes</string>
            <key>CFBundleShortVersionString</key><string>\(version)</string></dict></plist>
            """
        try write("\(version)/Notes.app/Contents/Info.plist", info)
        try write("\(version)/Notes.app/Contents/Linux/Notes", "#!/bin/sh\nexit \(version.prefix(1))\n")
        chmod("\(path)/\(version)/Notes.app/Contents/Linux/Notes", 0o755)
        for number in 0..<200 {
            try write("\(version)/Notes.app/Contents/Resources/\(number)", "\(version) \(number)")
        }
        for (name, content) in more { try write("\(version)/Notes.app/\(name)", content) }
        _ = try await handoff("app", "sign", "\(version)/Notes.app", "--team", "NOTES12345").end()
    }

    func write(_ name: String, _ text: String) throws { try write(name, Data(text.utf8)) }

    private func write(_ name: String, _ content: Data) throws {
        let url = URL(fileURLWithPath: path(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: url)
    }
}
