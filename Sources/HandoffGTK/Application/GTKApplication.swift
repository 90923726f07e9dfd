// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
public import CGTK
internal import HandoffGTKCalls
internal import Foundation
internal import HandoffClient
public import HandoffApp
internal import HandoffWire

/// This app on GTK: its `GtkApplication`, whose main loop calls the delegate's hooks.
///
/// ```swift
/// @main
/// final class Reader: NSObject, GTKApplicationDelegate {
///     static func main() { GTKApplication.shared.run(with: Reader()) }
///
///     func applicationActivated(_ application: GTKApplication) {
///         let window = GTKWindow()
///         window.rootViewController = PageController()
///         window.makeKeyAndOrderFront(nil)
///     }
/// }
/// ```
///
/// The delegate receives other devices' activities. If it does not show progress and errors, the app's windows do.
@preconcurrency @MainActor
public final class GTKApplication {
    /// The app. First use takes the program's own `GtkApplication`, which some bindings create, or creates one with the
    /// bundle's identifier. Has one instance per user, which a further start activates; with `HANDOFF_ROOT` set, each
    /// start is a separate app.
    public static let shared = GTKApplication()

    /// The `GtkApplication`.
    public let application: UnsafeMutablePointer<GtkApplication>

    /// The app's appearance. Set it before the app runs.
    public var appearance = Appearance.desktop

    /// The application holds its delegate weakly.
    private var delegate: (any HandoffApplicationDelegate)?
    private var isConnected = false
    private var hasStarted = false

    private init() {
        if let made = g_application_get_default(), isInstance(made.raw, of: gtk_application_get_type()) {
            application = made.cast(to: GtkApplication.self)
            return
        }
        let isOneOfSeveral = getenv(Locations.rootVariable) != nil
        let identifier = (ThisProcess.current.bundle?.identifier.name).flatMap(ApplicationIdentifier.fitting)
        let flags = G_APPLICATION_HANDLES_OPEN.rawValue | (isOneOfSeveral ? G_APPLICATION_NON_UNIQUE.rawValue : 0)
        application = gtk_application_new(identifier, GApplicationFlags(rawValue: flags))
    }

    private var base: UnsafeMutablePointer<GApplication> { application.cast(to: GApplication.self) }

    // MARK: Running

    /// Whether there is a display for windows.
    public static var hasDisplay: Bool { gtk_init_check() != 0 }

    /// Runs the app. When its last window is closed, ends the process with `UIApplication.terminate()`. Without a
    /// display, writes to standard error and exits with `EXIT_FAILURE`; see ``hasDisplay``.
    ///
    /// If a signal ends the app, documents that save without asking are saved, but no others.
    ///
    /// Creates the delegate after GTK is initialized, so it may create widgets.
    public func run(with delegate: @autoclosure @MainActor () -> any HandoffApplicationDelegate) -> Never {
        guard Self.hasDisplay else {
            try? FileHandle.standardError.write(contentsOf: Data(Self.noDisplay.utf8))
            exit(EXIT_FAILURE)
        }
        connect(with: delegate())
        if passOnShortcut() { exit(EXIT_SUCCESS) }
        // GLib treats unknown options as errors.
        var arguments = LaunchArguments.withoutShortcut(CommandLine.arguments).map { strdup($0) } + [nil]
        let status = g_application_run(base, CInt(arguments.count - 1), &arguments)
        // A running instance was notified, or GLib rejected the command line.
        guard status == EXIT_SUCCESS, hasStarted else { exit(status) }
        UIApplication.shared.terminate()
    }

    /// For a program that runs its own `GtkApplication`, in place of ``run(with:)``. Call this before the application
    /// is registered, and `UIApplication.terminate()` after its loop. Retains the delegate.
    public func connect(with delegate: any HandoffApplicationDelegate) {
        self.delegate = delegate
        guard !isConnected else { return }
        isConnected = true
        onGTKSignal("startup", of: application.raw) { [weak self] _ in self?.start() }
        onGTKSignal("activate", of: application.raw) { [weak self] _ in self?.activate() }
        onGTKSignal("open", of: application.raw) { [weak self] values in self?.open(values) }
        onGTKSignal("shutdown", of: application.raw) { [weak self] _ in self?.flushNotifications() }
    }

