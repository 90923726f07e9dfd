// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The session bus of one device.
package final class SessionBus {
    package let address: String
    private let services: URL

    /// It starts the programs set by `start`, with this environment. They outlive a test unless the test ends them.
    /// `prefix`: the words before its command.
    package init(
        on stage: Stage, in folder: URL, environment: [String: String] = [:], prefix: [String] = []
    ) throws {
        services = folder.appending(path: "services")
        try FileManager.default.createDirectory(at: services, withIntermediateDirectories: true)
        let settings = folder.appending(path: "bus.conf")
        try Data(
            """
            <busconfig>
              <type>session</type>
              <listen>unix:path=\(folder.path)/bus</listen>
              <auth>EXTERNAL</auth>
              <servicedir>\(services.path)</servicedir>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
            </busconfig>
            """.utf8
        ).write(to: settings)
        let bus = try stage.start(
            prefix + ["dbus-daemon", "--config-file=\(settings.path)", "--nofork", "--print-address"],
            environment: environment, name: "session bus")
        address = String(try bus.output.next(starting: "unix:").prefix { $0 != "," })
    }

    /// Adds an activation file that was installed below `prefix`.
    package func install(_ file: URL, prefix: String) throws {
        let text = try String(contentsOf: file, encoding: .utf8).replacingOccurrences(of: "@PREFIX@", with: prefix)
        try Data(text.utf8).write(to: services.appending(path: file.lastPathComponent))
    }

    /// Sets the command that starts the owner of that name.
    package func start(_ name: String, by command: [String]) throws {
        let text = "[D-BUS Service]\nName=\(name)\nExec=\(command.joined(separator: " "))\n"
        try Data(text.utf8).write(to: services.appending(path: "\(name).service"))
    }
}
