// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffClient
internal import HandoffIcons
import HandoffStrings
import HandoffSystem
import HandoffWire

package enum DesktopProgram {
    private static let help = """
        handoff-bus brings Handoff to the desktop over D-Bus; docs/dbus.md describes its interfaces. The user's service manager
        starts it. It needs handoffd and a session bus, and waits for both.

        usage: handoff-bus [--root DIR]
               handoff-bus --activate ID
               handoff-bus --check-adapter ENTRY DRIVE ADAPTER...

          --root DIR       the root folder of the daemon, for a second device on one machine
          --activate ID    start the app of that name over the bus, with XDG_ACTIVATION_TOKEN of the environment, and exit
          --check-adapter  check an adapter; only for handoff programs check

        """

    package static func main() {
        StandardDescriptors.fill()
        signal(SIGPIPE, SIG_IGN)
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first.map({ ["--help", "-h"].contains($0) }) ?? false { return say(help, to: STDOUT_FILENO) }
        do throws(BusFailure) {
            exit(try run(try Invocation(Array(arguments))))
        } catch {
            say("handoff-bus: \(error.sentence)\n", to: STDERR_FILENO)
            exit(1)
        }
    }

    private enum Invocation {
        case desktop(root: String?)
        case activate(String)
        /// `drive`: the command that drives the program; nil: none.
        case check(entry: String, drive: String?, adapter: [String])

        init(_ arguments: [String]) throws(BusFailure) {
            switch arguments.count {
            case 0: self = .desktop(root: nil)
            case 1 where arguments[0].hasPrefix("--root="):
                self = .desktop(root: String(arguments[0].dropFirst("--root=".count)))
            case 2 where arguments[0] == "--root": self = .desktop(root: arguments[1])
            case 2 where arguments[0] == "--activate": self = .activate(arguments[1])
            case 4... where arguments[0] == "--check-adapter":
                let drive = arguments[2].isEmpty ? nil : arguments[2]
                self = .check(entry: arguments[1], drive: drive, adapter: Array(arguments[3...]))
            default:
                throw BusFailure(BusFailure.invalidArguments, "unknown arguments; handoff-bus --help lists them")
            }
        }
    }

    private static func run(_ invocation: Invocation) throws(BusFailure) -> CInt {
        if case .check(let entry, let drive, let adapter) = invocation {
            try check(entry, drive, adapter)
            return 0
        }
        let environment = ThisProcess.environment([
            "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "XDG_RUNTIME_DIR", ActivationToken.variable,
            ActivationToken.olderVariable, "NOTIFY_SOCKET",
        ])
        guard let address = BusConnector.sessionAddress(environment) else {
            throw BusFailure(BusFailure.failed, "no session bus was found: DBUS_SESSION_BUS_ADDRESS is not set")
        }
        let loop = try BusLoop()
        switch invocation {
        case .check: return 0
        case .activate(let name):
            let activation = AppActivation(name, token: ActivationToken(environment: environment))
            try activation.run(on: loop, bus: address)
            return 0
        case .desktop(let root):
            loop.endOn([SIGTERM, SIGINT])
            let locations = ThisProcess.daemonLocations(root: root, as: "handoff-bus")
            let drawer = IconDrawer.installed(
                besides: ThisProcess.current.executable, environment: ProcessEnvironment.read())
            let features = DesktopFeatures(
                lines: { DaemonConnection(locations: locations) }, locations: locations, sessionBus: address,
                systemBus: BusConnector.systemAddress(environment),
                environment: ThisProcess.environment(Language.variables), draw: drawer.draw, on: loop)
            features.start()
            // The desktop works even if the service manager does not read.
            try? Supervisor(environment: environment, process: getpid()).ready()
            loop.keepWatchdog()
            defer { features.stop() }
            return loop.run()
        }
    }

    /// Ends early if standard input, a pipe, is closed.
    private static func check(_ entry: String, _ drive: String?, _ adapter: [String]) throws(BusFailure) {
        let loop = try BusLoop()
        let end = try? loop.watch(STDIN_FILENO) { loop.exit(1) }
        let program = BundleID.systemPrefix + entry
        let stage = try CheckStage(
            program: program, command: adapter, drive: drive, environment: ProcessEnvironment.read(), on: loop)
        defer { stage.end() }
        try AdapterCheck(stage, program: program) { say($0.line, to: STDOUT_FILENO) }.run()
        withExtendedLifetime(end) {}
    }

    private static func say(_ text: String, to descriptor: CInt) { _ = write(descriptor, text, text.utf8.count) }
}

extension DaemonClient {
    convenience init(_ line: any DaemonLine, hello: LocalHello, on loop: BusLoop) {
        self.init(line, hello: hello, hop: loop.queue.execute)
    }
}
