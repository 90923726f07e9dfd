// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import HandoffGTKCalls
public import Foundation
public import HandoffApp

/// Adds the desktop's requests to `HandoffApplicationDelegate`. Every method is optional. Called on the main thread,
/// after the launch hooks.
@preconcurrency @MainActor
public protocol GTKApplicationDelegate: HandoffApplicationDelegate {
    /// The app was started, perhaps again, and should show a window. By default, the last window in front moves to the
    /// front.
    func applicationActivated(_ application: GTKApplication)
}

extension GTKApplicationDelegate {
    public func applicationActivated(_ application: GTKApplication) { application.presentFrontWindow() }
}

extension GTKApplication {
    func presentFrontWindow() { UIApplication.shared.windows.first?.makeKeyAndOrderFront(nil) }

    /// Opens documents and shows errors. Called for files and URLs from the command line or the desktop unless the
    /// delegate implements `application(_:open:)`.
    public func openDocuments(_ urls: [URL]) {
        let controller = UIApplication.shared.documentController
        for url in urls {
            // GTK ends an app without windows.
            let hold = ApplicationHold(application)
            controller.openDocument(withContentsOf: url, display: true) { _, _, error in
                if let error { controller.presentError(Self.problem(of: url, error)) }
                hold.end()
            }
        }
    }
}

extension GTKApplication {
    /// Adds the file name, which Foundation omits.
    private static func problem(of url: URL, _ error: any Error) -> CocoaError {
        let text = "“\(url.lastPathComponent)” could not be opened: \(error.localizedDescription)"
        return CocoaError(
            (error as? CocoaError)?.code ?? .fileReadUnknown,
            userInfo: [NSLocalizedDescriptionKey: text, NSUnderlyingErrorKey: error, NSURLErrorKey: url])
    }
}

/// Keeps the app running without windows, until `end()`.
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
