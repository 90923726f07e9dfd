// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff
internal import HandoffWire

extension HandoffDeclaredView {
    // MARK: Advertising

    /// Offers an activity of this type while the view is in a window, that window is the one that counts
    /// (``HandoffCurrentActivityRule``), and `isActive` is true.
    ///
    /// `update` puts the view's state into the activity: `title`, `userInfo`, `targetContentIdentifier` and what else there
    /// is. It is called on the main thread: when the modifier is applied, which is when the view's state is another; and
    /// when another device wants the activity for the first time since then, or since `needsSave` was set at the activity,
    /// for what changes without the view being made anew. What it put into `userInfo` before is gone then. The activity is
    /// the framework's to make current and to end.
    ///
    /// Views of one window that advertise the same type share one activity, and each puts its part in. Of several types the
    /// one that became active last is offered, and the one before it again when that one ends.
    ///
    /// What is no type of an activity is not offered, and named in the app's log.
    @discardableResult
    public func userActivity(
        _ activityType: String, isActive: Bool = true, _ update: @escaping (NSUserActivity) -> Void
    ) -> Self {
        advertise(activityType, update: isActive ? update : nil)
        return self
    }

    /// As `userActivity(_:isActive:_:)`, for as long as there is an element, which `update` is given. Nil: nothing is offered.
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
            return ActivityCenter.current.log("a view offers nothing, as its type is not allowed: \(error.reason)")
        }
        let view = ViewReference(self)
        viewLifetime.change(advertising: activityType) { $0.advertise(activityType, by: view, update: update) }
    }

    // MARK: What comes from outside

    /// Calls `action` on the main thread with an activity of this type that came from another of the user's devices to the
    /// view's window. Several views of the window are asked one after another, in the order in which they declared it.
    ///
    /// Which window it comes to follows from `handlesExternalEvents(preferring:allowing:)`. No delegate hears of an activity
    /// that comes to views, and views hear of none that a delegate was told is on its way. The activity comes from outside:
    /// check what is in it.
    ///
    /// Web pages come as URLs, to `onOpenURL(perform:)`: the type `NSUserActivityTypeBrowsingWeb` has no effect here.
    @discardableResult
    public func onContinueUserActivity(
        _ activityType: String, perform action: @escaping (NSUserActivity) -> Void
    ) -> Self {
        guard activityType != NSUserActivityTypeBrowsingWeb else {
            ActivityCenter.current.log(
                "onContinueUserActivity is not called for \(activityType); onOpenURL is given the page's URL")
            return self
        }
        let view = ViewReference(self)
        viewLifetime.change { $0.continue(activityType, in: view, action: action) }
        return self
    }

    /// Calls `action` on the main thread with a URL that the app is to open in the view's window: that of a web page of a site
    /// which the app goes on for. Several views of the window are asked one after another, in the order in which they declared
    /// it. The URL comes from outside.
    @discardableResult
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> Self {
        let view = ViewReference(self)
        viewLifetime.change { $0.openURLs(in: view, action: action) }
        return self
    }

    /// For which events the view's window is the place, while it is open: before any other for what it prefers, and before a
    /// new scene is opened for what it allows.
    ///
    /// The texts are looked for in the activity's `targetContentIdentifier`, or else its `webpageURL`, or in the URL. Upper
    /// and lower case and diacritics make no difference. `"*"` stands for every event, an empty text for none. The window
    /// counts only for what one of its views has a handler for. In an app with one scene it takes everything.
    @discardableResult
    public func handlesExternalEvents(preferring: Set<String>, allowing: Set<String>) -> Self {
        let view = ViewReference(self)
        viewLifetime.change { $0.handleEvents(in: view, preferring: preferring, allowing: allowing) }
        return self
    }
}
