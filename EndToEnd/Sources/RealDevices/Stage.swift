// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Synchronization

/// The user interrupted the scene.
package struct BrokenOff: Error {}

/// The surroundings of one test or demo: its own folder, and actions to undo at the end, last first.
package final class Stage: Sendable {
    package let folder: URL
    private let undos = Mutex<[@Sendable () -> Void]>([])
    private let programs = Mutex<[RunningProgram]>([])
    private let isBrokenOff = Mutex(false)
    /// By Team ID.
    private let developers = Mutex<[String: Developer]>([:])

    private init(folder: URL) throws {
        self.folder = folder
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Runs the scene, and always cleans up. After a failure it shows the last lines of every program.
    package static func play(in folder: URL, _ scene: (Stage) throws -> Void) throws {
        let stage = try Stage(folder: folder)
        defer { stage.clear() }
        do {
            try scene(stage)
        } catch {
            if stage.isBrokenOff.withLock({ $0 }) { throw BrokenOff() }
            stage.showLogs()
            throw error
        }
    }

    /// Runs the scene in a new temporary folder.
    package static func play(_ scene: (Stage) throws -> Void) throws {
        try play(in: URL(filePath: "/tmp/handoff-stage-\(UUID().uuidString.prefix(8))"), scene)
    }

    /// The developer with this Team ID, created at the first call.
    package func developer(of team: String) throws -> Developer {
        if let known = developers.withLock({ $0[team] }) { return known }
        let new = try Developer("Makers of \(team)", team: team, in: folder.appending(path: "developer-\(team)"))
        developers.withLock { $0[team] = new }
        return new
    }

    package func afterwards(_ undo: @escaping @Sendable () -> Void) { undos.withLock { $0.append(undo) } }

    /// Starts a program that ends with the stage.
    package func start(
        _ command: [String], environment: [String: String] = [:], name: String,
        ends: RunningProgram.Ends = .init()
    ) throws -> RunningProgram {
        let program = try RunningProgram(command, environment: environment, name: name, ends: ends)
        programs.withLock { $0.append(program) }
        afterwards { program.stop() }
        return program
    }

    /// The lines of a file, which may not exist yet.
    package func follow(_ file: URL, name: String) throws -> Transcript {
        try start(["tail", "-q", "-n", "+1", "-s", "0.01", "-F", file.path], name: name).output
    }

    /// For an interrupt by the user. Ends the programs that the scene waits for, so that it throws `BrokenOff` soon.
    package func breakOff() {
        isBrokenOff.withLock { $0 = true }
        clear()
    }

    /// Leaves no process and no file behind.
    private func clear() {
        while let undo = undos.withLock({ $0.popLast() }) { undo() }
        endWhatRunsFromFolder()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The daemon's apps outlive it. Their executables are in this folder, which identifies them.
    private func endWhatRunsFromFolder() {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        for pid in processes.compactMap({ Int32($0) }) {
            let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
            guard let executable, executable.hasPrefix(folder.path + "/") else { continue }
            kill(pid, SIGKILL)
        }
    }

    private func showLogs() {
        for program in programs.withLock({ $0 }) {
            for (kind, transcript) in [("output", program.output), ("errors", program.errors)] {
                let lines = transcript.lines.suffix(60)
                guard !lines.isEmpty else { continue }
                let text = "--- \(program.name), \(kind)\n" + lines.map { "    \($0)\n" }.joined()
                FileHandle.standardError.write(Data(text.utf8))
            }
        }
    }
}
