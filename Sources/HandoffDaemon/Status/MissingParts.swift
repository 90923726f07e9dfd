// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

extension MissingPart {
    static let serviceManager = MissingPart(
        "systemd's user manager", loss: "nothing starts Handoff at log-in, or restarts it after a crash")
    static let ipv6 = MissingPart("IPv6", loss: "devices are found and reached by IPv4 only")
}

extension Set<DesktopPart>? {
    /// Nil: handoff-bus is not connected.
    var missing: [MissingPart] {
        guard let self else {
            return [
                MissingPart(
                    "a session bus with handoff-bus",
                    loss:
                        "no notifications, tray or search, no programs over D-Bus, and a locked screen is not detected")
            ]
        }
        return DesktopPart.allCases.filter(self.contains).map { part in
            switch part {
            case .sessionBus:
                MissingPart("a session bus", loss: "no notifications, tray or search, and no programs over D-Bus")
            case .notificationServer:
                MissingPart(
                    "a notification server", loss: "activities that other devices offer or send are not announced")
            case .tray: MissingPart("a tray (StatusNotifierWatcher)", loss: "the icon with its menu is not shown")
            case .screenLock:
                MissingPart(
                    "a program that reports a locked screen (systemd-logind or a screen saver)",
                    loss: "activities here stay offered while the screen is locked")
            }
        }
    }
}
