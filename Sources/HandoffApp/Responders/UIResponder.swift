// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff

/// A part of the user interface, such as a view controller, a window or the application.
///
/// The framework makes its `userActivity` current when the responder is in front (``HandoffCurrentActivityRule``),
/// requests its state when needed, and ends it with its last owner. For an example see <doc:DocumentsAndWindows>.
///
/// A toolkit's own views need not be responders: its calls to ``HandoffToolkit`` suffice.
@preconcurrency @MainActor
open class UIResponder: NSObject, NSUserActivityRestoring, UserActivityUpdating {
    nonisolated let slot = ActivitySlot()
    private weak var explicitNext: UIResponder?

    /// Creates a responder without an activity or next responder.
    public override init() {
        super.init()
        slot.holder = self
    }

    // MARK: Activity

    /// The responder's activity, managed by the framework. Retained. May be used on any thread.
    ///
    /// Setting another activity, or nil, leaves the previous activity, which its last owner invalidates. Responders and
    /// documents may share an activity.
    nonisolated open var userActivity: NSUserActivity? {
        get { slot.activity }
        set { slot.activity = newValue }
    }

    /// Adds this responder's state to the activity, with `addUserInfoEntries(from:)`. Called on the main thread before
    /// sending, if `needsSave` was set; `userInfo` is emptied before the first owner's call.
    ///
    /// Call super.
    open func updateUserActivityState(_ activity: NSUserActivity) {}

    /// Restores this responder's state. Called on the main thread for responders passed to the `restorationHandler`.
    ///
    /// Call super.
    open func restoreUserActivityState(_ activity: NSUserActivity) {}

    /// Calls `onChange` with each new `userActivity`, on the thread that sets it, until the result is released. Two
    /// threads' calls have no defined order. Replaces Apple's key-value observation.
    nonisolated public func observeUserActivity(
        _ onChange: @escaping @Sendable (NSUserActivity?) -> Void
    ) -> HandoffUserActivityObservation {
        slot.observe(onChange)
    }

    /// Each new `userActivity`; a slow consumer receives only the latest. Ends with the responder.
    nonisolated public var userActivityChanges: AsyncStream<NSUserActivity?> { slot.changes }

    // MARK: State restoration by archive

    // A window's state is saved as its scene's activity instead: `stateRestorationActivity(for:)`.

    /// Never called.
    open func encodeRestorableState(with coder: NSCoder) {}
    /// Never called.
    open func decodeRestorableState(with coder: NSCoder) {}
    /// Never called.
    open func restoreState(with coder: NSCoder) {}
    /// Has no effect.
    open func invalidateRestorableState() {}
    /// Has no effect.
    open var restorationIdentifier: String?

    // MARK: Focus

    /// Whether the responder may have its window's focus. False by default.
    open var canBecomeFirstResponder: Bool { false }
    /// Whether the responder may lose the focus. True by default.
    open var canResignFirstResponder: Bool { true }
    /// Whether the responder has its window's focus.
    open var isFirstResponder: Bool { chainWindow?.firstResponder === self }

    /// Takes the window's focus. False without a window, or if the responder may not have it or the first responder
    /// keeps it. Call super.
    @discardableResult
    open func becomeFirstResponder() -> Bool {
        guard canBecomeFirstResponder, let window = chainWindow else { return false }
        guard let former = window.firstResponder, former !== self else { return window.makeFirstResponder(self) }
        return former.resignFirstResponder() && window.makeFirstResponder(self)
    }

    /// Gives up the focus. False if the responder does not have it or keeps it. Call super.
    @discardableResult
    open func resignFirstResponder() -> Bool {
        guard canResignFirstResponder, let window = chainWindow, window.firstResponder === self else { return false }
        return window.makeFirstResponder(nil)
    }

    private var chainWindow: UIWindow? { chain.lazy.compactMap { $0 as? UIWindow }.first }

    // MARK: Responder chain

    /// The next responder in the chain; nil at the end.
    open var next: UIResponder? { explicitNext }

    /// AppKit's name. Setting it replaces the default next responder; nil restores it. Not retained.
    open var nextResponder: UIResponder? {
        get { next }
        set {
            explicitNext = newValue
            shownBy?.chainChanged()
        }
    }

    final var assignedNext: UIResponder? { explicitNext }

    var shownBy: HandoffToolkit? { nil }

    /// From this responder on. Each appears once, even if the chain is circular.
    final var chain: [UIResponder] {
        var chain: [UIResponder] = []
        var seen: Set<ObjectIdentifier> = []
        var link: UIResponder? = self
        while let responder = link, seen.insert(ObjectIdentifier(responder)).inserted {
            chain.append(responder)
            link = responder.next
        }
        return chain
    }
}

/// AppKit's name.
public typealias NSResponder = UIResponder

/// An object that can restore its state from an activity, such as a responder or a document.
@preconcurrency @MainActor
public protocol NSUserActivityRestoring: AnyObject, Sendable {
    /// Called on the main thread. The activity's content comes from outside: validate it.
    func restoreUserActivityState(_ userActivity: NSUserActivity)
}

/// UIKit's name.
public typealias UIUserActivityRestoring = NSUserActivityRestoring
