// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore
import HandoffWire

/// Unity's `LauncherEntry`, for Plasma's task manager and Dash to Dock.
final class LauncherBadges: DesktopFeature {
    /// Launchers own it.
    static let launcher = "com.canonical.Unity"
    static let interface = "com.canonical.Unity.LauncherEntry"
    static let path = "/org/handoff/Handoff/Launcher"
    /// Apps with a badge, and those with one of their own.
    static let apps = 16

    private var settings: NotificationSettings
    private var offers: [ListedActivity] = []
    private var bus: BusConnection?
    private var watch: BusSlot?
    /// While there is a launcher.
    private var updates: BusSlot?
    private var shown: [String: Int] = [:]
    /// Entries whose app, or another program, shows a badge. A launcher has one for each app.
    private var taken: Set<String> = []

    init(_ settings: SettingsWatch) {
        self.settings = settings.settings.notifications
        settings.onChange { [weak self] in
            self?.settings = $0.notifications
            self?.show()
        }
    }

    // MARK: Launchers

    func busConnected(_ bus: BusConnection) {
        self.bus = bus
        do throws(BusFailure) {
            watch = try bus.watchName(Self.launcher) { [unowned self] owner in launcherChanged(isThere: owner != nil) }
        } catch {
            Complaint.say("cannot look for a launcher: \(error.sentence)")
        }
    }

    func busDisconnected() {
        (bus, watch) = (nil, nil)
        launcherChanged(isThere: false)
    }

    private func launcherChanged(isThere: Bool) {
        (updates, shown, taken) = (nil, [:], [])
        guard isThere, let bus else { return }
        do throws(BusFailure) {
            updates = try bus.onSignal(Self.interface, "Update", "sa{sv}") { [unowned self] in others($0) }
            show()
        } catch {
            Complaint.say("no badges are shown, because those of other programs are unknown: \(error.sentence)")
        }
    }

    /// A launcher shows the latest badge of an app, and ours would replace the count of its unread messages.
    private func others(_ message: BusMessage) {
        guard message.sender != bus?.uniqueName, let entry = message[0]?.text,
            let isVisible = message[1]?.properties?["count-visible"]?.flag
        else { return }
        if isVisible {
            guard taken.count < Self.apps else { return }
            taken.insert(entry)
            shown[entry] = nil
        } else if taken.remove(entry) != nil {
            show()
        }
    }

    // MARK: Badges

    func offersChanged(_ offers: [ListedActivity]) {
        self.offers = offers
        show()
    }

    /// Plasma forgets only one badge of a program that leaves the bus.
    func withdraw() { offersChanged([]) }

    private func show() {
        guard updates != nil else { return }
        let counts = counts()
        for entry in shown.keys.sorted() where counts[entry] == nil {
            shown[entry] = nil
            tell(entry, ["count": .int64(0), "count-visible": .boolean(false)])
        }
        for (entry, count) in counts.sorted(by: { $0.key < $1.key }) where shown[entry] != count {
            let isNew = shown.updateValue(count, forKey: entry) == nil
            tell(entry, ["count": .int64(Int64(count))].merging(isNew ? ["count-visible": .boolean(true)] : [:]) { $1 })
        }
    }

    /// For the apps with the newest offers.
    private func counts() -> [String: Int] {
        var counts: [String: Int] = [:]
        for activity in offers where activity.isContinuedByOneClick && settings.level(for: activity) != .off {
            guard case .app(let bundle) = activity.target else { continue }
            // The identifier of an app in a desktop entry is the entry's.
            let entry = "application://\(bundle.desktopEntry ?? bundle.name).desktop"
            guard !taken.contains(entry), counts[entry] != nil || counts.count < Self.apps else { continue }
            counts[entry, default: 0] += 1
        }
        return counts
    }

    private func tell(_ entry: String, _ properties: [String: BusValue]) {
        bus?.emit(Self.path, Self.interface, "Update", [.string(entry), .properties(properties)])
    }
}
