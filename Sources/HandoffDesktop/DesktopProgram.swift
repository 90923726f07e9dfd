// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffBus
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// What the desktop has of Handoff: between the user's bus and the daemon. The daemon itself knows nothing of D-Bus.
package enum DesktopProgram {
    private static let help = """
        handoff-bus brings Handoff to the desktop over D-Bus: docs/dbus.md lists what it offers there. It is started by the
        user's service manager, and needs handoffd and a session bus; it waits for both.

        usage: handoff-bus [--root DIR]

          --root DIR  the daemon that has this folder: a second device on one machine

        """

    package static func main() {
        signal(SIGPIPE, SIG_IGN)
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.contains(where: { $0 == "--help" || $0 == "-h" }) { return say(help, to: STDOUT_FILENO) }
        do throws(BusFailure) {
            exit(try run(root: root(in: Array(arguments))))
        } catch {
            say("handoff-bus: \(error.sentence)\n", to: STDERR_FILENO)
            exit(1)
        }
    }

    private static func run(root: String?) throws(BusFailure) -> CInt {
        let environment = ThisProcess.environment(["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"])
        guard let address = BusConnector.sessionAddress(environment) else {
            throw BusFailure(BusFailure.failed, "there is no session bus: DBUS_SESSION_BUS_ADDRESS is not set")
        }
        let loop = try BusLoop()
        loop.endOn([SIGTERM, SIGINT])
        let locations = ThisProcess.locations(root: root)
        let features = DesktopFeatures(
            line: DaemonConnection(locations: locations), lines: { DaemonConnection(locations: locations) },
            sessionBus: address, on: loop)
        features.start()
        ServiceManager.ready()
        loop.keepWatchdog()
        defer { features.stop() }
        return loop.run()
    }

    private static func root(in arguments: [String]) throws(BusFailure) -> String? {
        switch arguments.count {
        case 0: return nil
        case 1 where arguments[0].hasPrefix("--root="): return String(arguments[0].dropFirst("--root=".count))
        case 2 where arguments[0] == "--root": return arguments[1]
        default: throw BusFailure(BusFailure.invalidArguments, "unknown arguments; handoff-bus --help lists them")
        }
    }

    private static func say(_ text: String, to descriptor: CInt) { _ = write(descriptor, text, text.utf8.count) }
}
