// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// Why a list of activities is empty, as far as the daemon knows: the likely reason, and what to do about it.
struct NoActivities {
    let status: DaemonStatus
    /// The list would have what is offered here and what cannot be continued here too.
    let all: Bool

    var sentence: String { "no activities: \(reason)" }

    private var reason: String {
        guard status.account != nil else {
            return "this device is in no account yet; run handoff account create, or handoff account join"
        }
        if let problem = status.policy.problem { return problem }
        // With `all`, what is not taken is listed with this very reason.
        if !all, let off = isOff(.receiving) { return off.clause }
        guard status.devicesKnown > 1 else {
            return "this account has no other device; add one with handoff account invite"
        }
        guard status.devicesConnected > 0 else { return "no other device of yours is connected" }
        if !all, status.activitiesOffered > 0 {
            return "nothing here can continue what your other devices offer; handoff activity list --all says why"
        }
        if all, let off = isOff(.advertising) { return "your other devices offer nothing, and here \(off.clause)" }
        return "your other devices offer nothing now"
    }

    /// The whole device.
    private func isOff(_ direction: HandoffDirection) -> PolicySwitch? {
        status.policy.off.first { $0.subject.direction == direction && $0.subject.bundle == nil }
    }
}
