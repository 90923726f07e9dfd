// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A started program and what it has said so far.
final class Program: Sendable {
    private struct Said {
        var output = Data()
        var errors = Data()
        var openEnds = 2
        var hasEnded = false
    }

    private let process: Process
    private let said = Mutex(Said())
    /// One for all, so that who waits for one program hears of the others too.
    private static let changed = NSCondition()

    init(_ command: [String], environment: [String: String], folder: String) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = environment
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = collect { $0.output += $1 }
        process.standardError = collect { $0.errors += $1 }
        process.terminationHandler = { [weak self] _ in self?.change { $0.hasEnded = true } }
        try process.run()
    }

    var output: String { said.withLock { String(decoding: $0.output, as: UTF8.self) } }
    var errors: String { said.withLock { String(decoding: $0.errors, as: UTF8.self) } }
    var isRunning: Bool { said.withLock { !$0.hasEnded } }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits until `condition` holds, at most `seconds`; asks again whenever something was said, and at the end.
    func wait(_ seconds: TimeInterval = 20, until condition: (Program) -> Bool) -> Bool {
        let limit = Date(timeIntervalSinceNow: seconds)
        Self.changed.lock()
        defer { Self.changed.unlock() }
        while !condition(self) {
            if !Self.changed.wait(until: limit) { return condition(self) }
        }
        return true
    }

    /// Its exit code; nil if it does not end in time and had to be killed.
    func end(_ seconds: TimeInterval = 20) -> Int32? {
        if wait(seconds, until: { $0.said.withLock { $0.hasEnded && $0.openEnds == 0 } }) {
            return process.terminationStatus
        }
        send(SIGKILL)
        return nil
    }

    private func collect(_ add: @escaping @Sendable (inout Said, Data) -> Void) -> Pipe {
        let pipe = Pipe()
        let reader = Thread { [weak self] in
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
        reader.start()
        return pipe
    }

    private func change(_ body: (inout Said) -> Void) {
        Self.changed.lock()
        said.withLock { body(&$0) }
        Self.changed.broadcast()
        Self.changed.unlock()
    }
}
