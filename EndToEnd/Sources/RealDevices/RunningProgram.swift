// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A running program, with access to its input and both outputs.
package final class RunningProgram: @unchecked Sendable {
    package let output = Transcript()
    package let errors = Transcript()
    package let name: String
    // Not changed after init; `Process` itself may be used from any thread.
    private let process = Process()
    private let input = Pipe()
    private let ended = DispatchSemaphore(value: 0)

    /// File handles that replace our pipes. They are not read here, and still belong to the caller.
    package struct Ends {
        package var input: FileHandle?
        package var output: FileHandle?
        package var errors: FileHandle?

        package init(input: FileHandle? = nil, output: FileHandle? = nil, errors: FileHandle? = nil) {
            (self.input, self.output, self.errors) = (input, output, errors)
        }
    }

    package init(
        _ command: [String], environment: [String: String] = [:], name: String? = nil, ends: Ends = Ends()
    ) throws {
        precondition(!command.isEmpty, "a command has a program")
        self.name = name ?? URL(filePath: command[0]).lastPathComponent
        process.executableURL = URL(filePath: "/usr/bin/env")
        // A test's thread blocks signals, and a child inherits that, so it would ignore SIGTERM.
        process.arguments = ["--default-signal"] + command
        // The user's own settings for Handoff must not apply here.
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("HANDOFF_") }
            .merging(environment) { $1 }
        process.standardInput = ends.input ?? input
        let outlets = [(ends.output, output), (ends.errors, errors)].map { end, transcript in
            let pipe = end == nil ? Pipe() : nil
            return (end: end ?? pipe as Any, pipe, transcript)
        }
        (process.standardOutput, process.standardError) = (outlets[0].end, outlets[1].end)
        process.terminationHandler = { [ended] _ in ended.signal() }
        try process.run()
        for (_, pipe, transcript) in outlets {
            if let pipe { transcript.follow(pipe.fileHandleForReading) } else { transcript.closed() }
        }
    }

    package var pid: Int32 { process.processIdentifier }
    package var isRunning: Bool { process.isRunning }

    package func say(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    package func closeInput() { try? input.fileHandleForWriting.close() }

    package func send(_ signal: Int32) { kill(pid, signal) }

    /// Its exit code, or minus the number of the signal that ended it.
    @discardableResult
    package func waitForExit(within bound: Duration = .seconds(10)) throws -> Int32 {
        guard ended.wait(timeout: .now() + bound / .seconds(1)) == .success else {
            throw Unmet("waited \(bound) for \(name) to end")
        }
        // So that a second wait succeeds too.
        ended.signal()
        closeInput()
        try output.waitForEnd(within: .seconds(2))
        return process.terminationReason == .uncaughtSignal ? -process.terminationStatus : process.terminationStatus
    }

    /// Ends it with SIGTERM, then SIGKILL.
    package func stop(within bound: Duration = .seconds(3)) {
        guard process.isRunning else { return closeInput() }
        send(SIGCONT)
        send(SIGTERM)
        if (try? waitForExit(within: bound)) == nil {
            send(SIGKILL)
            _ = try? waitForExit(within: bound)
        }
    }
}

/// The result of a program that has ended.
package struct Ended: Sendable {
    package let code: Int32
    package let output: String
    package let errors: String
}

extension RunningProgram {
    /// Runs a program to its end.
    package static func run(
        _ command: [String], environment: [String: String] = [:], typing line: String? = nil,
        within bound: Duration = .seconds(20)
    ) throws -> Ended {
        let program = try RunningProgram(command, environment: environment)
        if let line { try program.say(line) }
        program.closeInput()
        do {
            let code = try program.waitForExit(within: bound)
            try program.errors.waitForEnd(within: .seconds(2))
            return Ended(code: code, output: program.output.text, errors: program.errors.text)
        } catch {
            program.stop()
            throw Unmet("\(command.joined(separator: " ")): \(error)\n\(program.errors.text)")
        }
    }
}
