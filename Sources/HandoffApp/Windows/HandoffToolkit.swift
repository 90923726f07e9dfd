// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff
internal import HandoffWire

/// Through which a toolkit tells the framework what its user sees. The framework draws nothing and asks for nothing; what
/// it is told is enough to know which activity is current.
///
/// Whoever connects a toolkit makes a ``UIWindow`` for each of its windows, and calls this from the toolkit's signals, on the
/// main thread:
///
/// ```swift
/// let toolkit = UIApplication.shared.toolkit
/// toolkit.windowOpened(window)
/// toolkit.windowBecameMain(window)                     // GTK: notify::is-active
/// toolkit.firstResponderChanged(to: editor, in: window)  // GTK: notify::focus-widget
/// toolkit.windowClosed(window)
/// ```
///
/// Telling twice what is known already does no harm. With the rule ``HandoffCurrentActivityRule/mainWindow`` nothing need be
/// told of views, with ``HandoffCurrentActivityRule/visibleViewControllers`` nothing of first responders. A program without
/// windows need not tell anything: it gives its activity to the application, `UIApplication.shared.userActivity`.
@preconcurrency @MainActor
public final class HandoffToolkit {
    private(set) weak var application: UIApplication?
    private var choice = CurrentActivityStateMachine<ActivityReference>(rule: .mainWindow)

    /// Those that are open, in front first.
    public private(set) var windows: [UIWindow] = []
    /// Whether the app is the one that its user works with, as far as the toolkit said.
    public private(set) var isActive = false
    /// Whether nothing of the app is to be seen, as far as the toolkit said.
    public private(set) var isInBackground = false
    /// Something of the app or of a window was told.
    private(set) var hasSpoken = false
    private(set) weak var mainWindow: UIWindow?
    private(set) weak var keyWindow: UIWindow?

    init(of application: UIApplication) { self.application = application }

    var rule: HandoffCurrentActivityRule {
        get { choice.rule }
        set { carryOut(choice.ruleChanged(to: newValue, screen(for: newValue))) }
    }

    // MARK: The application

    /// The app came to the foreground: its user works with it now.
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

    /// The user turned to another app. What is current stays so: the person may be on the way to the other device.
    public func applicationResignedActive() {
        hasSpoken = true
        guard isActive else { return }
        application.map {
            NotificationCenter.default.post(name: UIApplication.willResignActiveNotification, object: $0)
            $0.delegate?.applicationWillResignActive($0)
        }
        isActive = false
    }

    /// Nothing of the app is to be seen: its windows are put away or closed, or the screen is locked.
    public func applicationEnteredBackground() {
        applicationResignedActive()
        guard !isInBackground else { return }
        isInBackground = true
        application.map {
            $0.delegate?.applicationDidEnterBackground($0)
            NotificationCenter.default.post(name: UIApplication.didEnterBackgroundNotification, object: $0)
        }
    }

    /// Something of the app is to be seen again, if only behind other windows.
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

    /// The window is on the screen, in front of the others. It is kept until it is closed.
    public func windowOpened(_ window: UIWindow) {
        guard open(window) else { return }
        carryOut(choice.viewsChanged(screen))
    }

    /// The window is the one that its user works in. It is also the one that gets the keys, unless another is said to be.
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

    /// The window is not the main one any more, as when the user turned to another app.
    public func windowResignedMain(_ window: UIWindow) {
        if mainWindow === window { mainWindow = nil }
        if keyWindow === window { keyWindow = nil }
        application?.scenes.windowResignedMain(window)
    }

    /// The window gets the keys, as a panel does that floats above the main window.
    public func windowBecameKey(_ window: UIWindow) {
        if open(window) { carryOut(choice.viewsChanged(screen)) }
        keyWindow = window
    }

    /// The window does not get the keys any more.
    public func windowResignedKey(_ window: UIWindow) {
        if keyWindow === window { keyWindow = nil }
    }

    /// The window is gone. Its document is closed with its last window.
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

    /// Another part of the window has the focus; nil for none of its parts.
    public func firstResponderChanged(to responder: UIResponder?, in window: UIWindow) {
        window.firstResponder = responder
    }

    // MARK: Views

    /// The controller's view is about to come on the screen. A transition is running until it did, or until it is gone.
    public func viewWillAppear(_ controller: UIViewController, animated: Bool = false) {
        guard controller.presence != .appearing, controller.presence != .shown else { return }
        controller.loadViewIfNeeded()
        controller.presence = .appearing
        controller.viewWillAppear(animated)
    }

    /// The controller's view is on the screen, and the transition that brought it is over.
    public func viewDidAppear(_ controller: UIViewController, animated: Bool = false) {
        guard controller.presence != .shown else { return }
        viewWillAppear(controller, animated: animated)
        controller.presence = .shown
        controller.viewDidAppear(animated)
        carryOut(choice.viewsChanged(screen))
    }

    /// The controller's view is about to leave the screen.
    public func viewWillDisappear(_ controller: UIViewController, animated: Bool = false) {
        guard controller.presence != .hidden, controller.presence != .disappearing else { return }
        controller.presence = .disappearing
        controller.viewWillDisappear(animated)
    }

    /// The controller's view has left the screen.
    public func viewDidDisappear(_ controller: UIViewController, animated: Bool = false) {
        guard controller.presence != .hidden else { return }
        viewWillDisappear(controller, animated: animated)
        controller.presence = .hidden
        controller.viewDidDisappear(animated)
        carryOut(choice.viewsChanged(screen))
    }

    // MARK: What follows

    /// A chain of responders is another, or a document.
    func chainChanged() { carryOut(choice.chainChanged(screen)) }

    /// Controllers came into a window or left it.
    func viewsChanged() { carryOut(choice.viewsChanged(screen)) }

    func ownersChanged(of activity: NSUserActivity, isAssigned: Bool) {
        carryOut(
            isAssigned ? choice.assigned(ActivityReference(activity), on: screen) : choice.ownersLeft(screen))
    }

    /// False if it is open.
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

    /// What that rule looks at.
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

/// An activity as the rules see it: this very object. Retained, so that no other can take its place in memory.
struct ActivityReference: Hashable, Sendable {
    let activity: NSUserActivity

    init(_ activity: NSUserActivity) { self.activity = activity }

    /// Nil also for one that is over.
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
