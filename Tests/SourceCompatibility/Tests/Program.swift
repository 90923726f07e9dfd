// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A started program, what it has said so far, and a hand on its input.
final class Program: Sendable {
    struct Silence: Error, CustomStringConvertible {
        let description: String
    }

    private struct Said {
        var output = Data()
        var errors = Data()
        var openEnds = 2
        var hasEnded = false
        /// Lines of the output that were heard.
        var heard = 0
    }

    private let name: String
    private let process = Process()
    private let input = Pipe()
    private let said = Mutex(Said())
    /// One for all: who waits asks again whenever somebody said something.
    private static let changed = NSCondition()

    init(_ command: [String], environment: [String: String]) throws {
        name = command[0]
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = environment
        process.standardInput = input
        process.standardOutput = collect { $0.output += $1 }
        process.standardError = collect { $0.errors += $1 }
        process.terminationHandler = { [weak self] _ in self?.change { $0.hasEnded = true } }
        try process.run()
    }

    deinit { if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) } }

    var output: String { said.withLock { String(decoding: $0.output, as: UTF8.self) } }
    var errors: String { said.withLock { String(decoding: $0.errors, as: UTF8.self) } }

    func type(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// Waits for a line that has this in it, after those that were heard before; that line.
    @discardableResult
    func hear(_ text: String) throws -> String {
        var found: String?
        let isThere = wait { program in
            program.said.withLock { said in
                let lines = String(decoding: said.output, as: UTF8.self).split(separator: "\n").map(String.init)
                guard let index = lines.indices.dropFirst(said.heard).first(where: { lines[$0].contains(text) }) else {
                    return false
                }
                said.heard = index + 1
                found = lines[index]
                return true
            }
        }
        guard isThere, let found else { throw Silence(description: "\(name) did not say \(text):\n\(output)\(errors)") }
        return found
    }

    /// Waits for this in what it wrote to the standard error.
    func warn(_ text: String) throws {
        guard wait(until: { $0.errors.contains(text) }) else {
            throw Silence(description: "\(name) did not say \(text):\n\(errors)")
        }
    }

    /// Its exit code, once all it said is here.
    func end() throws -> Int32 {
        guard wait(until: { $0.said.withLock { $0.hasEnded && $0.openEnds == 0 } }) else {
            throw Silence(description: "\(name) does not end")
        }
        return process.terminationStatus
    }

    func stop() { Foundation.kill(process.processIdentifier, SIGTERM) }
    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// It does nothing more until it is killed.
    func hold() { Foundation.kill(process.processIdentifier, SIGSTOP) }

    private func wait(until condition: (Program) -> Bool) -> Bool {
        let limit = Date(timeIntervalSinceNow: 30)
        Self.changed.lock()
        defer { Self.changed.unlock() }
        while !condition(self) {
            if !Self.changed.wait(until: limit) { return condition(self) }
        }
        return true
    }

    private func collect(_ add: @escaping @Sendable (inout Said, Data) -> Void) -> Pipe {
        let pipe = Pipe()
        Thread.detachNewThread { [weak self] in
            while true {
                let data = pipe.fileHandleForReading.availableData
                self?.change { said in
                    if data.isEmpty { said.openEnds -= 1 } else { add(&said, data) }
                }
                guard data.isEmpty else { continue }
                // `Process` would hold it open for good, and of programs there are hundreds.
                try? pipe.fileHandleForReading.close()
                return
            }
        }
        return pipe
    }

    private func change(_ body: (inout Said) -> Void) {
        Self.changed.lock()
        said.withLock { body(&$0) }
        Self.changed.broadcast()
        Self.changed.unlock()
    }
}
