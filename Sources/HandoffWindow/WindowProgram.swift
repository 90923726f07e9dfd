// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import Glibc
internal import HandoffClient
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffSystem
internal import HandoffWindowModel
internal import HandoffWire

/// A control client of the daemon, like the command.
package enum WindowProgram {
    private static let help = """
        handoff-desktop is the window of Handoff. It shows the activities of your other devices, your devices and the settings.

        usage: handoff-desktop [--root DIR] [--until-shown]

          --root DIR     the root folder of the daemon, for a second device on one machine
          --until-shown  exit once the list is on the screen, for measurements
          --gapplication-service  show no window until the desktop asks for it over D-Bus
          --draw-icons   draw icons for handoff-bus and handoff-browser-host, which start this

        """

    private struct Options {
        var root: String?
        var endsWhenShown = false
        var isService = false
    }

    @MainActor
    package static func main() {
        StandardDescriptors.fill()
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.contains(where: { $0 == "--help" || $0 == "-h" }) { return say(help, to: STDOUT_FILENO) }
        if arguments == ["--draw-icons"] { exit(IconDrawingProgram.run()) }
        guard let options = options(in: arguments) else {
            say("handoff-desktop: unknown arguments; handoff-desktop --help lists them\n", to: STDERR_FILENO)
            exit(64)
        }
        exit(run(options))
    }

    @MainActor
    private static func run(_ options: Options) -> CInt {
        setlocale(LC_ALL, "")
        let strings = LocalizedStrings(Language.preferred(in: ThisProcess.environment(Language.variables)))
        let locations = ThisProcess.daemonLocations(root: options.root, as: "Handoff")
        let daemon = WindowDaemonClient(
            strings: strings, locations: locations, makeLine: { DaemonConnection(locations: locations) },
            hop: MainHop.hop)
        let starter = ServiceStarter()
        // The service is the daemon of the usual root folder.
        if options.root == nil { daemon.startService = { starter.start($0) } }
        daemon.noted = { say("handoff-desktop: \($0.code): \($0.reason)\n", to: STDERR_FILENO) }
        guard gtk_init_check() != 0 else {
            say("handoff-desktop: cannot show a window: no display is available\n", to: STDERR_FILENO)
            return 1
        }
        // Each of several devices on one machine has its own window.
        let isOneOfSeveral = options.root != nil || getenv(Locations.rootVariable) != nil || options.endsWhenShown
        var flags: GApplicationFlags.RawValue = isOneOfSeveral ? G_APPLICATION_NON_UNIQUE.rawValue : 0
        if options.isService { flags |= G_APPLICATION_IS_SERVICE.rawValue }
        let application = adw_application_new("org.handoff.Handoff", GApplicationFlags(rawValue: flags))
        guard let application else { return 1 }
        let app = application.cast(to: GtkApplication.self)
        let base = application.cast(to: GApplication.self)
        var window: MainWindow?
        onGTKSignal("startup", of: application.raw) { _ in
            gtk_window_set_default_icon_name("org.handoff.Handoff")
            Style.add()
            daemon.start()
        }
        let present = {
            let shown = window ?? MainWindow(daemon, root: options.root, in: app)
            window = shown
            shown.present()
            return shown
        }
        onGTKSignal("activate", of: application.raw) { _ in
            let shown = present()
            if options.endsWhenShown { shown.whenShown { g_application_quit(base) } }
        }
        // For the tray's menu, over D-Bus.
        add(action: "settings", to: application.opaque) { _ in present().go(to: .settings) }
        // For the desktop's search.
        add(action: "search", with: "s", to: application.opaque) { values in
            let words = values.variant(0).flatMap { g_variant_get_string($0, nil) }.map { String(cString: $0) }
            present().search(for: words ?? "")
        }
        let status = g_application_run(base, 0, nil)
        daemon.close()
        return status
    }

    private static func options(in arguments: [String]) -> Options? {
        var options = Options()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--until-shown": options.endsWhenShown = true
            case "--gapplication-service": options.isService = true
            case "--root":
                guard let root = rest.popFirst() else { return nil }
                options.root = root
            case _ where argument.hasPrefix("--root="): options.root = String(argument.dropFirst("--root=".count))
            default: return nil
            }
        }
        return options
    }

    private static func say(_ text: String, to descriptor: CInt) { _ = write(descriptor, text, text.utf8.count) }
}
