// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff
internal import HandoffWire

extension HandoffDeclaredView {
    // MARK: Advertising

    /// Offers an activity while `isActive` is true and ``HandoffCurrentActivityRule`` selects the view's window. The
    /// framework ends it. An invalid type is logged and not offered.
    ///
    /// `update` puts the view's state into the activity, after its earlier entries were removed from `userInfo`. It is
    /// called on the main thread when the modifier is applied, and at another device's first request since then or
    /// since `needsSave` was set, to cover changes that do not rebuild the view.
    ///
    /// Views of a window that advertise the same type share an activity, and each adds its part. The type that became
    /// active last is offered; when it ends, the previous type is.
    @discardableResult
    public func userActivity(
        _ activityType: String, isActive: Bool = true, _ update: @escaping (NSUserActivity) -> Void
    ) -> Self {
        advertise(activityType, update: isActive ? update : nil)
        return self
    }

    /// As `userActivity(_:isActive:_:)`, with `element` for `update`. Nil offers nothing.
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

    /// Calls `action` on the main thread with another device's activity: validate its content. A window's views are
    /// called in the order of declaration.
    ///
    /// `handlesExternalEvents(preferring:allowing:)` determines the window. Views and delegates never receive the same
    /// activity. Web pages arrive at `onOpenURL(perform:)` instead.
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

    /// Calls `action` on the main thread with a URL to open, such as a web page: validate it. A window's views are
    /// called in the order of declaration.
    @discardableResult
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> Self {
        let view = ViewReference(self)
        viewLifetime.change { $0.openURLs(in: view, action: action) }
        return self
    }

    /// Chooses the events for the view's open window. A preferred event goes to this window first; an allowed event
    /// before a new scene is opened. Applies only to events that a view of the window handles. With one scene, it
    /// receives every event.
    ///
    /// The texts are searched for in the URL, or the activity's `targetContentIdentifier` or else `webpageURL`,
    /// ignoring case and diacritics. `"*"` matches every event; an empty text matches none.
    @discardableResult
    public func handlesExternalEvents(preferring: Set<String>, allowing: Set<String>) -> Self {
        let view = ViewReference(self)
        viewLifetime.change { $0.handleEvents(in: view, preferring: preferring, allowing: allowing) }
        return self
    }
}
