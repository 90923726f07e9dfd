// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff
internal import HandoffWire

/// Receives a toolkit's reports of what the user sees, to choose the current activity.
///
/// Create a ``UIWindow`` for each window, and call these methods on the main thread, from the toolkit's signals:
///
/// ```swift
/// let toolkit = UIApplication.shared.toolkit
/// toolkit.windowOpened(window)
/// toolkit.windowBecameMain(window)                     // GTK: notify::is-active
/// toolkit.firstResponderChanged(to: editor, in: window)  // GTK: notify::focus-widget
/// toolkit.windowClosed(window)
/// ```
///
/// Reports may be repeated. ``HandoffCurrentActivityRule/mainWindow`` needs no reports of views,
/// ``HandoffCurrentActivityRule/visibleViewControllers`` none of first responders. A program without windows sets
/// `UIApplication.shared.userActivity` instead.
@preconcurrency @MainActor
public final class HandoffToolkit {
    private(set) weak var application: UIApplication?
    private var choice = CurrentActivityStateMachine<ActivityReference>(rule: .mainWindow)

    /// The open windows, front to back.
    public private(set) var windows: [UIWindow] = []
    /// Whether the user works with the app.
    public private(set) var isActive = false
    /// Whether no part of the app is visible.
    public private(set) var isInBackground = false
    private(set) var hasSpoken = false
    private(set) weak var mainWindow: UIWindow?
    private(set) weak var keyWindow: UIWindow?

    init(of application: UIApplication) { self.application = application }

    var rule: HandoffCurrentActivityRule {
        get { choice.rule }
        set { carryOut(choice.ruleChanged(to: newValue, screen(for: newValue))) }
    }

    // MARK: The application

    /// The user works with the app.
    public func applicationBecameActive() {
        applicationEnteredForeground()
        if !isActive {
            isActive = true
            application.map {
                $0.delegate?.applicationDidBecomeActive($0)
                NotificationCenter.default.post(name: UIApplication.didBecomeActiveNotification, object: $0)
            }
        }
        for window in windows { window.windowController?.document?.followFile() }
        carryOut(choice.turnedTo(screen))
    }

    /// The user turned to another app. The current activity stays, because the user may turn to another device.
    public func applicationResignedActive() {
        hasSpoken = true
        guard isActive else { return }
        application.map {
            NotificationCenter.default.post(name: UIApplication.willResignActiveNotification, object: $0)
            $0.delegate?.applicationWillResignActive($0)
        }
        isActive = false
    }

    /// No part of the app is visible.
    public func applicationEnteredBackground() {
        applicationResignedActive()
        guard !isInBackground else { return }
        isInBackground = true
        application.map {
            $0.delegate?.applicationDidEnterBackground($0)
            NotificationCenter.default.post(name: UIApplication.didEnterBackgroundNotification, object: $0)
        }
    }

    /// A part of the app is visible again.
    public func applicationEnteredForeground() {
        hasSpoken = true
        guard isInBackground else { return }
        application.map {
            NotificationCenter.default.post(name: UIApplication.willEnterForegroundNotification, object: $0)
            $0.delegate?.applicationWillEnterForeground($0)
        }
        isInBackground = false
    }

    // MARK: Windows

    /// The window was opened, in front. Retained until closed.
    public func windowOpened(_ window: UIWindow) {
        guard open(window) else { return }
        carryOut(choice.viewsChanged(screen))
    }

    /// The user works in this window. It also becomes the key window.
    public func windowBecameMain(_ window: UIWindow) {
        open(window)
        mainWindow = window
        keyWindow = window
        window.hasBeenMain = true
        windows.removeAll { $0 === window }
        windows.insert(window, at: 0)
        window.windowController?.document?.followFile()
        carryOut(choice.turnedTo(screen))
        application?.scenes.windowBecameMain(window)
    }

    /// The window is no longer the main window.
    public func windowResignedMain(_ window: UIWindow) {
        if mainWindow === window { mainWindow = nil }
        if keyWindow === window { keyWindow = nil }
        application?.scenes.windowResignedMain(window)
    }

    /// The window has keyboard focus.
    public func windowBecameKey(_ window: UIWindow) {
        if open(window) { carryOut(choice.viewsChanged(screen)) }
        keyWindow = window
    }

    /// The window lost keyboard focus.
    public func windowResignedKey(_ window: UIWindow) {
        if keyWindow === window { keyWindow = nil }
    }

