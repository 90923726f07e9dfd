// SPDX-License-Identifier: Apache-2.0

import HandoffCore
internal import HandoffWire

struct LoginSession: Hashable, Sendable {
    enum Kind: Hashable, Sendable, CaseIterable {
        /// Here or shown on another machine.
        case graphical
        case text
        /// Text on another machine, such as ssh.
        case remote
    }

    var id: String
    var kind: Kind
    /// Has the screen; always true without a seat.
    var isInFront: Bool
    var isLocked: Bool
    var isIdle: Bool

    init(_ id: String, _ kind: Kind, isInFront: Bool = true, isLocked: Bool = false, isIdle: Bool = false) {
        self.id = id
        self.kind = kind
        self.isInFront = isInFront
        self.isLocked = isLocked
        self.isIdle = isIdle
    }

    /// Nil if it is ending or belongs to a greeter or a timer.
    init?(
        _ id: String, type: String, class sessionClass: String, state: String, hasSeat: Bool, isActive: Bool,
        isLocked: Bool, isIdle: Bool
    ) {
        guard sessionClass.hasPrefix("user"), state != "closing" else { return nil }
        let isGraphical = ["x11", "wayland", "mir"].contains(type)
        self.init(
            id, isGraphical ? .graphical : hasSeat ? .text : .remote, isInFront: isActive, isLocked: isLocked,
            isIdle: isIdle)
    }

    func absence(isScreenLocked: Bool) -> Presence? {
        if !isInFront { return .elsewhere }
        if isLocked || isScreenLocked { return .locked }
        return isIdle ? .idle : nil
    }
}
