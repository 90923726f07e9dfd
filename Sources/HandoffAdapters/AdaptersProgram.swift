// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffCore
import HandoffSystem
import HandoffWire

package enum AdaptersProgram {
    private static let help = """
        handoff-adapters offers what programs show that know nothing of Handoff, and continues it in them; docs/adapters.md
        lists the programs. Each is off until switched on: handoff programs. handoff-bus starts it when it is needed.

        usage: handoff-adapters
               handoff-adapters --open ENTRY PROGRAM [ARGUMENT...]

          --open ENTRY PROGRAM  continue one activity in the program of this desktop entry; only for handoffd.
                                ARGUMENT...: as in the program's description

        """

    package static func main() {
        StandardDescriptors.fill()
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first.map({ ["--help", "-h"].contains($0) }) ?? false {
            print(help, terminator: "")
            return
        }
        do throws(BusFailure) {
            exit(try run(arguments))
        } catch {
            Complaint.say(error.sentence)
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws(BusFailure) -> CInt {
        let environment = ProcessEnvironment.read()
        guard let address = BusConnector.sessionAddress(environment) else {
            throw BusFailure(BusFailure.failed, "no session bus was found: DBUS_SESSION_BUS_ADDRESS is not set")
        }
        let loop = try BusLoop()
        loop.endOn([SIGTERM, SIGINT])
        switch arguments.count {
        case 0:
            let host = AdapterHost(environment: environment, address: address, on: loop) { loop.exit($0) }
            host.start()
            defer { host.stop() }
            return loop.run()
        case 3... where arguments[0] == "--open":
            let opening = try ProgramOpening(
                entry: arguments[1], executable: arguments[2], templates: Array(arguments[3...]),
                environment: environment, address: address, on: loop)
            opening.start()
            return withExtendedLifetime(opening) { loop.run() }
        default:
            throw BusFailure(BusFailure.invalidArguments, "unknown arguments; handoff-adapters --help lists them")
        }
    }
}
