// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff

/// An instance of the user interface, usually a ``UIWindowScene``, with its own activity.
///
/// The framework creates the scene and its delegate, whose `scene(_:willConnectTo:options:)` creates the window. The
/// scene follows the window; without a ``UIWindow``, call `becameActive()`, `resignedActive()`, `enteredBackground()`
/// and `closed()`.
@preconcurrency @MainActor
open class UIScene: UIResponder {
    public enum ActivationState: Int, Sendable {
        /// Not connected.
        case unattached = -1
        /// The user works with it.
        case foregroundActive = 0
        /// Visible while the user works with something else.
        case foregroundInactive = 1
        /// Not visible.
        case background = 2
    }

    /// Posted before `scene(_:willConnectTo:options:)`.
    public static let willConnectNotification = Notification.Name("HandoffSceneWillConnect")
    /// Posted after `sceneDidDisconnect(_:)`.
    public static let didDisconnectNotification = Notification.Name("HandoffSceneDidDisconnect")
    /// Posted after `sceneDidBecomeActive(_:)`.
    public static let didActivateNotification = Notification.Name("HandoffSceneDidActivate")
    /// Posted before `sceneWillResignActive(_:)`.
    public static let willDeactivateNotification = Notification.Name("HandoffSceneWillDeactivate")
    /// Posted before `sceneWillEnterForeground(_:)`.
    public static let willEnterForegroundNotification = Notification.Name("HandoffSceneWillEnterForeground")
    /// Posted after `sceneDidEnterBackground(_:)`.
    public static let didEnterBackgroundNotification = Notification.Name("HandoffSceneDidEnterBackground")

    /// Outlives the scene's connection.
    public let session: UISceneSession

    /// Retained.
    public var delegate: (any UISceneDelegate)?

    /// Initially empty, as after nil is set. The titles of the scene's windows follow it.
    open var title: String! {
        get { ownTitle }
        set {
            ownTitle = newValue ?? ""
            titleChanged()
        }
    }

    /// Shown after the title.
    open var subtitle = "" {
        didSet { titleChanged() }
    }

    private var ownTitle = ""

    func titleChanged() {}

    /// Initially, the scene accepts any content and prefers none.
    public var activationConditions = UISceneActivationConditions()

    /// The application.
    open override var next: UIResponder? { assignedNext ?? application }

    public internal(set) var activationState = ActivationState.unattached

    /// Nil unless connected.
    weak var application: UIApplication?
    /// By the default will-continue: the framework shows the progress.
    var leavesProgress = false
    /// Set by the default hook for shortcut items.
    var leavesAction = false
    /// Set by the default `stateRestorationActivity(for:)`.
    var leavesState = false
    /// The most recently used scene has the highest.
    var lastUse: UInt64 = 0

    /// Called by the framework. A subclass, named in ``UISceneConfiguration/sceneClass``, calls super.
    public required init(session: UISceneSession, connectionOptions: ConnectionOptions) {
        self.session = session
        super.init()
    }

    // MARK: Events from the toolkit

    /// The user works with the scene.
    public final func becameActive() {
        guard let application, activationState != .foregroundActive else { return }
        enteredForeground()
        activationState = .foregroundActive
        application.scenes.used(self)
        delegate?.sceneDidBecomeActive(self)
        NotificationCenter.default.post(name: Self.didActivateNotification, object: self)
    }

    final func enteredForeground() {
        guard activationState != .foregroundInactive else { return }
        NotificationCenter.default.post(name: Self.willEnterForegroundNotification, object: self)
        delegate?.sceneWillEnterForeground(self)
        activationState = .foregroundInactive
    }

    /// The user turned to something else. Saves the scene's state.
    public final func resignedActive() {
        guard let application, activationState == .foregroundActive else { return }
        NotificationCenter.default.post(name: Self.willDeactivateNotification, object: self)
        delegate?.sceneWillResignActive(self)
        activationState = .foregroundInactive
        application.scenes.save(self)
    }

    /// The scene is no longer visible. Saves its state.
    public final func enteredBackground() {
        resignedActive()
        guard let application, activationState != .background else { return }
        activationState = .background
        delegate?.sceneDidEnterBackground(self)
        NotificationCenter.default.post(name: Self.didEnterBackgroundNotification, object: self)
        application.scenes.save(self)
    }

    /// The user closed the scene: it is disconnected and its saved state is deleted.
    public final func closed() {
        application?.scenes.closed(self)
    }
}

extension UIScene {
    /// The reason for connecting a scene.
    @preconcurrency @MainActor
    public final class ConnectionOptions {
        /// The type of an activity that will arrive at the delegate's `scene(_:continue:)`.
        public let handoffUserActivityType: String?
        /// Activities of the app's own requests; never from another device.
        public let userActivities: Set<NSUserActivity>
        /// The URLs that started the app.
        public let urlContexts: Set<UIOpenURLContext>
        /// The desktop entry's action that started the app.
        public let shortcutItem: UIApplicationShortcutItem?
        /// Always nil.
        public var sourceApplication: String? { nil }
        /// Always nil, because notifications do not start an app.
        public var notificationResponse: UNNotificationResponse? { nil }

        init(
            handoffUserActivityType: String? = nil, userActivities: Set<NSUserActivity> = [], urls: [URL] = [],
            shortcutItem: UIApplicationShortcutItem? = nil
        ) {
            self.handoffUserActivityType = handoffUserActivityType
            self.userActivities = userActivities
            urlContexts = Set(urls.map { UIOpenURLContext($0) })
            self.shortcutItem = shortcutItem
        }
    }

    /// The origin of a request.
    @preconcurrency @MainActor
    open class ActivationRequestOptions {
        /// The scene in which the user made the request.
        open var requestingScene: UIScene?

        public init() {}
    }
}

/// A scene that consists of windows, usually one.
@preconcurrency @MainActor
open class UIWindowScene: UIScene {
    private var ofThisScene: [WeakWindow] = []

    private struct WeakWindow {
        weak var window: UIWindow?
    }

    /// Not retained.
    public final var windows: [UIWindow] { ofThisScene.compactMap(\.window) }

    /// The window with keyboard focus; nil if it belongs to another scene.
    public final var keyWindow: UIWindow? { windows.first(where: \.isKeyWindow) }

    /// The windows' size limits.
    public final var sizeRestrictions: UISceneSizeRestrictions? {
        if ownRestrictions == nil { ownRestrictions = UISceneSizeRestrictions(of: self) }
        return ownRestrictions
    }

    private var ownRestrictions: UISceneSizeRestrictions?

    final func add(_ window: UIWindow) {
        ofThisScene = ofThisScene.filter { $0.window != nil } + [WeakWindow(window: window)]
        if !title.isEmpty { titleChanged() }
        if let ownRestrictions { window.sizeRestrictionsChanged(to: ownRestrictions) }
    }

    override func titleChanged() {
        let text = [title, subtitle].filter { !$0.isEmpty }.joined(separator: " – ")
        for window in windows { window.title = text }
    }
    final func remove(_ window: UIWindow) { ofThisScene.removeAll { $0.window === window } }
}