    /// Closes every window. A window with an unsaved document may ask the user and stay open; the app ends with the
    /// last window.
    public func quit() {
        let windows = UIApplication.shared.windows
        guard !windows.isEmpty else { return g_application_quit(base) }
        for window in windows { window.close() }
    }

    private static var noDisplay: String {
        func named(_ variable: String) -> String? {
            getenv(variable).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : "\(variable)=\($0)" }
        }
        let tried = ["WAYLAND_DISPLAY", "DISPLAY"].compactMap(named)
        let reason =
            tried.isEmpty
            ? "neither WAYLAND_DISPLAY nor DISPLAY is set"
            : "the display of \(tried.joined(separator: " and ")) cannot be reached"
        return "\(ThisProcess.current.name): cannot show windows: \(reason)\n"
    }

    // MARK: GTK's signals

    /// Not called in a second instance, which only activates the first.
    private func start() {
        hasStarted = true
        GLibMainLoop.serveMainQueue()
        EndingSignals.follow()
        appearance.apply()
        Icons.load()
        let application = UIApplication.shared
        if application.continuationDisplay == nil { application.continuationDisplay = GTKContinuationDisplay() }
        // URLs arrive as files.
        application.opensItsArguments = false
        application.documentOpener = { [weak self] url in self?.openDocuments([url]) }
        takeShortcuts()
        application.delegate = delegate
        application.finishLaunching()
    }

    private func activate() {
        guard let delegate = delegate as? any GTKApplicationDelegate else { return presentFrontWindow() }
        delegate.applicationActivated(self)
    }

    private func open(_ values: GTKSignalValues) {
        let files = values.pointer(0)?.assumingMemoryBound(to: OpaquePointer?.self)
        let urls = (0..<values.integer(1)).compactMap { index -> URL? in
            guard let uri = g_file_get_uri(files?[index]) else { return nil }
            defer { g_free(uri) }
            return URL(string: String(cString: uri))
        }
        // GTK ends an app without windows.
        let hold = ApplicationHold(application)
        UIApplication.shared.openIncoming(urls)
        hold.end()
    }

    // MARK: Shortcut items

    private static let shortcutAction = "handoff-shortcut-item"

    /// True if a running instance received the desktop entry's action.
    private func passOnShortcut() -> Bool {
        guard let type = LaunchArguments.shortcutType(in: CommandLine.arguments),
            g_application_register(base, nil, nil) != 0, g_application_get_is_remote(base) != 0
        else { return false }
        g_action_group_activate_action(application.opaque, Self.shortcutAction, g_variant_new_string(type))
        flushNotifications()
        return true
    }

    private func takeShortcuts() {
        add(action: Self.shortcutAction, with: "s", to: application.opaque) { [weak self] values in
            guard let type = values.variant(0).flatMap({ g_variant_get_string($0, nil) }).map({ String(cString: $0) })
            else { return }
            self?.presentFrontWindow()
            if let item = UIApplication.shared.shortcutItems?.first(where: { $0.type == type }) {
                UIApplication.shared.perform(item)
            }
        }
    }

    // MARK: Active windows

    /// Checks a loss only after GTK's pending events: while the focus moves, no window has it.
    func windowsTurned() {
        let toolkit = UIApplication.shared.toolkit
        guard !Self.hasActiveWindow else { return toolkit.applicationBecameActive() }
        _ = g_idle_add(
            { _ in
                MainActor.assumeIsolated {
                    if !GTKApplication.hasActiveWindow { UIApplication.shared.toolkit.applicationResignedActive() }
                }
                return 0
            }, nil)
    }

    /// Includes dialogs and GTK's own windows.
    static var hasActiveWindow: Bool {
        guard let all = gtk_window_get_toplevels() else { return false }
        return (0..<g_list_model_get_n_items(all)).contains { index in
            guard let window = g_list_model_get_item(all, index) else { return false }
            defer { g_object_unref(window) }
            return gtk_window_is_active(window.assumingMemoryBound(to: GtkWindow.self)) != 0
        }
    }
}
#endif
