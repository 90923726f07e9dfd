// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffClient
import HandoffCore
import HandoffStrings
import HandoffWire

/// KDE's `StatusNotifierItem`, which most desktops support. On the bus only if the desktop has a tray.
final class Tray: DesktopFeature {
    static let watcher = "org.kde.StatusNotifierWatcher"
    private static let watcherPath = "/StatusNotifierWatcher"
    /// Then an open menu is considered closed: not every host reports that.
    static let longestLook = Duration.seconds(60)
    /// For the desktop's activation token.
    static let tokenLife = Duration.seconds(10)

    private var preference: TrayPreference
    private let longestLook: Duration
    private let daemon: DaemonClient
    private let icons: AppIcons
    private let loop: BusLoop
    private let continuing: ActivityContinuing
    private let window: HandoffWindow
    private let strings: DesktopStrings

    private var offers: [ListedActivity] = []
    private var lines = TrayLines()
    private var bus: BusConnection?
    private var watches: [BusSlot] = []
    private var shown: (item: TrayItem, menu: TrayMenu)?
    private var closing: LoopWatch?
    private var token: (given: ActivationToken, end: LoopWatch)?

    init(
        _ settings: SettingsWatch, daemon: DaemonClient, icons: AppIcons, continuing: ActivityContinuing,
        window: HandoffWindow, longestLook: Duration = Tray.longestLook, strings: DesktopStrings, on loop: BusLoop
    ) {
        self.daemon = daemon
        self.icons = icons
        self.longestLook = longestLook
        preference = settings.settings.tray
        self.continuing = continuing
        self.window = window
        self.strings = strings
        self.loop = loop
        settings.onChange { [weak self] in self?.preferenceChanged($0.tray) }
        icons.changed = { [weak self] in self?.shown?.menu.changed() }
    }

    // MARK: Hosts

    func busConnected(_ bus: BusConnection) {
        self.bus = bus
        lookForWatcher()
    }

    private func preferenceChanged(_ preference: TrayPreference) {
        guard preference != self.preference else { return }
        self.preference = preference
        withdraw()
        lookForWatcher()
    }

    private func lookForWatcher() {
        guard let bus, preference != .off else { return }
        do throws(BusFailure) {
            watches = [
                try bus.watchName(Self.watcher) { [unowned self] owner in watcherChanged(isThere: owner != nil) },
                try bus.onSignal(
                    Self.watcher, "StatusNotifierHostRegistered", "", from: Self.watcher, path: Self.watcherPath
                ) { [unowned self] _ in register() },
            ]
        } catch {
            Complaint.say("cannot look for a tray: \(error.sentence)")
        }
    }

    func busDisconnected() {
        bus = nil
        withdraw()
    }

    /// Hosts remove the icon when its name has no owner.
    private func withdraw() {
        watches = []
        if shown != nil { bus?.releaseName(Self.name) }
        shown = nil
        look(false)
    }

    private func watcherChanged(isThere: Bool) {
        guard isThere else { return look(false) }
        guard preference == .automatic else { return register() }
        let question = BusCall.property(
            "IsStatusNotifierHostRegistered", of: Self.watcher, at: Self.watcherPath, on: Self.watcher)
        bus?.call(question) { [weak self] result in
            guard case .success(let answer) = result, answer[0]?.flag == true else { return }
            self?.register()
        }
    }

    /// For each new watcher and host. Registering twice has no effect.
    private func register() {
        guard let bus, show(on: bus) else { return }
        let name = Self.name
        bus.requestName(name) { [weak self] result in
            if case .failure(let failure) = result { return Complaint.say(failure.sentence) }
            guard let self, shown != nil else { return }
            self.bus?.tell(
                BusCall(
                    Self.watcher, Self.watcherPath, Self.watcher, "RegisterStatusNotifierItem", [.string(name)],
                    mayStart: false))
        }
    }

    static var name: String { "org.kde.StatusNotifierItem-\(getpid())-1" }

    private func show(on bus: BusConnection) -> Bool {
        if shown != nil { return true }
        do throws(BusFailure) {
            let (item, menu) = (
                try TrayItem(content, strings, on: bus), try TrayMenu(on: bus)
            )
            menu.items = { [unowned self] in
                let now = WallTime.now
                return lines.entries.map { ($0.number, $0.entry.properties(strings.current, icons, at: now)) }
            }
            menu.happened = { [unowned self] in happened($0) }
            item.happened = { [unowned self] in happened($0) }
            shown = (item, menu)
            menu.changed()
            return true
        } catch {
            Complaint.say("cannot show an icon in the tray: \(error.sentence)")
            return false
        }
    }

    // MARK: Content

    func offersChanged(_ offers: [ListedActivity]) {
        self.offers = offers
        change { $0.offered(offers) }
    }

    func policyChanged(_ policy: PolicySummary?) { change { $0.ruled(policy) } }

    private func change(_ body: (inout TrayLines) -> Void) {
        body(&lines)
        // Changes could cover an open menu.
        if !lines.isOpen { shown?.item.content = content }
        shown?.menu.changed()
    }

    private var content: TrayItem.Content { .init(count: lines.count, pausedUntil: lines.policy?.pausedUntil) }

    private func look(_ isOpen: Bool) {
        closing = isOpen ? loop.after(longestLook) { [unowned self] in look(false) } : nil
        guard lines.isOpen != isOpen else { return }
        change { lines in
            lines.opened(isOpen)
            lines.offered(offers)
        }
    }

    // MARK: User actions

    private func happened(_ event: TrayMenu.Event) {
        switch event {
        case .aboutToOpen:
            // If it seems open, the host did not report its closing.
            look(false)
            look(true)
        case .opened: look(true)
        case .closed: look(false)
        case .pressed(let number):
            let press = lines.pressed(number)
            // The host may not report the closing.
            look(false)
            switch press {
            case .window(let page): window.open(page, activationToken: takeToken())
            case .pause(let pause): set(lines.policy?.pausing(pause, at: .now) ?? [])
            case .resume: set(lines.policy?.resuming ?? [])
            case .activity(let activity):
                continuing.start(.init(activity.key, activity, activationToken: takeToken()))
            case nil: break
            }
        }
    }

    private func happened(_ event: TrayItem.Event) {
        switch event {
        case .pressed: window.open(activationToken: takeToken())
        case .activationToken(let text):
            guard let given = try? ActivationToken(text) else { return }
            token = (given, loop.after(Self.tokenLife) { [unowned self] in token = nil })
        }
    }

    private func takeToken() -> ActivationToken? {
        defer { token = nil }
        return token?.given
    }
}

extension Tray {
    // MARK: Pausing

    private func set(_ changes: [PolicyChange]) {
        for change in changes {
            daemon.request(.policy(.setPolicy(change))) { result in
                if case .failure(let failure) = result { Complaint.say("cannot pause or resume: \(failure.code)") }
            }
        }
    }
}
