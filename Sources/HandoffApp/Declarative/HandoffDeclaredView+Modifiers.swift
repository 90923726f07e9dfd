// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff
internal import HandoffWire

extension HandoffDeclaredView {
    // MARK: Advertising

    /// Offers an activity of this type while the view is in a window, ``HandoffCurrentActivityRule`` selects that
    /// window and `isActive` is true.
    ///
    /// `update` puts the view's state into the activity: `title`, `userInfo`, `targetContentIdentifier` and so on. It
    /// is called on the main thread when the modifier is applied, that is, when the view's state has changed. It is
    /// also called when another device requests the activity for the first time since then, or since `needsSave` was
    /// set on the activity; this covers changes that do not rebuild the view. The entries that it put into `userInfo`
    /// earlier have then been removed. The framework makes the activity current and ends it.
    ///
    /// Views of one window that advertise the same type share one activity, and each adds its part. If there are
    /// several types, the one that became active last is offered; when it ends, the previous one is offered again.
    ///
    /// An invalid activity type is not offered; the app's log names it.
    @discardableResult
    public func userActivity(
        _ activityType: String, isActive: Bool = true, _ update: @escaping (NSUserActivity) -> Void
    ) -> Self {
        advertise(activityType, update: isActive ? update : nil)
        return self
    }

    /// As `userActivity(_:isActive:_:)`, with an element that is passed to `update`. If it is nil, nothing is offered.
    @discardableResult
    public func userActivity<P>(
        _ activityType: String, element: P?, _ update: @escaping (P, NSUserActivity) -> Void
    ) -> Self {
        advertise(activityType, update: element.map { element in { update(element, $0) } })
        return self
    }

    private func advertise(_ activityType: String, update: ((NSUserActivity) -> Void)?) {
        do throws(WireError) {
            _ = try ActivityType(activityType)
        } catch {
            return ActivityCenter.current.log(
                "a view offers no activity, because its type is not allowed: \(error.reason)")
        }
        let view = ViewReference(self)
        viewLifetime.change(advertising: activityType) { $0.advertise(activityType, by: view, update: update) }
    }

    // MARK: Events

    /// Calls `action` on the main thread with an activity of this type that arrived from another of the user's devices
    /// for the view's window. Several views of a window are called in the order in which they declared it.
    ///
    /// `handlesExternalEvents(preferring:allowing:)` determines the window. Delegates are not called for an activity
    /// that views receive, and views do not receive an activity that was announced to a delegate. The content comes
    /// from outside: validate it.
    ///
    /// Web pages arrive as URLs at `onOpenURL(perform:)`; the type `NSUserActivityTypeBrowsingWeb` has no effect here.
    @discardableResult
    public func onContinueUserActivity(
        _ activityType: String, perform action: @escaping (NSUserActivity) -> Void
    ) -> Self {
        guard activityType != NSUserActivityTypeBrowsingWeb else {
            ActivityCenter.current.log(
                "onContinueUserActivity is not called for \(activityType); onOpenURL receives the page's URL")
            return self
        }
        let view = ViewReference(self)
        viewLifetime.change { $0.continue(activityType, in: view, action: action) }
        return self
    }

    /// Calls `action` on the main thread with a URL that the app opens in the view's window, such as a web page that
    /// the app continues. Several views of a window are called in the order in which they declared it. The URL comes
    /// from outside: validate it.
    @discardableResult
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> Self {
        let view = ViewReference(self)
        viewLifetime.change { $0.openURLs(in: view, action: action) }
        return self
    }

    /// Chooses the events that the view's window receives while it is open. A preferred event goes to this window
    /// before any other; an allowed event goes to it before a new scene is opened.
    ///
    /// The texts are searched for in the activity's `targetContentIdentifier`, or else its `webpageURL`, or in the URL.
    /// Case and diacritics are ignored. `"*"` matches every event; an empty text matches none. The window is considered
    /// only for events that one of its views handles. In an app with one scene it receives every event.
    @discardableResult
    public func handlesExternalEvents(preferring: Set<String>, allowing: Set<String>) -> Self {
        let view = ViewReference(self)
        viewLifetime.change { $0.handleEvents(in: view, preferring: preferring, allowing: allowing) }
        return self
    }
}
