// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff

/// One instance of the app's user interface, mostly a window: what the user opens and closes, with its own activity and its
/// own place in the choice of where an activity goes. ``UIWindowScene`` is the kind there is.
///
/// The framework makes it and gives it its delegate, whose `scene(_:willConnectTo:options:)` makes the window. What becomes
/// of the scene follows from what the toolkit says of its windows (``HandoffToolkit``); for a scene without a ``UIWindow``
/// it is said by `becameActive()`, `resignedActive()`, `enteredBackground()` and `closed()`.
@preconcurrency @MainActor
open class UIScene: UIResponder {
    public enum ActivationState: Int, Sendable {
        /// Not connected, or not any more.
        case unattached = -1
        /// In front, and its user works with it.
        case foregroundActive = 0
        /// On the screen, while the user works with something else.
        case foregroundInactive = 1
        /// Not to be seen.
        case background = 2
    }

    /// Posted before the delegate's `scene(_:willConnectTo:options:)`.
    public static let willConnectNotification = Notification.Name("HandoffSceneWillConnect")
    /// Posted after the delegate's `sceneDidDisconnect(_:)`.
    public static let didDisconnectNotification = Notification.Name("HandoffSceneDidDisconnect")
    /// Posted after the delegate's `sceneDidBecomeActive(_:)`.
    public static let didActivateNotification = Notification.Name("HandoffSceneDidActivate")
    /// Posted before the delegate's `sceneWillResignActive(_:)`.
    public static let willDeactivateNotification = Notification.Name("HandoffSceneWillDeactivate")
    /// Posted before the delegate's `sceneWillEnterForeground(_:)`.
    public static let willEnterForegroundNotification = Notification.Name("HandoffSceneWillEnterForeground")
    /// Posted after the delegate's `sceneDidEnterBackground(_:)`.
    public static let didEnterBackgroundNotification = Notification.Name("HandoffSceneDidEnterBackground")

    /// What is kept of the scene while it is not there.
    public let session: UISceneSession

    /// Retained.
    public var delegate: (any UISceneDelegate)?

    /// Tells the scene from others. Empty at first, and after it was set to nil. The titles of its windows follow it.
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

    /// For which contents this scene is the place. At first for any, and for none in particular.
    public var activationConditions = UISceneActivationConditions()

    /// The application.
    open override var next: UIResponder? { assignedNext ?? application }

    public internal(set) var activationState = ActivationState.unattached

    /// Not nil while the scene is connected.
    weak var application: UIApplication?
    /// Set by the delegate's missing will-continue: the framework shows the progress.
    var leavesProgress = false
    /// Set by the delegate's missing hook for shortcut items.
    var leavesAction = false
    /// Set by the delegate's missing `stateRestorationActivity(for:)`.
    var leavesState = false
    /// Of all scenes, the highest was used last.
    var lastUse: UInt64 = 0

    /// The framework makes scenes. A subclass, named in ``UISceneConfiguration/sceneClass``, calls super.
    public required init(session: UISceneSession, connectionOptions: ConnectionOptions) {
        self.session = session
        super.init()
    }

    // MARK: What the toolkit tells

    /// The scene is in front, and its user works with it.
    public final func becameActive() {
        guard let application, activationState != .foregroundActive else { return }
        enteredForeground()
        activationState = .foregroundActive
        application.scenes.used(self)
        delegate?.sceneDidBecomeActive(self)
        NotificationCenter.default.post(name: Self.didActivateNotification, object: self)
    }

    /// On the screen, behind others.
    final func enteredForeground() {
        guard activationState != .foregroundInactive else { return }
        NotificationCenter.default.post(name: Self.willEnterForegroundNotification, object: self)
        delegate?.sceneWillEnterForeground(self)
        activationState = .foregroundInactive
    }

    /// Its user turned to something else. The scene's state is saved.
    public final func resignedActive() {
        guard let application, activationState == .foregroundActive else { return }
        NotificationCenter.default.post(name: Self.willDeactivateNotification, object: self)
        delegate?.sceneWillResignActive(self)
        activationState = .foregroundInactive
        application.scenes.save(self)
    }

    /// The scene is not to be seen any more, as a window that was put away. Its state is saved.
    public final func enteredBackground() {
        resignedActive()
        guard let application, activationState != .background else { return }
        activationState = .background
        delegate?.sceneDidEnterBackground(self)
        NotificationCenter.default.post(name: Self.didEnterBackgroundNotification, object: self)
        application.scenes.save(self)
    }

    /// The user closed it for good: the scene is disconnected, and what was kept of it is thrown away.
    public final func closed() {
        application?.scenes.closed(self)
    }
}

extension UIScene {
    /// Why a scene is connected.
    @preconcurrency @MainActor
    public final class ConnectionOptions {
        /// The type of an activity that is on its way to the scene. The activity itself comes later, to the delegate's
        /// `scene(_:continue:)`.
        public let handoffUserActivityType: String?
        /// Of the app itself: those that it asked to have opened in a new scene. None that comes from another device.
        public let userActivities: Set<NSUserActivity>
        /// What the app was started to open.
        public let urlContexts: Set<UIOpenURLContext>
        /// The action of its desktop entry that the app was started by.
        public let shortcutItem: UIApplicationShortcutItem?
        /// Nil: a desktop does not say who asks.
        public var sourceApplication: String? { nil }
        /// Nil: no notification of the system's starts an app.
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

    /// Who wants a scene to be activated.
    @preconcurrency @MainActor
    open class ActivationRequestOptions {
        /// The scene in which the user asked for it.
        open var requestingScene: UIScene?

        public init() {}
    }
}

/// A scene that is a window, mostly one.
@preconcurrency @MainActor
open class UIWindowScene: UIScene {
    private var ofThisScene: [WeakWindow] = []

    private struct WeakWindow {
        weak var window: UIWindow?
    }

    /// Those whose `windowScene` this is. Not retained.
    public final var windows: [UIWindow] { ofThisScene.compactMap(\.window) }

    /// The one that gets the keys; nil if it is another scene's.
    public final var keyWindow: UIWindow? { windows.first(where: \.isKeyWindow) }

    /// Between which sizes the user may change its windows.
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
