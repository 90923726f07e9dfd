// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff

/// An object for a part of what the user sees or works with: a view controller, a window, the application. It can have
/// an activity that the framework manages.
///
/// Set `userActivity`. The framework makes it current when the responder is in front (``HandoffCurrentActivityRule``),
/// requests its state when another device needs it, and ends it when it has no owners left. Several responders and
/// documents may share one activity; each adds its part.
///
/// ```swift
/// final class PageController: UIViewController {
///     var page = 1 { didSet { userActivity?.needsSave = true } }
///
///     override func viewDidLoad() {
///         super.viewDidLoad()
///         let activity = NSUserActivity(activityType: "com.example.reader.reading")
///         activity.title = "Chapter 3"
///         userActivity = activity
///     }
///
///     override func updateUserActivityState(_ activity: NSUserActivity) {
///         super.updateUserActivityState(activity)
///         activity.addUserInfoEntries(from: ["page": page])
///     }
///
///     override func restoreUserActivityState(_ activity: NSUserActivity) {
///         super.restoreUserActivityState(activity)
///         page = activity.userInfo?["page"] as? Int ?? 1
///     }
/// }
/// ```
///
/// A toolkit's own views need not be responders; its calls to ``HandoffToolkit`` are enough.
@preconcurrency @MainActor
open class UIResponder: NSObject, NSUserActivityRestoring, UserActivityUpdating {
    nonisolated let slot = ActivitySlot()
    private weak var explicitNext: UIResponder?

    /// Creates a responder without an activity and without a next responder.
    public override init() {
        super.init()
        slot.holder = self
    }

    // MARK: Activity

    /// The responder's activity; nil for none. It may be used on any thread.
    ///
    /// Setting it lets the framework manage the activity: it becomes current, is saved and is invalidated without
    /// further calls. Setting another one, or nil, leaves the previous one, which is invalidated if it has no owners
    /// left.
    ///
    /// It is retained.
    nonisolated open var userActivity: NSUserActivity? {
        get { slot.activity }
        set { slot.activity = newValue }
    }

    /// Puts this responder's part of the state into the activity. Called on the main thread before the activity is
    /// sent, if `needsSave` was set. `userInfo` was emptied before the first owner's call; add the entries needed to
    /// continue with `addUserInfoEntries(from:)`.
    ///
    /// Call super. The default does nothing.
    open func updateUserActivityState(_ activity: NSUserActivity) {}

    /// Restores this responder's state from the activity. Called on the main thread for a responder that was passed to
    /// the `restorationHandler`; the app may also call it.
    ///
    /// Call super. The default does nothing.
    open func restoreUserActivityState(_ activity: NSUserActivity) {}

    /// Calls `onChange` with the new `userActivity` when it changes, on the thread that set it. If two threads set it
    /// at once, the order of the calls is undefined; the property has the final value.
    ///
    /// This corresponds to key-value observation on Apple's systems. Retain the result to keep observing.
    nonisolated public func observeUserActivity(
        _ onChange: @escaping @Sendable (NSUserActivity?) -> Void
    ) -> HandoffUserActivityObservation {
        slot.observe(onChange)
    }

    /// Each new value of `userActivity`. A slow consumer receives only the latest. Ends with the responder.
    nonisolated public var userActivityChanges: AsyncStream<NSUserActivity?> { slot.changes }

    // MARK: State restoration by archive

    // Never called: a window's state is saved as its scene's activity, `stateRestorationActivity(for:)`.

    /// Never called. The default does nothing.
    open func encodeRestorableState(with coder: NSCoder) {}
    /// Never called. The default does nothing.
    open func decodeRestorableState(with coder: NSCoder) {}
    /// Never called. The default does nothing.
    open func restoreState(with coder: NSCoder) {}
    /// Has no effect.
    open func invalidateRestorableState() {}
    /// Stored, but has no effect.
    open var restorationIdentifier: String?

    // MARK: Focus

    /// Whether the responder may have its window's focus. The default is false.
    open var canBecomeFirstResponder: Bool { false }
    /// Whether the responder may lose the focus. The default is true.
    open var canResignFirstResponder: Bool { true }
    /// Whether the responder has its window's focus.
    open var isFirstResponder: Bool { chainWindow?.firstResponder === self }

    /// Takes the focus of the responder's window. False if there is no window, the responder may not have the focus, or
    /// the current first responder refuses to give it up. Call super.
    @discardableResult
    open func becomeFirstResponder() -> Bool {
        guard canBecomeFirstResponder, let window = chainWindow else { return false }
        guard let former = window.firstResponder, former !== self else { return window.makeFirstResponder(self) }
        return former.resignFirstResponder() && window.makeFirstResponder(self)
    }

    /// Gives up the focus. False if the responder does not have the focus or keeps it. Call super.
    @discardableResult
    open func resignFirstResponder() -> Bool {
        guard canResignFirstResponder, let window = chainWindow, window.firstResponder === self else { return false }
        return window.makeFirstResponder(nil)
    }

    private var chainWindow: UIWindow? { chain.lazy.compactMap { $0 as? UIWindow }.first }

    // MARK: Responder chain

    /// The next responder in the chain; nil at the end. A subclass with another position overrides it.
    open var next: UIResponder? { explicitNext }

    /// The next responder, by AppKit's name. Setting it replaces the default next responder; nil restores the default.
    /// Not retained.
    open var nextResponder: UIResponder? {
        get { next }
        set {
            explicitNext = newValue
            shownBy?.chainChanged()
        }
    }

    final var assignedNext: UIResponder? { explicitNext }

    /// Notified about changes to this responder that affect the choice of the current activity.
    var shownBy: HandoffToolkit? { nil }

    /// This responder and its successors, each once.
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

/// An object that can restore its state from an activity: a responder, a window, a document. It is passed to the
/// `restorationHandler` of the application delegate, or the app calls it directly.
@preconcurrency @MainActor
public protocol NSUserActivityRestoring: AnyObject, Sendable {
    /// Called on the main thread with an activity from another device. Its content comes from outside: validate it.
    func restoreUserActivityState(_ userActivity: NSUserActivity)
}

/// UIKit's name.
public typealias UIUserActivityRestoring = NSUserActivityRestoring
