// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff

/// Manages the activity of a window's views and delivers events to them.
@MainActor
final class WindowHooks: UserActivityUpdating {
    typealias Table = HookTable<ViewReference, (NSUserActivity) -> Void, (URL) -> Void>

    let slot = ActivitySlot()
    private(set) weak var window: UIWindow?
    /// For the window as a view.
    private(set) lazy var ownLifetime = HandoffViewLifetime(in: window)

    private var table = Table()
    private var isUpdating = false
    /// From the views' last updates.
    private var ownKeys: Set<AnyHashable> = []

    init(of window: UIWindow) {
        self.window = window
        slot.holder = self
    }

    // MARK: Declarations

    func change(advertising type: String?, _ body: (inout Table) -> Void) {
        let before = table
        var declared = table
        body(&declared)
        table = declared
        // An old action may own a view's lifetime, whose `deinit` reads the table.
        defer { withExtendedLifetime(before) {} }
        let isAnother = before.advertised?.type != declared.advertised?.type
        guard isAnother || (type != nil && type == declared.advertised?.type) else { return }
        // The running update has already changed its own activity.
        if !isUpdating || isAnother { refresh() }
    }

    func add(_ declared: Table) {
        table.add(declared)
        refresh()
    }

    func take(from lifetime: HandoffViewLifetime) -> Table {
        let id = ObjectIdentifier(lifetime)
        let isOffering = table.advertised != nil
        var declared = table
        let taken = declared.take { $0.lifetime == id }
        table = declared
        if isOffering { refresh() }
        return taken
    }

    // MARK: Events from the toolkit

    func windowOpened() { refresh() }

    func windowClosed() {
        let before = table
        table = Table()
        refresh()
        withExtendedLifetime(before) {}
    }

    // MARK: Offering

    private func refresh() {
        guard let application = window?.openedBy?.application, let center = application.center,
            let advertised = table.advertised
        else {
            slot.activity = nil
            return
        }
        // An update that changes the offered activity would recurse endlessly.
        guard !isUpdating else { return application.onMainThread { [weak self] in self?.refresh() } }
        let activity =
            slot.activity.flatMap { $0.activityType == advertised.type && !$0.isInvalidated ? $0 : nil }
            ?? NSUserActivity(activityType: advertised.type, center: center)
        activity.userInfo = [:]
        update(activity, by: advertised.updates)
        ownKeys = Set((activity.userInfo ?? [:]).keys)
        // Covers changes that the views do not declare before a request.
        activity.needsSave = true
        // An update may have ended the activity or closed the window.
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
        // Remove entries that the views no longer add; keep those of other owners.
        if let userInfo = userActivity.userInfo, userInfo.keys.contains(where: ownKeys.contains) {
            userActivity.userInfo = userInfo.filter { !ownKeys.contains($0.key) }
        }
        update(userActivity, by: advertised.updates)
    }

    // MARK: Events from outside

    func handles(activityType: String) -> Bool { table.handles(activityType: activityType) }

    func claim(on event: ExternalEvent) -> EventClaim? {
        table.views(handling: event).isEmpty ? nil : table.claim(on: event)
    }

    /// False without a handler. `activity`: nil for a URL.
    func perform(_ event: ExternalEvent, with activity: NSUserActivity?) -> Bool {
        var isHandled = false
        for view in table.views(handling: event) {
            // An action may have removed a later view.
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
    /// By the main-window rule, views are closer to the user than the window.
    var slotsFromFirstResponder: [ActivitySlot] {
        let chain = (firstResponder ?? self).chain
        let slots = chain.flatMap { $0 === self ? [hooks.slot, slot] : [$0.slot] }
        return chain.contains(self) ? slots : slots + [hooks.slot]
    }

    func shown(_ root: ViewState<ActivityReference>?) -> ViewState<ActivityReference>? {
        guard let offered = ActivityReference(of: hooks.slot) else { return root }
        return ViewState(presence: .shown, activity: offered, children: root.map { [$0] } ?? [])
    }
}
