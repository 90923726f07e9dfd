// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem

/// A started program with its output so far and its input. Waiting for it blocks no thread.
///
/// This does not use Foundation's `Process`, which reads beyond the end of its list of descriptors once there are
/// 1,355, and tests with a thousand connections run in the same process.
package final class Program: Sendable {
    package struct Silence: Error, CustomStringConvertible {
        package let description: String
        package init(description: String) { self.description = description }
    }

    private struct Said {
        var output = Data()
        var errors = Data()
        var openEnds = 2
        /// As returned by `SpawnedProcess.waitForEnd`.
        var ended: Int32?
        /// Lines of the output that `hear` has passed.
        var heard = 0
    }

    /// The folder of this package's programs, which contains the test runner too.
    package static let built =
        Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent().path ?? "."

    private let name: String
    private let process: SpawnedProcess
    private let input: Pipe?
    private let said = Lock(Said())

    /// `environment`: its whole environment. `folder`: its working directory, by default that of the tests.
    /// `takesInput`: whether the test can type; otherwise the input is empty. `terminal`: the width of a terminal as
    /// standard output.
    package init(
        _ command: [String], environment: [String: String], folder: String? = nil, takesInput: Bool = false,
        terminal: Int? = nil
    ) throws {
        name = command[0]
        input = takesInput ? Pipe() : nil
        let terminal = try terminal.map { try PseudoTerminal(columns: $0) }
        let (output, errors) = (terminal == nil ? Pipe() : nil, Pipe())
        let outputEnd = terminal?.end ?? output!.fileHandleForWriting
        process = try SpawnedProcess(
            executable: command[0], arguments: command, environment: environment,
            directory: folder ?? FileManager.default.currentDirectoryPath,
            input: input?.fileHandleForReading.fileDescriptor, output: outputEnd.fileDescriptor,
            errors: errors.fileHandleForWriting.fileDescriptor)
        // Otherwise the end of its output would never be seen.
        for end in [outputEnd, errors.fileHandleForWriting, input?.fileHandleForReading] { try end?.close() }
        follow(terminal?.reader ?? output!.fileHandleForReading) { $0.output += $1 }
        follow(errors.fileHandleForReading) { $0.errors += $1 }
        DetachedThread.start { [weak self, process] in
            let end = process.waitForEnd()
            self?.change { $0.ended = end }
        }
    }

    deinit { if isRunning { process.kill() } }

    package var id: Int32 { process.id }
    package var output: String { said.withLock { String(decoding: $0.output, as: UTF8.self) } }
    package var errors: String { said.withLock { String(decoding: $0.errors, as: UTF8.self) } }
    package var isRunning: Bool { said.withLock { $0.ended == nil } }

    package func type(_ line: String) throws {
        try input?.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    package func send(_ signal: Int32) { kill(process.id, signal) }

    /// Stops the program until it is sent SIGCONT. Returns once all threads are stopped, because the signal may reach a
    /// thread late.
    package func freeze(_ bound: Duration = .seconds(30)) async {
        send(SIGSTOP)
        let deadline = ContinuousClock.now + bound
        while !isFrozen, ContinuousClock.now < deadline { await Task.yield() }
    }

    /// Whether each thread is stopped, by /proc.
    private var isFrozen: Bool {
        let folder = "/proc/\(process.id)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return threads.allSatisfy { thread in
            // The name before it may contain any characters, but is in brackets.
            let state = (try? String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8))?
                .split(separator: ")").last?.trimmingPrefix(" ").first
            return state == nil || state == "T"
        }
    }

    /// Waits until `condition` holds, at most for `bound`. Checks after each output of a program, and at the end.
    package func wait(_ bound: Duration = .seconds(30), until condition: (Program) -> Bool) async -> Bool {
        let deadline = ContinuousClock.now + bound
        let alarm = Changes.all.alarm(in: bound)
        defer { alarm.cancel() }
        while true {
            let seen = Changes.all.count
            if condition(self) { return true }
            guard ContinuousClock.now < deadline else { return false }
            await Changes.all.next(after: seen)
        }
    }

    /// Waits for a line that contains `text`, after the lines of earlier calls, and returns it.
    @discardableResult
    package func hear(_ text: String) async throws -> String {
        var found: String?
        let isThere = await wait { program in
            found = program.said.withLock { said in
                let lines = String(decoding: said.output, as: UTF8.self).split(separator: "\n").map(String.init)
                guard let index = lines.indices.dropFirst(said.heard).first(where: { lines[$0].contains(text) }) else {
                    return nil
                }
                said.heard = index + 1
                return lines[index]
            }
            return found != nil
        }
        guard isThere, let found else { throw Silence(description: "\(name) did not say \(text):\n\(output)\(errors)") }
        return found
    }

    /// Waits for `text` in its standard error.
    package func warn(_ text: String) async throws {
        guard await wait(until: { $0.errors.contains(text) }) else {
            throw Silence(description: "\(name) did not say \(text):\n\(errors)")
        }
    }

    /// Its exit code, once all output was read; nil if it did not end in time and was killed.
    package func end(_ bound: Duration = .seconds(30)) async -> Int32? {
        if await wait(bound, until: { $0.said.withLock { $0.ended != nil && $0.openEnds == 0 } }) {
            return said.withLock { $0.ended }
        }
        send(SIGKILL)
        return nil
    }

    private func follow(_ file: FileHandle, _ add: @escaping @Sendable (inout Said, Data) -> Void) {
        DetachedThread.start { [weak self] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(file.fileDescriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                // The read fails once no program has the terminal open.
                self?.change { said in
                    if count > 0 { add(&said, Data(buffer[..<count])) } else { said.openEnds -= 1 }
                }
                guard count <= 0 else { continue }
                try? file.close()
                return
            }
        }
    }

    private func change(_ body: (inout Said) -> Void) {
        said.withLock { body(&$0) }
        Changes.all.happened()
    }
}

extension Program {
    /// Runs a program from PATH without output, and blocks until it has ended. Returns as
    /// ``SpawnedProcess/waitForEnd()``, or -1 if it cannot be started.
    @discardableResult
    package static func run(_ command: [String]) -> Int32 {
        let process = try? SpawnedProcess(
            executable: "/usr/bin/env", arguments: ["env"] + command, environment: ProcessInfo.processInfo.environment,
            directory: FileManager.default.currentDirectoryPath, output: nil)
        return process?.waitForEnd() ?? -1
    }

    /// Writes a script that can be started at once. Another process writes it: a process that any test forks at that
    /// moment would inherit our open file, and the kernel starts no file that is open for writing.
    package static func write(_ script: String, to path: String, mode: Int = 0o755) throws {
        let write = #"printf %s "$1" > "$2" && chmod "$3" "$2""#
        guard run(["sh", "-c", write, "sh", script, path, String(mode, radix: 8)]) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
        }
    }
}

extension SpawnedProcess {
    /// Blocks until it has ended. Returns its exit code, the number of the signal that ended it, or -1 if its status is
    /// unknown.
    func waitForEnd() -> Int32 {
        guard let status = waitForStatus() else { return -1 }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : status & 0x7f
    }
}
