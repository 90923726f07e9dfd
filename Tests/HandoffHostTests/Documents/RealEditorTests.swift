// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffSystem
import HandoffWire
import TestPrograms
import Testing

@testable import HandoffHost

/// Documents that are open in editors whose lock files are not beside the document, or are of no form of their own.
/// Shows Q09.
@Suite struct RealEditorTests {
    private let fixture: DiskFixture
    private let home: String

    init() throws {
        fixture = try DiskFixture()
        home = fixture.home.path
        try fixture.write("old\n", to: "letter.txt")
    }

    static func isInstalled(_ program: String) -> Bool { access("/usr/bin/\(program)", X_OK) == 0 }

    private func hold() throws -> DocumentHold? {
        fixture.files.hold(at: try fixture.place("letter.txt"), asPackage: false)
    }

    private func checkHeld(_ program: String) throws {
        #expect(try hold() == .editor(program))
        #expect(try fixture.receive(Array("new".utf8), as: "letter.txt") == .changedMeanwhile)
        #expect(fixture.text("letter.txt") == "old\n")
    }

    private func checkFree() throws {
        #expect(try hold() == nil)
        try fixture.receive(Array("new".utf8), as: "letter.txt")
        #expect(fixture.text("letter.txt") == "new")
    }

    /// Waits for the link of that name beside the document, or for a file whose content `isFinal`.
    private func waits(
        for name: String, _ watch: FolderWatch, isFinal: @escaping @Sendable (Data) -> Bool = { !$0.isEmpty }
    ) async -> Bool {
        let path = fixture.path(name)
        return await withCheckedContinuation { done in
            DetachedThread.start {
                let isLocked = watch.waits(milliseconds: 60_000) {
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
                        || (try? Data(contentsOf: URL(filePath: path))).map(isFinal) == true
                }
                done.resume(returning: isLocked)
            }
        }
    }

    // MARK: Swap files in another folder

    /// The folder depends on its version and on variables of its shell.
    // Shows Q09.
    @Test(.enabled(if: isInstalled("nvim"), "needs Neovim"), arguments: [nil, "states"])
    func documentThatIsOpenInNeovimIsNotReplaced(states: String?) async throws {
        var environment = ["HOME": home]
        for name in ["XDG_STATE_HOME", "XDG_DATA_HOME"] { environment[name] = states.map { "\(home)/\($0)" } }
        let neovim = try Program(
            [
                "/usr/bin/nvim", "--headless", "-u", "NONE", "-c", #"call writefile(["opened"], "/dev/stdout")"#,
                fixture.path("letter.txt"),
            ], environment: environment, takesInput: true)
        try await neovim.hear("opened")
        try checkHeld("Neovim")
        neovim.send(SIGKILL)
        _ = await neovim.end()
        try checkFree()
    }

    // Shows Q09.
    @Test(.enabled(if: isInstalled("vim") || isInstalled("vim.tiny"), "needs Vim"))
    func documentThatIsOpenInVimWithItsSwapFilesElsewhereIsNotReplaced() async throws {
        let swaps = try fixture.home.folder("swaps")
        let program = Self.isInstalled("vim") ? "/usr/bin/vim" : "/usr/bin/vim.tiny"
        let vim = try Program(
            [program, "-u", "NONE", "-e", "-s", "--cmd", "set directory=\(swaps)//", fixture.path("letter.txt")],
            environment: ["HOME": home], takesInput: true)
        try vim.type("1print")
        try await vim.hear("old")
        try checkHeld("Vim")
        try vim.type("quit!")
        _ = await vim.end()
        try checkFree()
    }

    // MARK: Editors in a terminal

    /// As a person starts them, who has typed a letter.
    private func open(
        _ command: String, lock: String, isFinal: @escaping @Sendable (Data) -> Bool = { !$0.isEmpty }
    ) async throws -> Program {
        let watch = FolderWatch(folder: fixture.folder.text, for: .changes)
        let program = try Program(
            ["/usr/bin/script", "-q", "-c", "\(command) '\(fixture.path("letter.txt"))'", "/dev/null"],
            environment: ["HOME": home, "PATH": "/usr/bin:/bin", "TERM": "xterm", "SHELL": "/bin/sh"],
            takesInput: true)
        // It shows the text once it takes keys.
        _ = await program.wait { $0.output.contains("old") }
        try program.type("X")
        #expect(await waits(for: lock, watch, isFinal: isFinal), "\(program.output)")
        return program
    }

