// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffWire

extension UIApplication {
    /// As in Apple's, a key equals its text in a dictionary with keys of any type.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable, _HasCustomAnyHashableRepresentation {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(rawValue) }

        /// Present if an activity started the app: a `[String: Any]` whose only key is the text of `userActivityType`.
        public static let userActivityDictionary = Self(rawValue: "UIApplicationLaunchOptionsUserActivityDictionaryKey")
        /// In `userActivityDictionary`: the activity's type, a `String`.
        public static let userActivityType = Self(rawValue: "UIApplicationLaunchOptionsUserActivityTypeKey")
        /// The first URL that the app was started to open.
        public static let url = Self(rawValue: "UIApplicationLaunchOptionsURLKey")
        /// The ``UIApplicationShortcutItem`` that started the app.
        public static let shortcutItem = Self(rawValue: "UIApplicationLaunchOptionsShortcutItemKey")
        /// Never present.
        public static let sourceApplication = Self(rawValue: "UIApplicationLaunchOptionsSourceApplicationKey")
    }

    /// Posted before the delegate's launch hooks.
    public static let willFinishLaunchingNotification = Notification.Name("HandoffApplicationWillFinishLaunching")
    /// Posted after the delegate's launch hooks.
    public static let didFinishLaunchingNotification = Notification.Name("HandoffApplicationDidFinishLaunching")
    /// Passed to AppKit's `applicationDidBecomeActive`.
    public static let didBecomeActiveNotification = Notification.Name("HandoffApplicationDidBecomeActive")
    /// Passed to AppKit's `applicationWillResignActive`.
    public static let willResignActiveNotification = Notification.Name("HandoffApplicationWillResignActive")
    /// Posted when the app ends by `terminate()`.
    public static let willTerminateNotification = Notification.Name("HandoffApplicationWillTerminate")
}

struct LaunchState {
    private enum Phase { case notYet, due, inHooks, over }

    private var phase = Phase.notYet
    /// Started the app, but a launch hook returned false.
    private(set) var declinedType: String?

    /// Waits for a delegate.
    var isDue: Bool { phase == .due }
    var isOver: Bool { phase == .over }

    /// True if the hooks must be called now.
    mutating func begin(hasDelegate: Bool) -> Bool {
        guard phase == .notYet || phase == .due else { return false }
        phase = hasDelegate ? .inHooks : .due
        return hasDelegate
    }

    mutating func ended(isAccepted: Bool, activityType: String?) {
        phase = .over
        if !isAccepted { declinedType = activityType }
    }

    /// True once for `declinedType`; the user may try again.
    mutating func declines(_ activityType: String) -> Bool {
        guard declinedType == activityType else { return false }
        declinedType = nil
        return true
    }
}

extension UIApplication {
    /// Calls the delegate's launch hooks once and connects the scenes. Waits for a delegate. Called by `run()`, by a
    /// toolkit when it can create windows, or else for the first activity.
    public func finishLaunching() {
        guard launch.begin(hasDelegate: delegate != nil), let delegate else { return }
        let activityType = environment.launchActivityType?.name
        var request = LaunchRequest(arguments: environment.launchArguments, manifest: manifest)
        if !opensItsArguments { request.urls = [] }
        if let type = request.unknownShortcut { environment.log("the Info.plist has no shortcut item \(type)") }
        let options = launchOptions(activityType, request)
        NotificationCenter.default.post(name: Self.willFinishLaunchingNotification, object: self)
        let isReady = delegate.application(self, willFinishLaunchingWithOptions: options)
        let isLaunched = delegate.application(self, didFinishLaunchingWithOptions: options)
        launch.ended(isAccepted: isReady && isLaunched, activityType: activityType)
        NotificationCenter.default.post(name: Self.didFinishLaunchingNotification, object: self)
        let isAccepted = isReady && isLaunched
        scenes.launched(for: isAccepted ? activityType : nil, isAccepted ? request : LaunchRequest())
        // Scenes receive them in their connection options.
        if isAccepted, !scenes.isInUse {
            openIncoming(request.urls)
            if let item = shortcutItem(of: request) { perform(item) }
        }
        deliverWaiting()
    }

    func shortcutItem(of request: LaunchRequest) -> UIApplicationShortcutItem? {
        manifest.shortcuts.first { $0.type == request.shortcutType }.map { UIApplicationShortcutItem($0) }
    }

    private func launchOptions(_ activityType: String?, _ request: LaunchRequest) -> [LaunchOptionsKey: Any]? {
        var options: [LaunchOptionsKey: Any] = [:]
        if let activityType {
            options[.userActivityDictionary] =
                [LaunchOptionsKey.userActivityType.rawValue: activityType] as [String: Any]
        }
        options[.url] = request.urls.first
        options[.shortcutItem] = shortcutItem(of: request)
        return options.isEmpty ? nil : options
    }
}
