// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestPrograms

/// A private bus of the real dbus-daemon, with the limits of a user's bus.
package final class PrivateBus: Sendable {
    package let address: String
    package let folder: String
    private let program: Program

    /// `socket`: its path, to reuse one. `matches`: the limit for each connection.
    package init(socket: String? = nil, matches: Int = 50_000) async throws {
        folder = NSTemporaryDirectory() + "handoff-bus-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let listen = socket.map { "unix:path=\($0)" } ?? "unix:path=\(folder)/bus"
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>\(listen)</listen>
              <auth>EXTERNAL</auth>
              <servicedir>\(folder)</servicedir>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
              <limit name="max_incoming_bytes">1000000000</limit>
              <limit name="max_outgoing_bytes">1000000000</limit>
              <limit name="max_message_size">1000000000</limit>
              <limit name="max_replies_per_connection">50000</limit>
              <limit name="max_match_rules_per_connection">\(matches)</limit>
            </busconfig>
            """
        try configuration.write(toFile: folder + "/bus.conf", atomically: true, encoding: .utf8)
        program = try Program(
            ["/usr/bin/dbus-daemon", "--config-file=\(folder)/bus.conf", "--nofork", "--print-address"],
            environment: ["PATH": "/usr/bin:/bin"])
        let line = try await program.hear("unix:path=")
        address = String(line.prefix { $0 != "," })
    }

    /// Ends it like a crash.
    package func kill() async {
        program.send(SIGKILL)
        _ = await program.wait { !$0.isRunning }
    }

    package func pause() { program.send(SIGSTOP) }
    package func resume() { program.send(SIGCONT) }

    deinit {
        program.send(SIGKILL)
        try? FileManager.default.removeItem(atPath: folder)
    }
}
