// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// A session in which this user is logged in, as far as it tells whether they are at the device.
package struct LoginSession: Hashable, Sendable {
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// With windows, here or shown on another machine.
        case graphical
        /// Text on a screen of this device.
        case text
        /// Text on another machine, such as a log-in by ssh.
        case remote
    }

    package var id: String
    package var kind: Kind
    /// It has the screen; always where there is no seat whose screen it could have.
    package var isInFront: Bool
    package var isLocked: Bool
    package var isIdle: Bool

    package init(_ id: String, _ kind: Kind, isInFront: Bool = true, isLocked: Bool = false, isIdle: Bool = false) {
        self.id = id
        self.kind = kind
        self.isInFront = isInFront
        self.isLocked = isLocked
        self.isIdle = isIdle
    }

    /// By the words of systemd-logind. Nil: nobody works there, as in a session that ends, or in one of a greeter or a timer.
    package init?(
        _ id: String, type: String, class sessionClass: String, state: String, hasSeat: Bool, isActive: Bool,
        isLocked: Bool, isIdle: Bool
    ) {
        guard sessionClass.hasPrefix("user"), state != "closing" else { return nil }
        let isGraphical = ["x11", "wayland", "mir"].contains(type)
        self.init(
            id, isGraphical ? .graphical : hasSeat ? .text : .remote, isInFront: isActive, isLocked: isLocked,
            isIdle: isIdle)
    }

    /// Why nobody is at it; nil: somebody is.
    func absence(isScreenLocked: Bool) -> Presence? {
        if !isInFront { return .elsewhere }
        if isLocked || isScreenLocked { return .locked }
        return isIdle ? .idle : nil
    }
}
