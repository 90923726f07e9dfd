// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffWire
import Testing

@testable import HandoffAdapters

/// VS Code cannot be installed from Debian. Its extension runs in a plain Node.js, with a stand-in for VS Code's interface.
@Suite struct VSCodeTests {
    private static let node = "/usr/bin/node"
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Prints the report after each step, then after the end.
    private static let script = """
        const Module = require("module"), fs = require("fs"), heard = {};
        const on = (name) => (handler) => { heard[name] = handler; return { dispose() {} }; };
        const text = "a\\u{1F600}b\\u00f6";
        const at = (line, character, scheme = "file") => ({ selection: { active: { line, character } }, document: {
            lineAt: () => ({ text }), uri: { scheme, fsPath: "/home/a/n\\u00f6tes\\n#1.txt" } } });
        const window = { activeTextEditor: undefined, onDidChangeActiveTextEditor: on("editor"),
            onDidChangeTextEditorSelection: on("selection"), onDidChangeWindowState: on("state") };
        const load = Module._load;
        Module._load = (name, ...rest) => name === "vscode" ? { window } : load(name, ...rest);
        const extension = require(process.argv[1]);
        const folder = process.env.XDG_RUNTIME_DIR + "/handoff-programs", file = folder + "/" + process.pid;
        const show = (name) => console.log(JSON.stringify([name, fs.existsSync(file) ? fs.readFileSync(file, "utf8") : null]));
        // The end of its wait for rest.
        let due;
        global.setTimeout = (handler) => { due = handler; };
        global.clearTimeout = () => { due = undefined; };
        extension.activate({ subscriptions: [] });
        due();
        show("off");
        fs.mkdirSync(folder);
        window.activeTextEditor = at(39, 4);
        heard.selection();
        due();
        show("file");
        fs.writeFileSync(file, "old");
        heard.selection();
        due();
        show("same");
        heard.state({ focused: true });
        due();
        show("focus");
        window.activeTextEditor = at(0, 0, "vscode-remote");
        heard.editor();
        due();
        show("remote");
        extension.deactivate();
        show("end");
        """

    // Shows M04.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: VSCodeTests.node)))
    func extensionReportsItsFileAndCursor() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "handoff-code-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: Self.node)
        process.arguments = [
            "-e", Self.script, Self.root.appending(path: "Desktop/vscode/extension/extension.js").path,
        ]
        process.environment = ["XDG_RUNTIME_DIR": folder.path, "PATH": "/usr/bin:/bin"]
        process.standardOutput = output
        try process.run()
        let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .split(separator: "\n")
        process.waitUntilExit()
        let file = "40\n4\n/home/a/nötes\n#1.txt"
        let steps = try lines.map { try JSONDecoder().decode([String?].self, from: Data($0.utf8)) }
        #expect(
            steps == [
                ["off", nil], ["file", file], ["same", "old"], ["focus", file], ["remote", "1\n1\n"], ["end", nil],
            ])
        let report = try #require(ProgramReport(bytes: Array(file.utf8), time: [0, 0]))
        #expect(
            report.content
                == .editor(try AbsolutePath(bytes: Array("/home/a/nötes\n#1.txt".utf8)), .cursor(line: 40, column: 4)))
    }

    // Shows M04.
    @Test(arguments: [
        ("/a/notes.txt", ["--goto", "/a/notes.txt:40:3"]), ("/a:b.txt", ["--goto", "/a:b.txt:40:3"]),
        ("/a/12:30", ["/a/12:30"]), ("/a:7:b", ["/a:7:b"]),
    ])
    func opensAtTheLineUnlessThePathHasANumberOfItsOwn(_ path: String, _ arguments: [String]) throws {
        let program = try #require(KnownProgram.of(entry: "codium"))
        let state = ProgramState(
            source: .page("https://a.example"), place: .cursor(line: 40, column: 3))
        let command = OpeningCommand(program, "/usr/bin/codium", opening: path, state)
        #expect(command?.words == ["/usr/bin/codium"] + arguments)
    }
}
