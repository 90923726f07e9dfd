// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire

/// Handoff's own window, which the bus starts.
final class HandoffWindow: DesktopFeature {
    private static let name = "org.handoff.Handoff"
    private weak var bus: BusConnection?

    init() {}

    func busConnected(_ bus: BusConnection) { self.bus = bus }
    func busDisconnected() { bus = nil }

    func open(activationToken: ActivationToken? = nil) {
        var platform: [String: BusValue] = [:]
        if let activationToken {
            let token = BusValue.string(activationToken.text)
            platform = ["activation-token": token, "desktop-startup-id": token]
        }
        let activate = BusCall(
            Self.name, "/org/handoff/Handoff", "org.freedesktop.Application", "Activate", [.properties(platform)])
        bus?.call(activate) { result in
            if case .failure(let failure) = result { Complaint.say("cannot open the window: \(failure.name)") }
        }
    }
}
