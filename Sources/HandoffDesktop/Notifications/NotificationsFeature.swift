// SPDX-License-Identifier: Apache-2.0

internal import Glibc
import HandoffBus
import HandoffClient
import HandoffCore
internal import HandoffIcons
import HandoffWire

final class NotificationsFeature: DesktopFeature {
    private let loop: BusLoop
    private let continuation: DesktopContinuation
    private let server: NotificationServer
    private let icons: AppIcons
    private let strings: DesktopStrings
    private let seenFile: SeenOffersFile
    private var machine: NotifyingStateMachine
    private let settings: SettingsWatch
    private var alarm: LoopWatch?
    private var token: ActivationToken?

    init(
        _ daemon: DaemonClient, locations: Locations, settings: SettingsWatch, icons: AppIcons,
        limits: NotifyingLimits = NotifyingLimits(), answerTime: Duration = NotificationServer.answerTime,
        strings: DesktopStrings, on loop: BusLoop
    ) {
        self.loop = loop
        self.strings = strings
        self.settings = settings
        self.icons = icons
        server = NotificationServer(answerTime: answerTime)
        continuation = DesktopContinuation(by: daemon)
        seenFile = SeenOffersFile(locations)
        machine = NotifyingStateMachine(
            limits: limits, settings: settings.settings.notifications, seen: seenFile.read())
        settings.onChange { [weak self] in self?.settingsChanged($0.notifications) }
        server.changed = { [unowned self] in carryOut(machine.serverChanged(at: .now)) }
        server.closed = { [unowned self] id in carryOut(machine.closed(id, at: .now)) }
        server.inhibitionChanged = { [unowned self] isInhibited in
            carryOut(machine.inhibitionChanged(isInhibited, at: .now))
        }
        server.failed = { Complaint.say("cannot receive signals from the notification server: \($0)") }
        server.acted = { [unowned self] id, action, token in
            switch action {
            case NoticeMessage.action, NotificationServer.defaultAction:
                // Without a valid token, the app still starts.
                self.token = token.flatMap { try? ActivationToken($0) }
                carryOut(machine.pressed(id, at: .now))
            case NoticeMessage.fewerAction: carryOut(machine.fewerPressed(id))
            default: break
            }
        }
    }

    // MARK: Events

    func busConnected(_ bus: BusConnection) { server.busConnected(bus) }
    func busDisconnected() { server.busDisconnected() }

    func offersChanged(_ offers: [ListedActivity]) { carryOut(machine.offersChanged(offers, at: .now)) }

    func presenceChanged(isAway: Bool) { carryOut(machine.presenceChanged(isAway: isAway, at: .now)) }

    /// Elsewhere on the desktop.
    func continued(_ key: ListedActivity.Key) {
        carryOut(machine.continued(OfferKey(device: key.device, activity: key.activity), at: .now))
    }

    func failed(_ activity: ListedActivity, _ failure: Failure) {
        carryOut(machine.failed(activity, failure, at: .now))
    }

    private func settingsChanged(_ settings: NotificationSettings) {
        carryOut(machine.settingsChanged(settings, at: .now))
    }

    // MARK: Carrying out

    private func carryOut(_ actions: [NotifyingStateMachine.Action]) {
        for action in actions { carryOut(action) }
        alarm = machine.nextDeadline.map { due in
            loop.after(max(.zero, Instant.now.duration(to: due))) { [unowned self] in
                carryOut(machine.deadlineReached(at: .now))
            }
        }
    }

    private func carryOut(_ action: NotifyingStateMachine.Action) {
        switch action {
        case .show(let notice, let ticket, let replaced):
            let icon = icons.icon(of: notice.activity)
            let picture = icons.composed(of: notice.activity)?.busPixels
            let arguments = { [strings] server in
                NoticeMessage(notice, for: server, icon: icon, picture: picture, strings.current)
                    .body(replacing: replaced)
            }
            server.show(arguments) { [unowned self] id in
                carryOut(id.map { machine.shown(ticket, as: $0, at: .now) } ?? machine.notShown(ticket, at: .now))
            }
        case .close(let id): server.close(id)
        case .goOn(let activity):
            continuation.start(.init(activity, activationToken: token)) { [unowned self] result in
                let key = OfferKey(activity)
                switch result {
                case .success: carryOut(machine.continued(key, at: .now))
                case .failure(let failure): carryOut(machine.notContinued(key, failure, at: .now))
                }
            }
        case .silence(let activity): silence(activity)
        case .keepSeen: seenFile.write(machine.seen)
        }
    }
}

extension NotificationsFeature {
    /// The change is reported like any other of the settings.
    private func silence(_ activity: ListedActivity) {
        let key = settings.settings.notifications.key(ofDevice: activity.device, named: activity.deviceName)
        guard let reason = settings.set(key, to: .text(NotificationLevel.off.rawValue)) else { return }
        carryOut(machine.notSilenced(activity, reason: reason, at: .now))
    }
}

extension Instant {
    /// Also runs while the machine sleeps.
    fileprivate static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Instant(sinceZero: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
    }
}
