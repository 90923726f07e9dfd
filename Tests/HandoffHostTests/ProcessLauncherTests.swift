// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffWire
import Logging
import TestPrograms
import Testing

@testable import HandoffHost

// Shows L02 in part: starts an app that is not running.
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
                "WAYLAND_DISPLAY=wayland-0", "PATH=/usr/local/bin:/usr/bin:/bin:\(home.path)/.local/bin",
                "HANDOFF_ROOT=\(home.path)",
                "HANDOFF_LAUNCH_TOKEN=\(token.hex)", "HANDOFF_LAUNCH_ACTIVITY=com.example.notes.editing",
            ]))
        #expect(!lines.contains { $0.hasPrefix("API_TOKEN=") || $0.hasPrefix("LD_PRELOAD=") })
    }

    /// Shows Q03 in part.
    @Test func withoutAServiceManagerTheVariablesOfInputMethodsReachTheApp() throws {
        let input = [
            "GTK_IM_MODULE": "fcitx", "QT_IM_MODULE": "fcitx", "XMODIFIERS": "@im=fcitx", "SDL_IM_MODULE": "fcitx",
            "GLFW_IM_MODULE": "ibus", "INPUT_METHOD": "fcitx", "CLUTTER_IM_MODULE": "fcitx",
            "QT_QPA_PLATFORMTHEME": "gtk3", "XCURSOR_SIZE": "48", "DESKTOP_SESSION": "sway",
        ]
        _ = try run("env", daemon: input.merging(["AWS_SECRET_ACCESS_KEY": "secret"]) { $1 })
        let lines = Set((log ?? "").split(separator: "\n").map(String.init))
        #expect(lines.isSuperset(of: input.map { "\($0)=\($1)" }))
        #expect(!lines.contains { $0.contains("secret") })
    }

    @Test func theAppHasASessionOfItsOwnAndNoDescriptorsOfOurs() throws {
        // Deliberately kept open across exec: the launcher must still close it.
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
        // The shell also has its own script open, at 10 or 255.
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

    @Test func missingExecutableIsReportedAsNotStarted() throws {
        var app = try app("exit 0")
        app.executable = home.path("missing")
        let exit = try exit(of: app)
        guard case .notStarted(let reason) = exit else {
            Issue.record("\(exit)")
            return
        }
        #expect(reason.contains("missing: No such file or directory"))
    }

    // MARK: By a desktop entry

    private func app(_ way: AppEntry.Way) throws -> InstalledApp {
        InstalledApp(
            bundle: try BundleID("com.example.notes"), name: DisplayText(cleaning: "Notes"), signer: .entry,
            activityTypes: [], path: home.path("notes.desktop"), executable: "",
            entry: AppEntry(path: home.path("notes.desktop"), hash: [], way: way))
    }

    private func script(_ text: String, at name: String = "bin/script") throws -> String {
        try home.file(name, "#!/bin/sh\n\(text)\n", mode: 0o700)
    }

    /// Between its fork and exec, the child of another thread has this process's files open.
    @Test func aProgramThatIsBusyForAMomentIsStarted() async throws {
        let program = try script("exit 5")
        let writer = try Program(
            ["/bin/sh", "-c", #"exec 3>>"$0"; echo open; exec sleep 0.02"#, program], environment: [:])
        try await writer.hear("open")
        #expect(try exit(of: app(.command(AppCommand(executable: program)))) == .exited(code: 5))
    }

    @Test func anEntrysProgramIsStartedWithItsArgumentsInItsFolder() throws {
        let command = AppCommand(
            executable: try script(#"printf '%s\n' "$@"; pwd; env"#), arguments: ["a b", "$HOME", "*"],
            directory: try home.folder("there"))
        let activation = try ActivationToken("window-7")
        #expect(
            try exit(of: app(.command(command)), daemon: ["XDG_ACTIVATION_TOKEN": "stale"], activation: activation)
                == .exited(code: 0))
        let lines = (log ?? "").split(separator: "\n").map(String.init)
        #expect(lines.prefix(4) == ["a b", "$HOME", "*", home.path("there")])
        #expect(lines.contains("XDG_ACTIVATION_TOKEN=window-7"))
        #expect(lines.contains("DESKTOP_STARTUP_ID=window-7"))
        #expect(lines.contains("HANDOFF_LAUNCH_TOKEN=\(token.hex)"))
    }

    // Shows Q10.
    @Test func aTerminalThatEndsAtOnceIsNotTheEndOfItsApp() throws {
        var command = AppCommand(executable: "/bin/sh", arguments: ["-c", "exit 0"])
        command.mayEndBefore = true
        launcher(daemon: [:]).launch(
            try app(.command(command)), token: token, for: activityType, activation: nil
        ) { [loop] exit in loop.exits.append(exit) }
        #expect(loop.run { loop.turns == 1 })
        #expect(loop.exits.isEmpty)
        command.arguments = ["-c", "exit 3"]
        #expect(try exit(of: app(.command(command))) == .exited(code: 3))
    }

    private static let hasXTerm = ["xterm", "Xvfb"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }

    // Shows Q10.
    @Test(.enabled(if: Self.hasXTerm, "there is no Xvfb, or no xterm"))
    func anEntryThatAsksForATerminalHasOneInAWindow() async throws {
        let screen = try Program(
            ["/usr/bin/Xvfb", "-displayfd", "1", "-screen", "0", "640x400x24", "-nolisten", "tcp"],
            environment: ["PATH": "/usr/bin:/bin"])
        #expect(await screen.wait { $0.output.hasSuffix("\n") }, "\(screen.errors)")
        let display = ":" + screen.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(mkfifo(home.path("pipe"), 0o600) == 0)
        _ = try script("(tty; pwd; echo \"$HANDOFF_LAUNCH_TOKEN\"; printf '%s\n' \"$@\") > '\(home.path("pipe"))'")
        var entry = SampleEntry()
        entry.exec = #"script "a b" '$HOME'"#
        entry.more = ["Terminal=true", "Path=\(home.path("bin"))"]
        try entry.write(in: home)
        let app = try #require(home.catalogWithEntries(["TERMINAL": "xterm"]).apps.first)
        let reader = try Program(["/bin/cat", home.path("pipe")], environment: [:])
        launcher(daemon: ["DISPLAY": display, "HOME": home.path]).launch(
            app, token: token, for: activityType, activation: nil
        ) { [loop] exit in loop.exits.append(exit) }
        #expect(await reader.end() == 0)
        let lines = reader.output.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("/dev/pts/") == true)
        #expect(lines.dropFirst() == [home.path("bin"), token.hex, "a b", "$HOME"])
        screen.send(SIGTERM)
        #expect(await screen.wait { !$0.isRunning })
    }

    @Test func theDaemonsOwnWindowTokenIsNotInherited() throws {
        let stale = ["XDG_ACTIVATION_TOKEN": "stale", "DESKTOP_STARTUP_ID": "stale", "XDG_SEAT": "seat0"]
        _ = try exit(of: app(.command(AppCommand(executable: try script("env")))), daemon: stale)
        #expect(log?.contains("XDG_SEAT=seat0") == true)
        #expect(log?.contains("stale") == false)
    }

    /// Shows T09.
    @Test func aWrapperGetsNoLaunchToken() throws {
        let command = AppCommand(executable: try script("env"), getsLaunchToken: false)
        _ = try exit(of: app(.command(command)))
        #expect(log?.contains("PATH=") == true)
        #expect(log?.contains("HANDOFF_LAUNCH") == false)
    }

    @Test func missingCommandOrFolderIsNamed() throws {
        let gone = AppCommand(executable: home.path("bin/gone"))
        let noFolder = AppCommand(executable: try script("exit 0"), directory: home.path("nowhere"))
        for (command, reason) in [
            (gone, "cannot start \(home.path("bin/gone")): No such file or directory"),
            (noFolder, "cannot start it in \(home.path("nowhere")): No such file or directory"),
        ] {
            #expect(try exit(of: app(.command(command))) == .notStarted(reason: reason))
        }
    }

    @Test(.enabled(if: SilentFileSystem.isPossible)) func aProgramOnADeadMountHoldsUpNoOtherStart() async throws {
        let mount = try SilentFileSystem(serving: "/bin/true")
        mount.fallSilent()
        let launcher = launcher(daemon: [:])
        let silent = try app(.command(AppCommand(executable: mount.program)))
        launcher.launch(silent, token: token, for: activityType, activation: nil) { _ in }
        #expect(await mount.wasAskedInVain())
        #expect(try run("exit 7") == .exited(code: 7))
    }

    @Test func anAppThatIsNotToBeStartedSaysWhy() throws {
        #expect(try exit(of: app(.refused("it wants a terminal"))) == .notStarted(reason: "it wants a terminal"))
    }

    // MARK: Over the bus

    private let withBus = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/bus"]

    /// The program that uses the bus is tested on real buses; this tests the handling of its reply.
    @Test func theBusIsAskedByAProgramOfItsOwnWithTheTokenInItsEnvironment() throws {
        let seen = home.path("seen")
        _ = try script("(echo \"$@\"; env) > '\(seen)'; echo 'handoff-bus: said no' >&2; exit 1", at: "handoff-bus")
        let app = try app(.activation(withoutBus: AppCommand(executable: "/bin/true")))
        #expect(
            try exit(of: app, daemon: withBus, activation: try ActivationToken("window-7"))
                == .notStarted(reason: "said no"))
        let lines = (home.text("seen") ?? "").split(separator: "\n").map(String.init)
        #expect(lines.first == "--activate com.example.notes")
        #expect(lines.contains("XDG_ACTIVATION_TOKEN=window-7"))
        #expect(lines.contains("DBUS_SESSION_BUS_ADDRESS=unix:path=/bus"))
        #expect(!lines.contains { $0.hasPrefix("HANDOFF_LAUNCH") })
    }

    @Test func appStartedByTheBusReportsNoExit() throws {
        _ = try script("exit 0", at: "handoff-bus")
        let launcher = launcher(daemon: withBus)
        let app = try app(.activation(withoutBus: nil))
        launcher.launch(app, token: token, for: activityType, activation: nil) { [loop] exit in loop.exits.append(exit)
        }
        #expect(loop.run { loop.turns == 1 })
        #expect(loop.exits.isEmpty)
    }

    @Test func withoutABusItsOwnProgramIsStarted() throws {
        let command = AppCommand(executable: try script("echo by itself"))
        #expect(try exit(of: app(.activation(withoutBus: command))) == .exited(code: 0))
        #expect(log == "by itself\n")
        let reason = "Notes can be started only over the user's bus, which is not available"
        #expect(try exit(of: app(.activation(withoutBus: nil))) == .notStarted(reason: reason))
    }

    @Test func aBusProgramThatIsMissingIsNamed() throws {
        let exit = try exit(of: app(.activation(withoutBus: nil)), daemon: withBus)
        let reason = "cannot start \(home.path("handoff-bus")): No such file or directory"
        #expect(exit == .notStarted(reason: reason))
    }

    // MARK: By the user's service manager

    /// Shows Q01. The arguments of systemd-run. Their effect is tested in a booted system.
    @Test func userManagerRunsEachAppAsItsOwnUnit() throws {
        try home.file("runtime/systemd/private", "")
        _ = try script(#"printf '%s\n' "$@"; env | grep -c HANDOFF_LAUNCH_TOKEN; exit 7"#, at: "tools/systemd-run")
        var app = try app(.command(AppCommand(executable: "/bin/true", arguments: ["$HOME", "--", "x"])))
        app.bundle = try BundleID("com.example.my-notes")
        let daemon = [
            "HOME": home.path, "XDG_RUNTIME_DIR": home.path("runtime"), "PATH": home.path("tools") + ":/usr/bin:/bin",
        ]
        #expect(try exit(of: app, daemon: daemon) == .exited(code: 7))
        let lines = (home.text("state/logs/com.example.my-notes.log") ?? "").split(separator: "\n").map(String.init)
        let unit = #"--unit=app-handoff-com.example.my\x2dnotes@"#
        #expect(lines.contains { $0.hasPrefix(unit) && $0.hasSuffix(".service") })
        for argument in [
            "--user", "--collect", "--wait", "--pipe", "--property=ExitType=cgroup", "--slice=app.slice",
            "--setenv=HANDOFF_LAUNCH_TOKEN",
        ] {
            #expect(lines.contains(argument), "\(argument)")
        }
        #expect(lines.contains("--working-directory=\(home.path)"))
        #expect(lines.suffix(6) == ["--", "/bin/true", "$$HOME", "--", "x", "1"])
        // No argument contains a value or a part of the token, because other users can read them.
        #expect(!lines.contains { $0.contains(token.hex.prefix(8)) })
        app.entry?.way = .command(AppCommand(executable: home.path("gone")))
        let reason = "cannot start \(home.path("gone")): No such file or directory"
        #expect(try exit(of: app, daemon: daemon) == .notStarted(reason: reason))
    }

    /// A service manager with fake systemctl and systemd-run; real ones exist only in a booted system.
    private func managed(_ session: String) throws -> [String: String] {
        try home.file("runtime/systemd/private", "")
        try home.file("session", session)
        _ = try script("[ \"$*\" = '--user show-environment' ] && cat '\(home.path("session"))'", at: "tools/systemctl")
        _ = try script(#"printf 'argument %s\n' "$@"; env"#, at: "tools/systemd-run")
        return [
            "HOME": home.path, "XDG_RUNTIME_DIR": home.path("runtime"), "PATH": home.path("tools") + ":/usr/bin:/bin",
        ]
    }

    private func start(_ daemon: [String: String]) throws -> Set<String> {
        let app = try app(.command(AppCommand(executable: "/bin/true")))
        try home.file("state/logs/com.example.notes.log", "")
        _ = try exit(of: app, daemon: daemon)
        return Set((log ?? "").split(separator: "\n").map(String.init))
    }

    /// Shows Q03 in part.
    @Test func anAppIsStartedInTheSessionThatTheServiceManagerHasNow() throws {
        let own = [
            "SYSTEMD_EXEC_PID": "\(getpid())", "DISPLAY": ":0", "XAUTHORITY": "/gone", "GTK_IM_MODULE": "stale",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/stale",
        ]
        let daemon = try managed("").merging(own) { $1 }
        let path = "PATH=\(home.path("tools")):/usr/bin"
        let session = ["HOME=\(home.path)", "XDG_RUNTIME_DIR=\(home.path("runtime"))", path].joined(separator: "\n")
        try home.file(
            "session", session + "\nDISPLAY=:1\nXDG_ACTIVATION_TOKEN=stale\nDBUS_SESSION_BUS_ADDRESS=unix:path=/bus\n")
        let first = try start(daemon)
        #expect(first.isSuperset(of: ["DISPLAY=:1", "DBUS_SESSION_BUS_ADDRESS=unix:path=/bus"]))
        #expect(first.contains("argument --property=UnsetEnvironment=XDG_ACTIVATION_TOKEN"))
        #expect(!first.contains { $0.contains("stale") || $0.contains("XAUTHORITY") })
        // The unit inherits the session, so that no variable is replaced with an older value.
        let named = first.filter { $0.hasPrefix("argument --setenv=") }.map { $0.dropFirst("argument --setenv=".count) }
        #expect(named.sorted() == ["HANDOFF_LAUNCH_ACTIVITY", "HANDOFF_LAUNCH_TOKEN", "HANDOFF_ROOT", "PATH"])
        #expect(first.contains("\(path):\(home.path)/.local/bin"))

        try home.file("session", session + "\nWAYLAND_DISPLAY=wayland-1\nGTK_IM_MODULE=ibus\n")
        let second = try start(daemon)
        #expect(second.isSuperset(of: ["WAYLAND_DISPLAY=wayland-1", "GTK_IM_MODULE=ibus"]))
        #expect(!second.contains { $0.hasPrefix("DISPLAY=") })
    }

    /// Shows Q03 in part.
    @Test func aDaemonStartedByHandAddsWhatTheServiceManagerDoesNotKnow() throws {
        let own = ["DISPLAY": ":5", "QT_IM_MODULE": "fcitx", "LANG": "de_DE.UTF-8", "API_TOKEN": "secret"]
        let daemon = try managed("LANG=en_US.UTF-8\nXDG_RUNTIME_DIR=\(home.path("runtime"))\n").merging(own) { $1 }
        let lines = try start(daemon)
        #expect(lines.isSuperset(of: ["DISPLAY=:5", "QT_IM_MODULE=fcitx", "LANG=en_US.UTF-8"]))
        #expect(lines.contains("argument --setenv=DISPLAY"))
        #expect(!lines.contains("argument --setenv=LANG"))
        #expect(!lines.contains { $0.contains("secret") })
        // The variables of one display belong together.
        try home.file("session", "WAYLAND_DISPLAY=wayland-0\nXDG_RUNTIME_DIR=\(home.path("runtime"))\n")
        #expect(try start(daemon).isDisjoint(with: ["DISPLAY=:5"]))
    }

    /// Shows Q03 in part.
    @Test func valuesThatTheServiceManagerQuotesArriveAsTheyAre() throws {
        let daemon = try managed(#"QT_STYLE=$'it\'s a \\ \303\244'"# + "\nGTK_THEME=Adwaita:dark\nnonsense\n")
        #expect(try start(daemon).isSuperset(of: [#"QT_STYLE=it's a \ ä"#, "GTK_THEME=Adwaita:dark"]))
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
            busDoor: home.path("handoff-bus"), log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            onLoop: { loop.queue($0) })
    }

    private func run(_ script: String, daemon: [String: String] = [:]) throws -> AppExit {
        try exit(of: try app(script), daemon: daemon)
    }

    private func exit(
        of app: InstalledApp, daemon: [String: String] = [:], activation: ActivationToken? = nil
    ) throws -> AppExit {
        let launcher = launcher(daemon: daemon)
        while true {
            launcher.launch(app, token: token, for: activityType, activation: activation) { [loop] exit in
                loop.exits.append(exit)
            }
            let exit = try loop.nextExit()
            // Between the fork and the exec of another test, the fresh script is open for writing, and the system
            // refuses to run it.
            if case .notStarted(let reason) = exit, reason.contains("busy") { continue }
            return exit
        }
    }
}
