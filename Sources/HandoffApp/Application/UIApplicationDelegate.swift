// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff

/// ``HandoffApplicationDelegate`` with UIKit's signatures. For an example see <doc:FirstActivity>.
@preconcurrency @MainActor
public protocol UIApplicationDelegate: HandoffApplicationDelegate {
    /// A delegate that implements this retains the window.
    var window: UIWindow? { get }

    /// Called by the default `application(_:open:)` for each URL. Return true if the app opens it. `options` is empty.
    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool

    /// Called by the default of the method in ``HandoffApplicationDelegate``. Nil means no objects.
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool
}

extension UIApplicationDelegate {
    public var window: UIWindow? { nil }

    public func application(_ application: UIApplication, open urls: [URL]) {
        for url in urls where !self.application(application, open: url, options: [:]) {
            application.openAsDocument(url)
        }
    }

    public func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        false
    }

    public func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        let handler: ([any UIUserActivityRestoring]?) -> Void = { restorationHandler($0 ?? []) }
        return self.application(application, continue: userActivity, restorationHandler: handler)
    }

    public func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        false
    }

    /// The entry point of `@main`.
    public static func main() {
        UIApplication.shared.run(withDelegateOf: self)
    }
}

extension UIApplication {
    func run(withDelegateOf delegateClass: any HandoffApplicationDelegate.Type) {
        guard let delegate = NewObject.of(delegateClass) as? any HandoffApplicationDelegate else {
            preconditionFailure(
                "\(delegateClass), the application's delegate, must inherit from NSObject or conform to HandoffInstantiable."
            )
        }
        ownDelegate = delegate
        self.delegate = delegate
        run()
    }
}

/// Runs the application until `stop()`, with a new delegate of the named ``UIApplicationDelegate`` class, as by
/// `NSStringFromClass`, which must exist. The other arguments have no effect.
@preconcurrency @MainActor @discardableResult
public func UIApplicationMain(
    _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, _ principalClassName: String?,
    _ delegateClassName: String?
) -> Int32 {
    if let name = delegateClassName {
        guard let delegateClass = NamedClass.find(name) as? any UIApplicationDelegate.Type else {
            preconditionFailure("UIApplicationMain: \(name) is not a class that conforms to UIApplicationDelegate.")
        }
        UIApplication.shared.run(withDelegateOf: delegateClass)
    } else {
        UIApplication.shared.run()
    }
    return EXIT_SUCCESS
}