    /// The window was closed. Its document closes with its last window.
    public func windowClosed(_ window: UIWindow) {
        guard let index = windows.firstIndex(where: { $0 === window }) else { return }
        windows.remove(at: index)
        windowResignedMain(window)
        window.openedBy = nil
        window.hasBeenMain = false
        window.windowController?.windowWasClosed()
        carryOut(choice.viewsChanged(screen))
        application?.scenes.windowClosed(window)
    }

    /// The focus in the window changed; nil for none.
    public func firstResponderChanged(to responder: UIResponder?, in window: UIWindow) {
        window.firstResponder = responder
    }

    // MARK: Views

    /// The view is about to appear; its transition begins.
    public func viewWillAppear(_ controller: UIViewController, animated: Bool = false) {
        guard controller.presence != .appearing, controller.presence != .shown else { return }
        controller.loadViewIfNeeded()
        controller.presence = .appearing
        controller.viewWillAppear(animated)
    }

    /// The view has appeared; its transition is over.
    public func viewDidAppear(_ controller: UIViewController, animated: Bool = false) {
        guard controller.presence != .shown else { return }
        viewWillAppear(controller, animated: animated)
        controller.presence = .shown
        controller.viewDidAppear(animated)
        carryOut(choice.viewsChanged(screen))
    }

    /// The view is about to disappear.
    public func viewWillDisappear(_ controller: UIViewController, animated: Bool = false) {
        guard controller.presence != .hidden, controller.presence != .disappearing else { return }
        controller.presence = .disappearing
        controller.viewWillDisappear(animated)
    }

    /// The view has disappeared.
    public func viewDidDisappear(_ controller: UIViewController, animated: Bool = false) {
        guard controller.presence != .hidden else { return }
        viewWillDisappear(controller, animated: animated)
        controller.presence = .hidden
        controller.viewDidDisappear(animated)
        carryOut(choice.viewsChanged(screen))
    }

    // MARK: Choosing the current activity

    func chainChanged() { carryOut(choice.chainChanged(screen)) }

    func viewsChanged() { carryOut(choice.viewsChanged(screen)) }

    func ownersChanged(of activity: NSUserActivity, isAssigned: Bool) {
        carryOut(
            isAssigned ? choice.assigned(ActivityReference(activity), on: screen) : choice.ownersLeft(screen))
    }

    /// False if the window is already open.
    @discardableResult
    private func open(_ window: UIWindow) -> Bool {
        hasSpoken = true
        guard window.openedBy !== self else { return false }
        window.openedBy?.windowClosed(window)
        window.openedBy = self
        windows.insert(window, at: 0)
        return true
    }

    private func carryOut(_ action: CurrentActivityStateMachine<ActivityReference>.Action) {
        switch action {
        case .nothing: break
        case .makeCurrent(let reference): reference.activity.becomeCurrent()
        case .resign(let reference): reference.activity.resignCurrent()
        }
    }

    private var screen: ScreenState<ActivityReference> { screen(for: choice.rule) }

    private func screen(for rule: HandoffCurrentActivityRule) -> ScreenState<ActivityReference> {
        ScreenState(
            windows: windows.map { window in
                switch rule {
                case .mainWindow:
                    ScreenState.Window(
                        chain: window.slotsFromFirstResponder.compactMap { ActivityReference(of: $0) },
                        document: window.windowController?.document.flatMap { ActivityReference(of: $0.slot) },
                        hasBeenMain: window.hasBeenMain)
                case .visibleViewControllers:
                    ScreenState.Window(root: window.shown(window.rootViewController?.state))
                }
            },
            application: application.flatMap { ActivityReference(of: $0.slot) })
    }
}

/// An activity by identity. Retained, so that its address is not reused.
struct ActivityReference: Hashable, Sendable {
    let activity: NSUserActivity

    init(_ activity: NSUserActivity) { self.activity = activity }

    /// Nil also if the activity is invalidated.
    init?(of slot: ActivitySlot) {
        guard let activity = slot.activity, !activity.isInvalidated else { return nil }
        self.activity = activity
    }

    static func == (left: Self, right: Self) -> Bool { left.activity === right.activity }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(activity)) }
}

extension UIViewController {
    fileprivate var state: ViewState<ActivityReference> {
        ViewState(
            presence: presence, activity: ActivityReference(of: slot), children: children.map(\.state),
            presented: presentedViewController.map { [$0.state] } ?? [])
    }
}
