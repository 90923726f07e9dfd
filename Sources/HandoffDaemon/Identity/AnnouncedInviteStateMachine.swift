// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Devices that chose this device from their list. Any device on the network can ask, so these questions have a limit
/// apart from those about the typed code, which must keep working.
struct AnnouncedInviteStateMachine {
    private var state = State.open
    private var questionsLeft = AnnouncedInviteLimits.questions
    private var waiting: [Waiting] = []
    private var paces = Paces<String>(AnnouncedInviteLimits.questionsPerHost, most: InviteLimits.sources)

    private enum State {
        /// Can transition to: ended.
        case open
        /// The admitted device may ask again: the answer may have been lost.
        case ended(admitted: DeviceID?)
    }

    private struct Waiting {
        let device: DeviceID
        let host: String
        let deadline: Instant
    }

    var isAnnounced: Bool {
        if case .open = state { questionsLeft > 0 } else { false }
    }

    var nextDeadline: Instant? { waiting.map(\.deadline).min() }

    enum Refusal: Hashable, Sendable {
        /// This device or this address already waits, or too many do.
        case busy
        case tooOften
        case usedUp
    }

    enum JoinAction: Hashable, Sendable {
        /// Compare numbers, ask the inviter, then call `decided` or `left`.
        case compare
        case admitAgain
        case refuse(Refusal)
    }

    mutating func joinRequested(by device: DeviceID, at host: String, now: Instant) -> JoinAction {
        if case .ended(let admitted) = state { return admitted == device ? .admitAgain : .refuse(.usedUp) }
        guard questionsLeft > 0 else { return .refuse(.usedUp) }
        guard waiting.count < AnnouncedInviteLimits.waiting,
            !waiting.contains(where: { $0.device == device || $0.host == host })
        else { return .refuse(.busy) }
        guard paces.take(host, at: now) else { return .refuse(.tooOften) }
        questionsLeft -= 1
        waiting.append(Waiting(device: device, host: host, deadline: now.advanced(by: InviteLimits.decision)))
        return .compare
    }

    mutating func left(_ device: DeviceID) { waiting.removeAll { $0.device == device } }

    mutating func decided(_ device: DeviceID, now: Instant) -> Bool {
        guard case .open = state, waiting.contains(where: { $0.device == device && now < $0.deadline }) else {
            return false
        }
        left(device)
        return true
    }

    mutating func deadlineReached(now: Instant) -> [DeviceID] {
        let late = waiting.filter { $0.deadline <= now }.map(\.device)
        waiting.removeAll { $0.deadline <= now }
        return late
    }

    mutating func inviteEnded(admitted: DeviceID?) {
        guard case .open = state else { return }
        state = .ended(admitted: admitted)
        waiting = []
    }
}

enum AnnouncedInviteLimits {
    static let interval = Duration.seconds(1)
    /// The admitted device may ask again.
    static let memory = Duration.seconds(30)
    /// A man in the middle has one chance in a million at each.
    static let questions = 16
    /// Devices whose numbers are shown at once.
    static let waiting = 4
    /// Per address. Per network, a neighbour would slow down every device.
    static let questionsPerHost = PaceLimit(burst: 2, spacing: .seconds(20))
}
