// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// Has an app started over the user's bus by handoff-bus, for the daemon knows nothing of D-Bus.
struct BusActivation: Sendable {
    /// Longer than a bus waits for an answer.
    static let time = Duration.seconds(40)
    /// What is read of the reason why it did not work, bytes.
    static let reasonBytes = 4096

    /// handoff-bus.
    let program: String
    let bundle: BundleID
    let environment: AppEnvironment

    /// Blocks until the bus has started it and it has answered: nil. Otherwise why not.
    func run() -> String? {
        do throws(SystemError) {
            let errors = try ProgramPipe()
            let process = try SpawnedProcess(
                executable: program, arguments: [program, "--activate", bundle.name],
                environment: environment.variables, directory: "/", input: nil, output: nil, errors: errors.writing)
            errors.closeWriting()
            let said = errors.readAll(limit: Self.reasonBytes, until: .now + Self.time)
            // It has ended, or is of no use any more.
            if said == nil { process.kill() }
            let exit = process.wait()
            guard exit != .exited(code: 0) else { return nil }
            guard let said else { return "the user's bus did not answer in time" }
            let line = String(decoding: said, as: UTF8.self).split(separator: "\n").last.map(String.init) ?? ""
            let reason = line.hasPrefix("handoff-bus: ") ? String(line.dropFirst("handoff-bus: ".count)) : line
            return reason.isEmpty ? "handoff-bus ended without a word" : reason
        } catch {
            return "cannot start \(program): \(error.reason)"
        }
    }
}
