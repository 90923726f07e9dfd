// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Handoff
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

extension UIApplication {
    /// An option for opening a URL.
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// A `Bool`: open only in an app that claims the site. No desktop can promise that, so true opens nothing.
        public static let universalLinksOnly = Self(rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
    }

    /// Opens the URL in the desktop's program: over the user's bus, so that no other user can read it, or with `gio
    /// open` or `xdg-open` for a file or without a handler on the bus. `completion` is called on the main thread, with
    /// false on failure, which is logged.
    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        guard options[.universalLinksOnly] as? Bool != true else {
            completion?(false)
            return
        }
        let environment = environment
        URLOpener().open(url) { problem in
            if let problem { environment.log(problem) }
            if let completion { self.onMainThread { completion(problem == nil) } }
        }
    }

    /// The `async` form.
    @discardableResult
    public func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
        await withCheckedContinuation { done in
            open(url, options: options) { done.resume(returning: $0) }
        }
    }

    /// Whether the desktop has a program for the scheme; for a file, whether it exists.
    public func canOpenURL(_ url: URL) -> Bool {
        guard let scheme = url.scheme, !scheme.isEmpty else { return false }
        if url.isFileURL { return FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) }
        return SchemeHandlers(environment: ProcessInfo.processInfo.environment).isHandled(scheme)
    }
}

extension UIScene {
    /// Options for opening a URL.
    @preconcurrency @MainActor
    open class OpenExternalURLOptions: NSObject {
        /// See ``UIApplication/OpenExternalURLOptionsKey/universalLinksOnly``.
        open var universalLinksOnly = false
    }

    /// See ``UIApplication/open(_:options:completionHandler:)``.
    public final func open(
        _ url: URL, options: OpenExternalURLOptions? = nil,
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        (application ?? .shared).open(
            url, options: [.universalLinksOnly: options?.universalLinksOnly ?? false], completionHandler: completion)
    }
}

struct URLOpener: Sendable {
    /// An opener that runs longer shows the URL itself.
    static let patience: DispatchTimeInterval = .seconds(3)

    var environment = ProcessInfo.processInfo.environment

    /// `done` is called once, on any thread, with an error message or nil.
    func open(_ url: URL, done: @escaping @Sendable (String?) -> Void) {
        let outcome = Once(done)
        let handover = URLHandover(environment: environment)
        let hasBegun = DetachedThread.begin {
            do throws(Failure) {
                guard let opener = try handover.open(url.absoluteString) else { return outcome(nil) }
                DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { outcome(nil) }
                let scheme = url.scheme ?? ""
                outcome(opener.waitForStatus() == 0 ? nil : "no program opens URLs of the scheme \(scheme)")
            } catch {
                outcome(error.reason)
            }
        }
        if !hasBegun { outcome("the system has no thread to open a URL on") }
    }
}
