// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
import HandoffClient
import HandoffWire

/// Reports the desktop's file history setting to the daemon.
final class PrivacyWatch: DesktopFeature {
    static let portal = "org.freedesktop.portal.Desktop"
    static let path = "/org/freedesktop/portal/desktop"
    static let interface = "org.freedesktop.portal.Settings"
    static let setting = (namespace: "org.gnome.desktop.privacy", key: "remember-recent-files")

    /// A portal that is starting, or waits for another program, may not answer.
    static let askAgain = Duration.seconds(60)

    private let daemon: DaemonClient
    private let loop: BusLoop
    private let patience: Duration
    private let askAgain: Duration
    private var waiting: LoopWatch?
    private var slots: [BusSlot] = []
    private var owner: String?
    /// Stays when the portal ends, because the user's choice does.
    private var remembers: Bool?

    init(
        _ daemon: DaemonClient, patience: Duration = BusLimits.answerTime, askAgain: Duration = PrivacyWatch.askAgain,
        on loop: BusLoop
    ) {
        self.daemon = daemon
        self.patience = patience
        self.askAgain = askAgain
        self.loop = loop
    }

    func busConnected(_ bus: BusConnection) {
        do throws(BusFailure) {
            slots = [
                try bus.onSignal(Self.interface, "SettingChanged", "ssv", from: Self.portal) { [unowned self] in
                    guard $0.sender == owner, $0[0]?.text == Self.setting.namespace, $0[1]?.text == Self.setting.key
                    else { return }
                    said($0[2])
                },
                try bus.watchName(Self.portal) { [unowned self, unowned bus] in
                    owner = $0
                    waiting = nil
                    if $0 != nil { ask(bus) }
                },
            ]
        } catch {
            Complaint.say("cannot follow the desktop's privacy settings: \(error.sentence)")
        }
    }

    func busDisconnected() { (slots, owner, waiting) = ([], nil, nil) }
    func daemonConnected(_ welcome: Welcome) { tell() }

    private func ask(_ bus: BusConnection) {
        let (namespace, key) = Self.setting
        let question = BusCall(
            Self.portal, Self.path, Self.interface, "Read", [.string(namespace), .string(key)], mayStart: false)
        bus.call(question, within: patience) { [weak self, weak bus] answer in
            guard let self else { return }
            switch answer {
            case .success(let answer): said(answer[0])
            case .failure(let failure) where failure.name == BusFailure.noReply:
                waiting = loop.after(askAgain) { [weak self, weak bus] in
                    if let self, let bus, owner != nil { ask(bus) }
                }
            // Other desktops have no such setting.
            case .failure: break
            }
        }
    }

    private func said(_ value: BusValue?) {
        guard let remembers = value?.flag, remembers != self.remembers else { return }
        self.remembers = remembers
        tell()
    }

    private func tell() {
        guard let remembers, daemon.isConnected else { return }
        daemon.request(.history(.setDesktopPrivacy(forgets: !remembers))) { _ in }
    }
}
