// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Handoff
internal import HandoffSystem

// What the app hands to others.

extension Application {
    /// How a URL is to be opened.
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// Only in an app that claims the page's site, a `Bool`. No desktop can say that beforehand: nothing is opened.
        public static let universalLinksOnly = Self(rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
    }

    /// Hands the URL to the program that the user's desktop has for it, with `gio open` or `xdg-open`. `completion` is called
    /// on the main thread: false if there is none, which the app's log says too.
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

    /// `open(_:options:completionHandler:)`, waited for.
    @discardableResult
    public func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
        await withCheckedContinuation { done in
            open(url, options: options) { done.resume(returning: $0) }
        }
    }

    /// Whether the user's desktop has a program for URLs of this scheme; for a file, whether it is there.
    public func canOpenURL(_ url: URL) -> Bool {
        guard let scheme = url.scheme, !scheme.isEmpty else { return false }
        if url.isFileURL { return FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) }
        return SchemeHandlers(environment: ProcessInfo.processInfo.environment).isHandled(scheme)
    }
}

extension Scene {
    /// How a URL is to be opened from a scene.
    @preconcurrency @MainActor
    open class OpenExternalURLOptions: NSObject {
        /// Only in an app that claims the page's site: ``Application/OpenExternalURLOptionsKey/universalLinksOnly``.
        open var universalLinksOnly = false
    }

    /// As ``Application/open(_:options:completionHandler:)``.
    public final func open(
        _ url: URL, options: OpenExternalURLOptions? = nil,
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        (application ?? .shared).open(
            url, options: [.universalLinksOnly: options?.universalLinksOnly ?? false], completionHandler: completion)
    }
}

/// Starts the desktop's opener.
struct URLOpener: Sendable {
    /// An opener that runs for longer has become the program that it opened the URL with.
    static let patience: DispatchTimeInterval = .seconds(3)

    var path = ProcessInfo.processInfo.environment["PATH"]

    /// `done` is called once, on any thread: with what went wrong, nil if nothing did.
    func open(_ url: URL, done: @escaping @Sendable (String?) -> Void) {
        guard let scheme = url.scheme, !scheme.isEmpty else {
            return done("a URL without a scheme is opened by nothing")
        }
        guard let (program, arguments) = DesktopOpener.installed(path: path) else {
            return done("\(DesktopOpener.noneInstalled), so no URL can be opened")
        }
        let outcome = Once(done)
        let here = FileManager.default.currentDirectoryPath
        do throws(SystemError) {
            // Foundation's `Process` reads beyond its list of descriptors where an app has over 1,354 of them.
            let process = try SpawnedProcess(
                executable: program, arguments: [program] + arguments + [url.absoluteString],
                environment: ProcessInfo.processInfo.environment,
                directory: FileManager.default.isExecutableFile(atPath: here) ? here : "/", output: nil)
            let isWatched = DetachedThread.begin {
                outcome(process.waitForStatus() == 0 ? nil : "no program opens URLs of the scheme \(scheme)")
            }
            if !isWatched { return outcome(nil) }
        } catch {
            return outcome("cannot start \(program): \(error.reason)")
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { outcome(nil) }
    }
}
