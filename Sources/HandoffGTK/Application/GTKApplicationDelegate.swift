// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import HandoffGTKCalls
public import Foundation
public import HandoffApp

/// What the desktop asks of an app, beside the hooks of `HandoffApplicationDelegate`, with which a class conforms to it too.
/// Every method is optional. Called on the main thread, after the launch hooks.
@preconcurrency @MainActor
public protocol GTKApplicationDelegate: HandoffApplicationDelegate {
    /// The app was started, by its user or for an activity, or was started again while it ran: a window is wanted. Without
    /// this method the window that was in front last comes to the front.
    func applicationActivated(_ application: GTKApplication)
}

extension GTKApplicationDelegate {
    public func applicationActivated(_ application: GTKApplication) { application.presentFrontWindow() }
}

extension GTKApplication {
    func presentFrontWindow() { UIApplication.shared.windows.first?.makeKeyAndOrderFront(nil) }

    /// Opens documents in their windows, and shows why one could not be opened. It is what becomes of files and addresses, of
    /// the command line or of the desktop, that the delegate has no hook for (`application(_:open:)`).
    public func openDocuments(_ urls: [URL]) {
        let controller = UIApplication.shared.documentController
        for url in urls {
            // Until the file is read there may be no window, and GTK ends an app without one.
            let hold = ApplicationHold(application)
            controller.openDocument(withContentsOf: url, display: true) { _, _, error in
                if let error { controller.presentError(Self.problem(of: url, error)) }
                hold.end()
            }
        }
    }
}

extension GTKApplication {
    /// With the name of the file, which Foundation's own texts leave out.
    private static func problem(of url: URL, _ error: any Error) -> CocoaError {
        let text = "“\(url.lastPathComponent)” could not be opened: \(error.localizedDescription)"
        return CocoaError(
            (error as? CocoaError)?.code ?? .fileReadUnknown,
            userInfo: [NSLocalizedDescriptionKey: text, NSUnderlyingErrorKey: error, NSURLErrorKey: url])
    }
}

/// Keeps the app running while it has no window, until its end.
@MainActor
final class ApplicationHold {
    private var application: UnsafeMutablePointer<GApplication>?

    init(_ application: UnsafeMutablePointer<GtkApplication>) {
        self.application = application.cast(to: GApplication.self)
        g_application_hold(self.application)
    }

    func end() {
        application.map { g_application_release($0) }
        application = nil
    }
}
#endif
