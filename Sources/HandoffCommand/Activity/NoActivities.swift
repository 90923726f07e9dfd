// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// The likely reason, as far as the daemon knows, with advice.
struct NoActivities {
    let status: DaemonStatus
    /// The list would also contain this device's offers, and activities that cannot be continued here.
    let all: Bool

    var sentence: String { "no activities: \(reason)" }

    private var reason: String {
        guard status.account != nil else {
            return "this device is not in an account yet; run handoff account create, or handoff account join"
        }
        if let problem = status.policy.problem { return problem }
        // With `all`, each excluded activity is listed with this reason.
        if !all, let off = isOff(.receiving) { return off.clause }
        guard status.devicesKnown > 1 else {
            return "this account has no other device; add one with handoff account invite"
        }
        guard status.devicesConnected > 0 else { return "no other device of yours is connected" }
        if !all, status.activitiesOffered > 0 {
            return "nothing here can continue what your other devices offer; run handoff activity list --all to see why"
        }
        if all, let off = isOff(.advertising) { return "your other devices offer nothing, and here \(off.clause)" }
        return "your other devices offer nothing now"
    }

    private func isOff(_ direction: HandoffDirection) -> PolicySwitch? {
        status.policy.off.first { $0.subject.direction == direction && $0.subject.bundle == nil }
    }
}
