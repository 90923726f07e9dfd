// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Plays a transcript with the built programs, in a folder of its own, and tells where it went another way.
final class Session {
    struct Difference: Error, CustomStringConvertible {
        let line: Int
        let description: String
    }

    static let programs = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent().path ?? "."

    private let work: String
    private var bindings = Bindings()
    private var device = "device"
    private var daemons: [String: Program] = [:]
    private var beside: Program?

    init() throws {
        // Short, for the path of a socket has little room.
        var template = Array("/tmp/handoff-cli-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
        work = String(cString: made)
    }

    deinit {
        beside?.send(SIGKILL)
        daemons.values.forEach { $0.send(SIGKILL) }
        try? FileManager.default.removeItem(atPath: work)
    }

    func play(_ transcript: Transcript) throws {
        for (path, content) in transcript.files {
            let url = URL(fileURLWithPath: work + "/" + path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(content.utf8).write(to: url)
        }
        for (line, step) in transcript.steps {
            if let difference = try play(step) {
                throw Difference(line: line, description: "line \(line): \(difference)")
            }
        }
    }

    private func play(_ step: Transcript.Step) throws -> String? {
        switch step {
        case .device(let name): device = name
        case .daemon(let name): return try startDaemon(name)
        case .kill(let name):
            daemons[name]?.send(SIGKILL)
            _ = daemons.removeValue(forKey: name)?.end()
        case .command(let command, let expected, let isBackground):
            let program = try start(["/bin/sh", "-c", (isBackground ? "exec " : "") + bindings.fill(command)])
            if isBackground { beside = program } else { return compare(program, expected, command) }
        case .said(let text):
            guard let beside else { return "nothing goes on beside" }
            var bindings = bindings
            let heard = beside.wait { program in self.lines(program.output).contains { bindings.match($0, text) } }
            self.bindings = bindings
            if !heard { return "it never said: \(text)\nbut:\n\(beside.output)\(beside.errors)" }
        case .stop:
            beside?.send(SIGINT)
            guard let code = beside?.end(), code == 0 else { return "it did not end well: \(beside?.errors ?? "")" }
            beside = nil
        }
        return nil
    }

    private func startDaemon(_ name: String) throws -> String? {
        device = name
        let daemon = try start([
            Self.programs + "/handoffd", "--root", "\(work)/\(name)", "--name", name, "--listen", "127.0.0.1:0",
        ])
        daemons[name] = daemon
        let isReady = daemon.wait { !$0.isRunning || $0.errors.contains("ready\n") } && daemon.isRunning
        return isReady ? nil : "the daemon of \(name) is not ready: \(daemon.errors)"
    }

    private func compare(_ program: Program, _ expected: Transcript.Expected, _ command: String) -> String? {
        guard let code = program.end() else { return "\(command)\ndoes not end" }
        let output = lines(program.output)
        let errors = lines(program.errors)
        if code == expected.code, bindings.match(output, expected.output), bindings.match(errors, expected.errors) {
            return nil
        }
        let came = output + errors.map { "2> " + $0 } + (code == 0 ? [] : ["[\(code)]"])
        return "$ \(command)\n" + came.joined(separator: "\n")
    }

    private func lines(_ text: String) -> [String] {
        text.replacingOccurrences(of: work, with: "$WORK").split(separator: "\n").map(String.init)
            .filter { !$0.allSatisfy(\.isWhitespace) }
    }

    private func start(_ command: [String]) throws -> Program {
        let environment = [
            "PATH": Self.programs + ":/usr/bin:/bin", "HOME": work, "WORK": work, "HANDOFF_ROOT": "\(work)/\(device)",
            "TZ": "UTC", "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
        ]
        return try Program(command, environment: environment, folder: work)
    }
}
