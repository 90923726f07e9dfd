// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff

/// An object that stands for a part of what the user sees or works with: a view controller, a window, the application. It
/// can have an activity, and hand its management over.
///
/// Set `userActivity`, and the framework makes it current when what the responder stands for is in front
/// (``HandoffCurrentActivityRule``), asks for its state when another device wants it, and ends it when the last owner has
/// left. Several responders and documents may share one activity; each is asked for its part.
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
/// Where the toolkit has views of its own, they need not be responders: what the toolkit tells of is enough
/// (``HandoffToolkit``).
@preconcurrency @MainActor
open class UIResponder: NSObject, NSUserActivityRestoring, UserActivityUpdating {
    nonisolated let slot = ActivitySlot()
    private weak var explicitNext: UIResponder?

    /// Without an activity, and at the end of its own chain.
    public override init() {
        super.init()
        slot.holder = self
    }

    // MARK: The activity

    /// An activity of what this responder stands for; nil for none. To be used from any thread.
    ///
    /// Setting it hands the management of the activity over: it becomes current, is saved and is invalidated without
    /// further calls. Setting another one, or nil, leaves the one before; when it has no owner any more, it is invalidated.
    ///
    /// It is retained.
    nonisolated open var userActivity: NSUserActivity? {
        get { slot.activity }
        set { slot.activity = newValue }
    }

    /// Puts this responder's part of the state into the activity. Called on the main thread before the activity is sent, if
    /// `needsSave` was set. `userInfo` was emptied before the first owner's turn: add to it, with
    /// `addUserInfoEntries(from:)`, what is needed to go on.
    ///
    /// Call super. The default adds nothing.
    open func updateUserActivityState(_ activity: NSUserActivity) {}

    /// Brings this responder to the state in the activity. Called on the main thread, for a responder that was passed to
    /// the `restorationHandler`; the app may call it by itself.
    ///
    /// Call super. The default does nothing.
    open func restoreUserActivityState(_ activity: NSUserActivity) {}

    /// Calls `onChange` with the new `userActivity` when it was set to another one, on the thread that set it. Where two
    /// threads set it at once, the order of the calls is open; the property has what counts.
    ///
    /// It is what key-value observation is on Apple's systems. Keep the result for as long as it matters.
    nonisolated public func observeUserActivity(
        _ onChange: @escaping @Sendable (NSUserActivity?) -> Void
    ) -> HandoffUserActivityObservation {
        slot.observe(onChange)
    }

    /// The `userActivity` each time it was set to another one, from now on. Who is slow gets the last one. Ends with the
    /// responder.
    nonisolated public var userActivityChanges: AsyncStream<NSUserActivity?> { slot.changes }

    // MARK: State restoration by archive

    // Nothing calls these: what a window showed is kept as the activity of its scene, `stateRestorationActivity(for:)`.

    /// Never called. The default does nothing.
    open func encodeRestorableState(with coder: NSCoder) {}
    /// Never called. The default does nothing.
    open func decodeRestorableState(with coder: NSCoder) {}
    /// Never called. The default does nothing.
    open func restoreState(with coder: NSCoder) {}
    /// Without effect.
    open func invalidateRestorableState() {}
    /// Kept, and without effect.
    open var restorationIdentifier: String?

    // MARK: The focus

    /// Whether it may have the focus of its window. The default says no.
    open var canBecomeFirstResponder: Bool { false }
    /// Whether it may lose the focus. The default says yes.
    open var canResignFirstResponder: Bool { true }
    /// Whether it has the focus of its window.
    open var isFirstResponder: Bool { chainWindow?.firstResponder === self }

    /// Takes the focus of the window that its chain leads to. False without a window, if it may not have the focus, or if
    /// the responder that has the focus keeps it. Call super.
    @discardableResult
    open func becomeFirstResponder() -> Bool {
        guard canBecomeFirstResponder, let window = chainWindow else { return false }
        guard let former = window.firstResponder, former !== self else { return window.makeFirstResponder(self) }
        return former.resignFirstResponder() && window.makeFirstResponder(self)
    }

    /// Gives up the focus. False if it does not have the focus, or keeps it. Call super.
    @discardableResult
    open func resignFirstResponder() -> Bool {
        guard canResignFirstResponder, let window = chainWindow, window.firstResponder === self else { return false }
        return window.makeFirstResponder(nil)
    }

    private var chainWindow: UIWindow? { chain.lazy.compactMap { $0 as? UIWindow }.first }

    // MARK: The chain

    /// Who is asked after this one. Nil at the end. A subclass that stands in another place overrides it.
    open var next: UIResponder? { explicitNext }

    /// Who is asked after this one, by AppKit's name. Setting it puts the responder before that one, whatever stands there
    /// by itself; nil undoes that. Not retained.
    open var nextResponder: UIResponder? {
        get { next }
        set {
            explicitNext = newValue
            shownBy?.chainChanged()
        }
    }

    /// What was set as `nextResponder`.
    final var assignedNext: UIResponder? { explicitNext }

    /// Whom to tell when something about this responder changed that a rule looks at.
    var shownBy: HandoffToolkit? { nil }

    /// This responder and those after it, each once.
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

/// AppKit's name for it.
public typealias NSResponder = UIResponder
