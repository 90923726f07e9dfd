// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffHost
import HandoffWire
import Logging
import Testing

// Shows L02 in part: an app that is not running is started.
@Suite struct ProcessLauncherTests {
    let home = TemporaryDirectory()
    let loop = TestLoop()

    @Test func startsAProgramAndReportsItsExit() throws {
        #expect(try run("exit 7") == .exited(code: 7))
        #expect(try run("kill -9 $$") == .signalled(9))
        #expect(try run("exit 0") == .exited(code: 0))
    }

    /// Shows H10 in part.
    @Test func theAppSeesACleanEnvironment() throws {
        _ = try run(
            "env",
            daemon: [
                "HOME": home.path, "LANG": "C.UTF-8", "LC_TIME": "de_DE", "XDG_RUNTIME_DIR": "/run/user/7",
                "WAYLAND_DISPLAY": "wayland-0", "API_TOKEN": "secret", "LD_PRELOAD": "/tmp/evil.so",
                "HANDOFF_LAUNCH_TOKEN": "of another start", "HANDOFF_LAUNCH_ACTIVITY": "of another start",
                "HANDOFF_ROOT": "/another/root",
            ])
        let lines = Set((log ?? "").split(separator: "\n").map(String.init))
        #expect(
            lines.isSuperset(of: [
                "HOME=\(home.path)", "LANG=C.UTF-8", "LC_TIME=de_DE", "XDG_RUNTIME_DIR=/run/user/7",
                "WAYLAND_DISPLAY=wayland-0", "PATH=/usr/local/bin:/usr/bin:/bin", "HANDOFF_ROOT=\(home.path)",
                "HANDOFF_LAUNCH_TOKEN=\(token.hex)", "HANDOFF_LAUNCH_ACTIVITY=com.example.notes.editing",
            ]))
        #expect(!lines.contains { $0.hasPrefix("API_TOKEN=") || $0.hasPrefix("LD_PRELOAD=") })
    }

    @Test func theAppHasASessionOfItsOwnAndNoDescriptorsOfOurs() throws {
        // Kept open across exec on purpose: the launcher must close it all the same.
        let leak = open("/dev/null", O_RDONLY)
        defer { close(leak) }
        #expect(fcntl(leak, F_SETFD, 0) == 0)
        _ = try run(
            """
            readlink /proc/self/fd/0
            pwd
            cut -d' ' -f1,6 /proc/$$/stat
            ls /proc/$$/fd | tr '\\n' ' '
            """, daemon: ["HOME": home.path])
        let lines = (log ?? "").split(separator: "\n").map(String.init)
        try #require(lines.count == 4)
        #expect(lines[0] == "/dev/null")
        #expect(lines[1] == home.path)
        let process = lines[2].split(separator: " ")
        #expect(process.first == process.last, "process \(lines[2]) does not lead its session")
        // The shell's own script is open too, at 10 or 255.
        #expect(!lines[3].split(separator: " ").contains("\(leak)") || leak == 10)
    }

    @Test func outputAndErrorsOfEveryRunAreKept() throws {
        _ = try run("echo one; echo two >&2")
        _ = try run("echo three")
        #expect(log == "one\ntwo\nthree\n")
        #expect(home.mode("state/logs/com.example.notes.log") == 0o600)
        #expect(home.mode("state/logs") == 0o700)
    }

    @Test func aLargeLogIsPutAsideAtTheNextStart() throws {
        try home.file("state/logs/com.example.notes.log", String(repeating: "x", count: 1024 * 1024 + 1))
        _ = try run("echo new")
        #expect(log == "new\n")
        #expect(home.names("state/logs") == ["com.example.notes.log", "com.example.notes.log.1"])
    }

    @Test func aLogDoesNotFillTheDiskWhileItsAppRuns() throws {
        _ = try run("head -c 20000000 /dev/zero | tr '\\0' x; echo; echo the end")
        for name in home.names("state/logs") {
            let size = try #require(home.text("state/logs/\(name)")).utf8.count
            #expect(size <= 1024 * 1024, "\(name): \(size)")
        }
        let aside = try #require(home.text("state/logs/com.example.notes.log.1"))
        #expect(((log ?? "") + aside).contains("the end\n"))
    }

    @Test func anAppRunsWithoutALogWhereNoneCanBeMade() throws {
        try home.file("state/logs", "a file in the folder's place")
        #expect(try run("echo lost") == .exited(code: 0))
    }

    @Test func aLinkInTheLogsPlaceIsNotFollowed() throws {
        try home.file("precious", "precious")
        try home.folder("state/logs")
        try home.link("state/logs/com.example.notes.log", to: home.path("precious"))
        #expect(try run("echo overwritten") == .exited(code: 0))
        #expect(home.text("precious") == "precious")
    }

    @Test func whatCannotBeRunIsReportedAndNotThrown() throws {
        var app = try app("exit 0")
        app.executable = home.path("missing")
        let exit = try exit(of: app)
        guard case .notStarted(let reason) = exit else {
            Issue.record("\(exit)")
            return
        }
        #expect(reason.contains("missing: No such file or directory"))
    }

    private let token = LaunchToken(uncheckedBytes: [UInt8](repeating: 0xAB, count: 32))
    private let activityType = try! ActivityType("com.example.notes.editing")
    private var log: String? { home.text("state/logs/com.example.notes.log") }

    private func app(_ script: String) throws -> InstalledApp {
        let executable = try home.file("Notes.app/Contents/Linux/Notes", "#!/bin/sh\n\(script)\n", mode: 0o700)
        return InstalledApp(
            bundle: try BundleID("com.example.notes"), name: DisplayText(cleaning: "Notes"), signer: .development,
            activityTypes: [], path: home.path("Notes.app"), executable: executable)
    }

    private func launcher(daemon: [String: String]) -> ProcessLauncher {
        let loop = loop
        return ProcessLauncher(
            locations: Locations(root: home.path), environment: daemon,
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, onLoop: { loop.queue($0) })
    }

    private func run(_ script: String, daemon: [String: String] = [:]) throws -> AppExit {
        try exit(of: try app(script), daemon: daemon)
    }

    private func exit(of app: InstalledApp, daemon: [String: String] = [:]) throws -> AppExit {
        let launcher = launcher(daemon: daemon)
        while true {
            launcher.launch(app, token: token, for: activityType) { [loop] exit in loop.exits.append(exit) }
            let exit = try loop.nextExit()
            // A process that another test was starting just then held the fresh script open for writing: for the moment
            // between its fork and its exec, the system refuses to run it.
            if case .notStarted(let reason) = exit, reason.contains("busy") { continue }
            return exit
        }
    }
}
