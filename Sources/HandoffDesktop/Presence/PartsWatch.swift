// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffWire

final class PartsWatch {
    var changed: () -> Void = {}
    private(set) var missing: Set<DesktopPart> = []

    private let names = [DesktopPart.notificationServer: NotificationServer.name, .tray: Tray.watcher]
    private var isTrayWanted: Bool
    private var slots: [BusSlot] = []
    /// Names whose owners a call can start.
    private var startable: Set<String> = []
    private var absent: Set<DesktopPart> = []
    private var isConnected = false

    init(_ settings: SettingsWatch) {
        isTrayWanted = settings.settings.tray != .off
        settings.onChange { [weak self] in
            guard let self else { return }
            isTrayWanted = $0.tray != .off
            if isConnected { update() }
        }
    }

    func busConnected(_ bus: BusConnection) {
        (startable, absent, isConnected) = ([], [], true)
        do throws(BusFailure) {
            slots = try names.map { (part, name) throws(BusFailure) in
                try bus.watchName(name) { [unowned self] owner in
                    if owner == nil { absent.insert(part) } else { absent.remove(part) }
                    update()
                }
            }
        } catch {
            Complaint.say("cannot look for parts of the desktop: \(error.sentence)")
        }
        let question = BusCall(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListActivatableNames",
            mayStart: false)
        bus.call(question) { [weak self] answer in
            guard let self, let listed = (try? answer.get())?[0]?.elements else { return }
            startable = Set(listed.lazy.compactMap(\.text)).intersection(names.values)
            update()
        }
    }

    func busDisconnected() {
        slots = []
        isConnected = false
        missing = [.sessionBus]
        changed()
    }

    private func update() {
        // A user who disabled the icon does not miss it.
        let wanted = isTrayWanted ? absent : absent.subtracting([.tray])
        let now = wanted.filter { part in names[part].map { !startable.contains($0) } ?? false }
        guard now != missing else { return }
        missing = now
        changed()
    }
}
