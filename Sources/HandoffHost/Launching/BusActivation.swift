// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// By handoff-bus, because the daemon has no D-Bus code.
struct BusActivation: Sendable {
    /// Longer than the bus waits for a reply.
    static let time = Duration.seconds(40)
    static let reasonBytes = 4096

    let program: String
    let bundle: BundleID
    let environment: AppEnvironment

    /// Blocks until the app has replied. Nil on success.
    func run() -> String? {
        do throws(SystemError) {
            let errors = try ProgramPipe()
            let process = try SpawnedProcess(
                executable: program, arguments: [program, "--activate", bundle.name],
                environment: environment.variables, directory: "/", input: nil, output: nil, errors: errors.writing)
            errors.closeWriting()
            let said = errors.readAll(limit: Self.reasonBytes, until: .now + Self.time)
            if said == nil { process.kill() }
            let exit = process.wait()
            guard exit != .exited(code: 0) else { return nil }
            guard let said else { return "the user's bus did not answer in time" }
            let line = String(decoding: said, as: UTF8.self).split(separator: "\n").last.map(String.init) ?? ""
            let reason = line.hasPrefix("handoff-bus: ") ? String(line.dropFirst("handoff-bus: ".count)) : line
            return reason.isEmpty ? "handoff-bus ended without an error message" : reason
        } catch {
            return "cannot start \(program): \(error.reason)"
        }
    }
}