    private func check(_ name: String, killing process: Int32?, _ program: Program) async throws {
        try checkHeld(name)
        kill(try #require(process), SIGKILL)
        _ = await program.end()
        try checkFree()
    }

    // Shows Q09.
    @Test(.enabled(if: isInstalled("nano"), "needs nano")) func documentThatNanoHasLockedIsNotReplaced() async throws {
        // nano removes its lock, and writes it again with this byte, once the text is changed.
        let nano = try await open("nano -G", lock: ".letter.txt.swp") { $0.count > 1007 && $0[1007] == 0x55 }
        let lock = EditorLock(vim: try #require(fixture.bytes(".letter.txt.swp")))
        try await check("nano", killing: lock?.process, nano)
    }

    /// Their locks have Emacs's form.
    // Shows Q09.
    @Test(arguments: [("joe", "JOE"), ("jed", "Jed")].filter { isInstalled($0.0) })
    func documentThatAnEditorLockedInTheWayOfEmacsIsNotReplaced(command: String, name: String) async throws {
        let editor = try await open(command, lock: ".#letter.txt")
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: fixture.path(".#letter.txt"))
        try await check(name, killing: EditorLock(emacs: Array(target.utf8))?.process, editor)
    }

    // MARK: Kate

    // Shows Q09.
    @Test(.enabled(if: isInstalled("kate") && isInstalled("Xvfb") && isInstalled("xdotool"), "needs Kate and Xvfb"))
    func documentThatKateHasChangedIsNotReplaced() async throws {
        let screen = try await Screen()
        let watch = FolderWatch(folder: fixture.folder.text, for: .changes)
        let kate = try screen.start(
            ["/usr/bin/dbus-run-session", "--", "/usr/bin/kate", "-n", "-b", fixture.path("letter.txt")], home: home)
        try await screen.type("X", intoWindow: "letter.txt")
        #expect(await waits(for: ".letter.txt.kate-swp", watch), "\(kate.errors)")
        try checkHeld("Kate")
        kate.send(SIGTERM)
        _ = await kate.end()
    }

    // Shows Q09.
    @Test func swapFileThatACrashOfKateLeftHoldsNothing() throws {
        try fixture.write("Kate Swap File 2.0", to: ".letter.txt.kate-swp")
        try checkFree()
    }
}

/// A screen that no one sees.
final class Screen {
    private let server: Program
    private let display: String

    init() async throws {
        server = try Program(
            ["/usr/bin/Xvfb", "-displayfd", "1", "-screen", "0", "1024x768x24", "-nolisten", "tcp"],
            environment: ["PATH": "/usr/bin:/bin"])
        guard await server.wait(until: { $0.output.hasSuffix("\n") }) else {
            throw Program.Silence(description: "Xvfb has no display: \(server.errors)")
        }
        display = ":" + server.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit { server.send(SIGKILL) }

    func start(_ command: [String], home: String) throws -> Program {
        try Program(
            command,
            environment: [
                "DISPLAY": display, "HOME": home, "PATH": "/usr/bin:/bin", "NO_AT_BRIDGE": "1", "XDG_RUNTIME_DIR": home,
            ])
    }

    /// Once a window of that title is shown.
    func type(_ text: String, intoWindow title: String) async throws {
        try await xdotool([
            "search", "--sync", "--onlyvisible", "--name", title, "windowfocus", "--sync", "type", "--delay", "50",
            text,
        ])
    }

    func press(_ keys: [String], inWindow title: String) async throws {
        try await xdotool(
            ["search", "--sync", "--onlyvisible", "--name", title, "windowfocus", "--sync", "key", "--delay", "100"]
                + keys)
    }

    private func xdotool(_ arguments: [String]) async throws {
        let hand = try Program(["/usr/bin/xdotool"] + arguments, environment: ["DISPLAY": display])
        #expect(await hand.end(.seconds(120)) == 0, "\(hand.errors)")
    }
}
