// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// A real daemon, and commands in a shell whose environment names other folders.
// Shows Q04.
@Suite(.timeLimit(.minutes(2))) struct DaemonFilesTests {
    private final class Home {
        let path: String
        private(set) var daemon: Program?

        init() throws {
            // Short, because a socket's path is limited.
            var template = Array("/tmp/handoff-home-XXXXXX".utf8CString)
            guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
            path = String(cString: made)
            for folder in ["run", ".config/handoff"] {
                try FileManager.default.createDirectory(
                    atPath: "\(path)/\(folder)", withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        private var environment: [String: String] {
            ["HOME": path, "XDG_RUNTIME_DIR": path + "/run", "PATH": "/usr/bin:/bin", "TZ": "UTC"]
        }

        func startDaemon() async throws {
            let daemon = try Program(
                [Program.built + "/handoffd", "--beacons", "false", "--listen", "127.0.0.1:0"],
                environment: environment, folder: path)
            self.daemon = daemon
            guard await daemon.wait(until: { $0.errors.contains("Ready") }) else {
                throw Program.Silence(description: daemon.errors)
            }
        }

        /// In a shell that exports other folders.
        func handoff(_ arguments: String...) async throws -> Program {
            let others = ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"].map { ($0, "\(path)/elsewhere/\($0)") }
            let shell = environment.merging(others) { $1 }.merging(["PATH": path + "/bin:/bin", "LANGUAGE": "fr"]) {
                $1
            }
            let command = try Program([Program.built + "/handoff"] + arguments, environment: shell, folder: path)
            _ = await command.end()
            return command
        }

        func write(_ name: String, _ text: String, mode: Int = 0o644) throws {
            let url = URL(filePath: "\(path)/\(name)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            if text.hasPrefix("#!") { return try Program.write(text, to: url.path) }
            try Data(text.utf8).write(to: url)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
        }

        func text(_ name: String) -> String? { try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }
        func isThere(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }
    }

    private func writeBundle(in home: Home) throws {
        let info = """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.notes</string>
            <key>CFBundleExecutable</key><string>Notes</string>
            <key>NSUserActivityTypes</key><array><string>com.example.notes.editing</string></array></dict></plist>
            """
        try home.write("Notes.app/Contents/Info.plist", info)
        try home.write("Notes.app/Contents/Linux/Notes", "#!/bin/sh\n", mode: 0o755)
    }

    @Test func commandChangesTheFilesThatTheDaemonReads() async throws {
        let home = try Home()
        try await home.startDaemon()
        let set = try await home.handoff("config", "set", "notifications", "quiet")
        #expect(!set.errors.contains("written to"))
        #expect(home.text(".config/handoff/config.json")?.contains("quiet") == true)
        #expect(try await home.handoff("config", "get", "notifications").output == "quiet\n")
        #expect(try await home.handoff("team", "create", "Notes Makers", "--id", "NOTES12345").output != "")
        #expect(home.isThere(".local/state/handoff/teams"))
        try writeBundle(in: home)
        let install = try await home.handoff("app", "install", "--development", "Notes.app")
        #expect(!install.errors.contains("written to"))
        #expect(home.isThere(".local/share/handoff/apps"))
        let remove = try await home.handoff("app", "remove", "com.example.notes")
        #expect(remove.output.hasPrefix("removed") && remove.errors == "")
        #expect(!home.isThere("elsewhere"))
    }

    @Test func appsAreListedAsTheDaemonFindsThem() async throws {
        let home = try Home()
        try home.write(".local/bin/scribble", "#!/bin/sh\n", mode: 0o755)
        let entry = "[Desktop Entry]\nType=Application\nName=Scribble\nName[fr]=Griffonner\n"
        try home.write(
            ".local/share/applications/com.example.scribble.desktop",
            entry + "Exec=scribble\nX-Handoff-ActivityTypes=com.example.scribble.drawing\n")
        try home.write(
            ".local/share/applications/com.example.gone.desktop",
            entry + "Exec=gone\nX-Handoff-ActivityTypes=com.example.gone.drawing\n")
        try await home.startDaemon()
        let list = try await home.handoff("app", "list")
        let path = home.path + "/.local/share/applications"
        #expect(
            list.output == "Scribble\t\tno team (desktop entry)\tnot running\tcom.example.scribble\t"
                + "\(path)/com.example.scribble.desktop\n")
        #expect(
            list.errors
                == "note: \(path)/com.example.gone.desktop names the program gone in Exec, which does not exist\n")
    }

    /// The service manager is simulated; only a booted system has a real one.
    @Test func browserFilesAreWrittenWhereTheSessionsBrowsersLook() async throws {
        let home = try Home()
        try home.write("run/systemd/private", "")
        try home.write("bin/systemctl", "#!/bin/sh\nprintf 'HOME=%s\\nPATH=/bin\\n' '\(home.path)'\n", mode: 0o755)
        let install = try await home.handoff("browser", "install", "chromium", "--host", "/bin/true")
        #expect(home.isThere(".config/chromium/NativeMessagingHosts/handoff.browser_host.json"))
        #expect(!home.isThere("elsewhere"))
        #expect(install.errors.contains("from this shell a browser reads \(home.path)/elsewhere/XDG_CONFIG_HOME\n"))
    }

    @Test(.enabled(if: getuid() == 0)) func withoutAFolderForSocketsTheAdviceNamesIt() async throws {
        let command = try Program(
            [
                "/usr/bin/setpriv", "--reuid", "64999", "--regid", "64999", "--clear-groups",
                Program.built + "/handoff",
                "status",
            ], environment: ["PATH": "/usr/bin:/bin", "HOME": "/"])
        #expect(await command.end() == 69)
        #expect(
            command.errors.contains(
                "  /run/user/64999, the folder for sockets of this log-in, does not exist: neither systemd nor elogind "
                    + "has created it; make a folder that only you can enter, set XDG_RUNTIME_DIR to it, and run: handoffd &\n"
            ))
    }

    @Test(.enabled(if: getuid() == 0)) func inAShellOfSuTheAdviceNamesTheOtherUsersFolder() async throws {
        let home = try Home()
        try #require(chmod(home.path, 0o711) == 0)
        let command = try Program(
            [
                "/usr/bin/setpriv", "--reuid", "64999", "--regid", "64999", "--clear-groups",
                Program.built + "/handoff", "status",
            ], environment: ["PATH": "/usr/bin:/bin", "HOME": "/", "XDG_RUNTIME_DIR": home.path + "/run"])
        #expect(await command.end() == 69)
        #expect(
            command.errors.contains(
                "  XDG_RUNTIME_DIR is \(home.path)/run, which is not yours, as in a shell of su; log in as this user, or "
                    + "set it to your folder: export XDG_RUNTIME_DIR=/run/user/64999\n"))
    }

    /// What it left there would keep the user's own daemon from starting.
    @Test(.enabled(if: getuid() == 0)) func rootStartsNoDaemonInAUsersSession() async throws {
        let home = try Home()
        try #require(chown(home.path + "/run", 64999, 64999) == 0)
        let refused = try await home.handoff("status")
        #expect(refused.errors.contains("XDG_RUNTIME_DIR is \(home.path)/run, which is not yours"))
        let daemon = try Program(
            [Program.built + "/handoffd", "--beacons", "false", "--listen", "127.0.0.1:0"],
            environment: ["HOME": home.path, "XDG_RUNTIME_DIR": home.path + "/run", "PATH": "/usr/bin:/bin"])
        #expect(await daemon.end() != 0)
        #expect(daemon.errors.contains("run this as that user, or unset XDG_RUNTIME_DIR"))
        #expect(!home.isThere("run/handoff"))
    }

    @Test func withoutADaemonACommandNamesTheFileThatItWrote() async throws {
        let home = try Home()
        let file = home.path + "/elsewhere/XDG_CONFIG_HOME/handoff/config.json"
        let notice = "written to \(file), but no handoffd answers to confirm that it reads this file\n"
        let set = try await home.handoff("config", "set", "notifications", "quiet", "--json")
        #expect(set.errors == notice)
        let unset = try await home.handoff("config", "unset", "notifications")
        #expect(unset.errors.hasSuffix(notice))
    }
}
