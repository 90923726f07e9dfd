// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Handoff

/// ``HandoffApplicationDelegate`` with AppKit's signatures. For an example see <doc:ContinueAnActivity>. With `@main`,
/// the framework creates the delegate.
@preconcurrency @MainActor
public protocol NSApplicationDelegate: HandoffApplicationDelegate {
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
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        applicationWillFinishLaunching(
            Notification(name: UIApplication.willFinishLaunchingNotification, object: application))
        return true
    }

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        applicationDidFinishLaunching(
            Notification(name: UIApplication.didFinishLaunchingNotification, object: application))
        return true
    }

    public func applicationDidBecomeActive(_ application: UIApplication) {
        applicationDidBecomeActive(Notification(name: UIApplication.didBecomeActiveNotification, object: application))
    }

    public func applicationWillResignActive(_ application: UIApplication) {
        applicationWillResignActive(Notification(name: UIApplication.willResignActiveNotification, object: application))
    }

    public func applicationWillTerminate(_ application: UIApplication) {
        applicationWillTerminate(Notification(name: UIApplication.willTerminateNotification, object: application))
    }
}

extension NSApplicationDelegate {
    /// The entry point of `@main`.
    public static func main() {
        UIApplication.shared.run(withDelegateOf: self)
    }
}

/// Runs the application with its current delegate until `stop()`. The arguments have no effect.
@preconcurrency @MainActor @discardableResult
public func NSApplicationMain(
    _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
    UIApplication.shared.run()
    return EXIT_SUCCESS
}
