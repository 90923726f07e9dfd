// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff

/// What the views of a window have declared, carried out: the activity that they offer is made, filled and ended, and an
/// event is given to them.
@MainActor
final class WindowHooks: UserActivityUpdating {
    typealias Table = HookTable<ViewReference, (NSUserActivity) -> Void, (URL) -> Void>

    /// Holds the activity that the views offer.
    let slot = ActivitySlot()
    private(set) weak var window: UIWindow?
    /// Of the window itself, where it is used as a view.
    private(set) lazy var ownLifetime = HandoffViewLifetime(in: window)

    private var table = Table()
    /// Views are putting their state in.
    private var isUpdating = false
    /// The keys of what they put in last.
    private var ownKeys: Set<AnyHashable> = []

    init(of window: UIWindow) {
        self.window = window
        slot.holder = self
    }

    // MARK: What the views declare

    func change(advertising type: String?, _ body: (inout Table) -> Void) {
        let before = table
        var declared = table
        body(&declared)
        table = declared
        // What goes with an action of before may be a view's lifetime, which looks at the table.
        defer { withExtendedLifetime(before) {} }
        let isAnother = before.advertised?.type != declared.advertised?.type
        guard isAnother || (type != nil && type == declared.advertised?.type) else { return }
        // What an update says of its own activity is in it already.
        if !isUpdating || isAnother { refresh() }
    }

    func add(_ declared: Table) {
        table.add(declared)
        refresh()
    }

    /// What the views of that lifetime have declared, which is over here.
    func take(from lifetime: HandoffViewLifetime) -> Table {
        let id = ObjectIdentifier(lifetime)
        let isOffering = table.advertised != nil
        var declared = table
        let taken = declared.take { $0.lifetime == id }
        table = declared
        if isOffering { refresh() }
        return taken
    }

    // MARK: What the toolkit tells

    func windowOpened() { refresh() }

    /// The views are gone with it.
    func windowClosed() {
        let before = table
        table = Table()
        refresh()
        withExtendedLifetime(before) {}
    }

    // MARK: Offering

    /// What is offered is another activity, or the state of the same one.
    private func refresh() {
        guard let application = window?.openedBy?.application, let center = application.center,
            let advertised = table.advertised
        else {
            slot.activity = nil
            return
        }
        // An update that has another activity offered would call itself without an end.
        guard !isUpdating else { return application.onMainThread { [weak self] in self?.refresh() } }
        let activity =
            slot.activity.flatMap { $0.activityType == advertised.type && !$0.isInvalidated ? $0 : nil }
            ?? NSUserActivity(activityType: advertised.type, center: center)
        activity.userInfo = [:]
        update(activity, by: advertised.updates)
        ownKeys = Set((activity.userInfo ?? [:]).keys)
        // For what changes without a word of it until another device wants the activity.
        activity.needsSave = true
        // One of the updates may have ended it.
        guard window?.isOpen == true, table.advertised?.type == activity.activityType else { return }
        slot.activity = activity
    }

    private func update(_ activity: NSUserActivity, by updates: [(NSUserActivity) -> Void]) {
        isUpdating = true
        defer { isUpdating = false }
        for update in updates { update(activity) }
    }

    func updateUserActivityState(_ userActivity: NSUserActivity) {
        guard let advertised = table.advertised, advertised.type == userActivity.activityType else { return }
        // What views do not put in any more is not to stay. What others have put in is.
        if let userInfo = userActivity.userInfo, userInfo.keys.contains(where: ownKeys.contains) {
            userActivity.userInfo = userInfo.filter { !ownKeys.contains($0.key) }
        }
        update(userActivity, by: advertised.updates)
    }

    // MARK: What comes from outside

    func handles(activityType: String) -> Bool { table.handles(activityType: activityType) }

    /// Nil if no view has a handler for it.
    func claim(on event: ExternalEvent) -> EventClaim? {
        table.views(handling: event).isEmpty ? nil : table.claim(on: event)
    }

    /// Asks all views that have a handler for it. False if there is none. `activity`: nil if the event is none.
    func perform(_ event: ExternalEvent, with activity: NSUserActivity?) -> Bool {
        var isHandled = false
        for view in table.views(handling: event) {
            // A view that went by what another one did is not asked any more.
            switch (table.action(of: view, for: event), activity) {
            case (.activity(let action), let activity?): action(activity)
            case (.url(let action, let url), _): action(url)
            case (.activity, nil), (nil, _): continue
            }
            isHandled = true
        }
        return isHandled
    }
}

extension UIWindow {
    /// Where the main-window rule looks, in this order: what the views offer is nearer to the user than what the window does.
    var slotsFromFirstResponder: [ActivitySlot] {
        let chain = (firstResponder ?? self).chain
        let slots = chain.flatMap { $0 === self ? [hooks.slot, slot] : [$0.slot] }
        return chain.contains(self) ? slots : slots + [hooks.slot]
    }

    /// The tree of controllers within what the views offer.
    func shown(_ root: ViewState<ActivityReference>?) -> ViewState<ActivityReference>? {
        guard let offered = ActivityReference(of: hooks.slot) else { return root }
        return ViewState(presence: .shown, activity: offered, children: root.map { [$0] } ?? [])
    }
}
