// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
public import CGTK
internal import HandoffGTKCalls
internal import Foundation
internal import HandoffClient
public import HandoffApp
internal import HandoffWire

/// This app on GTK: its `GtkApplication`, whose main loop the delegate's hooks run in.
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
/// What other devices pass on comes to the delegate as everywhere (`HandoffApplicationDelegate`). Where it leaves that to the
/// framework, its windows show that something is on its way and why it could not be had.
@preconcurrency @MainActor
public final class GTKApplication {
    /// The app. From its first use on: the `GtkApplication` that the program has made, if it has made one, as some bindings
    /// do; else one with the identifier of the app's bundle. Its user has it once, and starting it again activates the one
    /// that runs; with `HANDOFF_ROOT` set, which is for several devices on one machine, each is an app of its own.
    public static let shared = GTKApplication()

    /// GTK's own, for all that is not here.
    public let application: UnsafeMutablePointer<GtkApplication>

    /// How the app looks. To be set before it runs.
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
        // Files are opened, or it is said why not.
        let flags = G_APPLICATION_HANDLES_OPEN.rawValue | (isOneOfSeveral ? G_APPLICATION_NON_UNIQUE.rawValue : 0)
        application = gtk_application_new(identifier, GApplicationFlags(rawValue: flags))
    }

    private var base: UnsafeMutablePointer<GApplication> { application.cast(to: GApplication.self) }

    // MARK: Running

    /// Whether there is a display to show windows on. Asked once; the answer stays.
    public static var hasDisplay: Bool { gtk_init_check() != 0 }

    /// Runs the app, and ends the process when its last window is closed, by `UIApplication.terminate()`. Without a display
    /// it says so on the standard error and exits with `EXIT_FAILURE`; see ``hasDisplay``.
    ///
    /// A signal that ends it, as at the end of a session, has those documents saved that save by themselves, and nobody is
    /// asked.
    ///
    /// The delegate is made when GTK has begun, so that it may have widgets from its beginning on.
    public func run(with delegate: @autoclosure @MainActor () -> any HandoffApplicationDelegate) -> Never {
        guard Self.hasDisplay else {
            try? FileHandle.standardError.write(contentsOf: Data(Self.noDisplay.utf8))
            exit(EXIT_FAILURE)
        }
        connect(with: delegate())
        if passOnShortcut() { exit(EXIT_SUCCESS) }
        // GLib takes an option that it does not know for a mistake.
        var arguments = LaunchArguments.withoutShortcut(CommandLine.arguments).map { strdup($0) } + [nil]
        let status = g_application_run(base, CInt(arguments.count - 1), &arguments)
        // One that ran already was told, and this one never began; or GLib did not understand the command line.
        guard status == EXIT_SUCCESS, hasStarted else { exit(status) }
        UIApplication.shared.terminate()
    }

    /// For a program that runs its `GtkApplication` by itself: does all that ``run(with:)`` does before and while it runs.
    /// To be called before it is registered; when the loop is over, call `UIApplication.terminate()`. Retains the delegate.
    public func connect(with delegate: any HandoffApplicationDelegate) {
        self.delegate = delegate
        guard !isConnected else { return }
        isConnected = true
        onGTKSignal("startup", of: application.raw) { [weak self] _ in self?.start() }
        onGTKSignal("activate", of: application.raw) { [weak self] _ in self?.activate() }
        onGTKSignal("open", of: application.raw) { [weak self] values in self?.open(values) }
        onGTKSignal("shutdown", of: application.raw) { [weak self] _ in self?.flushNotifications() }
    }

    /// Closes every window. One with a document that is not saved may ask its user first and stay; else the app ends with
    /// the last one.
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
            : "what \(tried.joined(separator: " and ")) names cannot be reached"
        return "\(ThisProcess.current.name): there is no display to show windows on: \(reason)\n"
    }

    // MARK: What GTK asks for

    /// In the app that its user has, not in one that only tells that one to activate.
    private func start() {
        hasStarted = true
        GLibMainLoop.serveMainQueue()
        EndingSignals.follow()
        appearance.apply()
        Icons.load()
        let application = UIApplication.shared
        if application.continuationDisplay == nil { application.continuationDisplay = GTKContinuationDisplay() }
        // They come as files, to this process or to the one that runs already.
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
        // Until one of them has a window there may be none, and GTK ends an app without one.
        let hold = ApplicationHold(application)
        UIApplication.shared.openIncoming(urls)
        hold.end()
    }

    // MARK: Shortcut items

    private static let shortcutAction = "handoff-shortcut-item"

    /// Of the app's desktop entry. True: the app runs already, and has been told.
    private func passOnShortcut() -> Bool {
        guard let type = LaunchArguments.shortcutType(in: CommandLine.arguments),
            g_application_register(base, nil, nil) != 0, g_application_get_is_remote(base) != 0
        else { return false }
        g_action_group_activate_action(application.opaque, Self.shortcutAction, g_variant_new_string(type))
        flushNotifications()
        return true
    }

    /// What another start of the app passes on.
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

    // MARK: In front

    /// A window of the app got the keyboard, or lost it. Between two windows of one app there is a moment in which none has
    /// it, so that it was lost is looked at when GTK has said all it has to say.
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

    /// Of all windows, those that the framework knows nothing of too: dialogs, and GTK's own.
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
