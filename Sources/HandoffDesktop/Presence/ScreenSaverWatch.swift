// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus

final class ScreenSaverWatch {
    /// `name` is also the interface.
    private struct Saver {
        let name: String
        let path: String
    }

    private static let all = [
        Saver(name: "org.cinnamon.ScreenSaver", path: "/org/cinnamon/ScreenSaver"),
        Saver(name: "org.freedesktop.ScreenSaver", path: "/org/freedesktop/ScreenSaver"),
        Saver(name: "org.gnome.ScreenSaver", path: "/org/gnome/ScreenSaver"),
        Saver(name: "org.mate.ScreenSaver", path: "/org/mate/ScreenSaver"),
        Saver(name: "org.xfce.ScreenSaver", path: "/org/xfce/ScreenSaver"),
    ]

    static let names = all.map(\.name)

    /// Nil if no program owns the name.
    var said: (_ name: String, _ isActive: Bool?) -> Void = { _, _ in }
    private var slots: [BusSlot] = []
    /// Unique names; signals from other senders are ignored.
    private var owners: [String: String] = [:]

    func busConnected(_ bus: BusConnection) {
        for saver in Self.all {
            do throws(BusFailure) {
                slots += [
                    try bus.onSignal(saver.name, "ActiveChanged", "b", from: saver.name) { [unowned self] in
                        guard $0.sender == owners[saver.name], let isActive = $0[0]?.flag else { return }
                        said(saver.name, isActive)
                    },
                    try bus.watchName(saver.name) { [unowned self, unowned bus] in
                        owners[saver.name] = $0
                        if $0 == nil { said(saver.name, nil) } else { ask(saver, on: bus) }
                    },
                ]
            } catch {
                said(saver.name, nil)
            }
        }
    }

    func busDisconnected() {
        (slots, owners) = ([], [:])
        for name in Self.names { said(name, nil) }
    }

    private func ask(_ saver: Saver, on bus: BusConnection) {
        let owner = owners[saver.name]
        bus.call(BusCall(saver.name, saver.path, saver.name, "GetActive", mayStart: false)) { [weak self] answer in
            guard let self, owners[saver.name] == owner else { return }
            // Some own the name without covering the screen.
            said(saver.name, (try? answer.get())?[0]?.flag ?? false)
        }
    }
}
