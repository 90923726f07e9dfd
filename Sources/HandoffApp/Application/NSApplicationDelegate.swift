// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Handoff

/// ``ApplicationDelegate`` with AppKit's signatures.
///
/// ```swift
/// class AppDelegate: NSObject, NSApplicationDelegate {
///     func applicationDidFinishLaunching(_ notification: Notification) { openWindow() }
///
///     func application(_ application: NSApplication, continue userActivity: NSUserActivity,
///                      restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void) -> Bool {
///         restorationHandler([document])
///         return true
///     }
/// }
/// ```
/// With `@main` the framework makes the delegate, as there is no nib that could.
@preconcurrency @MainActor
public protocol NSApplicationDelegate: ApplicationDelegate {
    func applicationWillFinishLaunching(_ notification: Notification)
    func applicationDidFinishLaunching(_ notification: Notification)
    func applicationDidBecomeActive(_ notification: Notification)
    func applicationWillResignActive(_ notification: Notification)
    func applicationWillTerminate(_ notification: Notification)
}

extension NSApplicationDelegate {
    public func applicationWillFinishLaunching(_ notification: Notification) {}
    public func applicationDidFinishLaunching(_ notification: Notification) {}
    public func applicationDidBecomeActive(_ notification: Notification) {}
    public func applicationWillResignActive(_ notification: Notification) {}
    public func applicationWillTerminate(_ notification: Notification) {}

    public func application(
        _ application: Application, willFinishLaunchingWithOptions launchOptions: [Application.LaunchOptionsKey: Any]?
    ) -> Bool {
        applicationWillFinishLaunching(
            Notification(name: Application.willFinishLaunchingNotification, object: application))
        return true
    }

    public func application(
        _ application: Application, didFinishLaunchingWithOptions launchOptions: [Application.LaunchOptionsKey: Any]?
    ) -> Bool {
        applicationDidFinishLaunching(
            Notification(name: Application.didFinishLaunchingNotification, object: application))
        return true
    }

    public func applicationDidBecomeActive(_ application: Application) {
        applicationDidBecomeActive(Notification(name: Application.didBecomeActiveNotification, object: application))
    }

    public func applicationWillResignActive(_ application: Application) {
        applicationWillResignActive(Notification(name: Application.willResignActiveNotification, object: application))
    }

    public func applicationWillTerminate(_ application: Application) {
        applicationWillTerminate(Notification(name: Application.willTerminateNotification, object: application))
    }
}

extension NSApplicationDelegate {
    /// What `@main` starts: makes a delegate of this class, and runs the application with it.
    public static func main() {
        Application.shared.run(withDelegateOf: self)
    }
}

/// Runs the application with the delegate that it has. Returns when `stop()` was called. The arguments of the command line
/// are of no effect.
@preconcurrency @MainActor @discardableResult
public func NSApplicationMain(
    _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
    Application.shared.run()
    return EXIT_SUCCESS
}
