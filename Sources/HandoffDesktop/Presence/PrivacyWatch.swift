// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
import HandoffClient
import HandoffWire

/// Tells the daemon when the user has switched off the desktop's file history. The desktop's portal passes the setting on.
final class PrivacyWatch: DesktopFeature {
    static let portal = "org.freedesktop.portal.Desktop"
    static let path = "/org/freedesktop/portal/desktop"
    static let interface = "org.freedesktop.portal.Settings"
    static let setting = (namespace: "org.gnome.desktop.privacy", key: "remember-recent-files")

    private let daemon: DaemonClient
    private var slots: [BusSlot] = []
    private var owner: String?
    /// Stays when the portal ends, because the user's choice does.
    private var remembers: Bool?

    init(_ daemon: DaemonClient) { self.daemon = daemon }

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
                    if $0 != nil { ask(bus) }
                },
            ]
        } catch {
            Complaint.say("cannot follow the desktop's privacy settings: \(error.sentence)")
        }
    }

    func busDisconnected() { (slots, owner) = ([], nil) }
    func daemonConnected(_ welcome: Welcome) { tell() }

    private func ask(_ bus: BusConnection) {
        let (namespace, key) = Self.setting
        let question = BusCall(
            Self.portal, Self.path, Self.interface, "Read", [.string(namespace), .string(key)], mayStart: false)
        bus.call(question) { [weak self] answer in
            // Other desktops have no such setting.
            if let self, case .success(let answer) = answer { said(answer[0]) }
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
