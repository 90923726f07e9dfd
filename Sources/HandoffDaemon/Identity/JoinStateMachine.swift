// SPDX-License-Identifier: Apache-2.0

import HandoffCore

/// One attempt. Plain data, hence copyable.
struct JoinStateMachine: Hashable, Sendable {
    private var state = State.idle
    /// Chosen from a list, in which anyone can appear: this device's user must confirm the number too.
    private var mustConfirm = false
    /// Dialled if the chosen device does not answer at the present address.
    private var otherAddresses: [NetworkAddress] = []
    /// Numbers the dials, to ignore results of abandoned dials.
    private var lastDial = 0

    private enum State: Hashable, Sendable {
        /// Can transition to: searching, dialling.
        case idle
        /// Can transition to: dialling, idle.
        case searching(deadline: Instant)
        /// `searchDeadline`: nil if the user gave the address. Can transition to: dialling, asking, searching, idle.
        case dialling(Int, NetworkAddress, searchDeadline: Instant?)
        /// Can transition to: comparing, idle.
        case asking(NetworkAddress, deadline: Instant)
        /// The inviter decides. Can transition to: idle.
        case comparing(NetworkAddress, deadline: Instant, Confirmation)
    }

    private enum Confirmation: Hashable, Sendable {
        case notNeeded
        /// Can transition to: held, given.
        case pending
        /// The admission is here and waits for the user.
        case held
        case given
    }

    init() {}

    var isIdle: Bool { state == .idle }

    var isSearching: Bool {
        if case .searching = state { true } else { false }
    }

    var nextDeadline: Instant? {
        switch state {
        case .searching(let deadline), .asking(_, let deadline), .comparing(_, let deadline, _): deadline
        // `PeerNetwork` limits a dial's time.
        case .idle, .dialling: nil
        }
    }

    enum StartAction: Hashable, Sendable {
        case search
        case dial(NetworkAddress, id: Int)
        case refuse
    }

    mutating func joinRequested(
        address: NetworkAddress?, others: [NetworkAddress] = [], confirming: Bool = false, at now: Instant
    ) -> StartAction {
        guard isIdle else { return .refuse }
        mustConfirm = confirming
        otherAddresses = others
        guard let address else {
            state = .searching(deadline: now.advanced(by: JoinLimits.search))
            return .search
        }
        return .dial(address, id: dial(address, searchDeadline: nil))
    }

    enum FoundAction: Hashable, Sendable {
        case dial(NetworkAddress, id: Int)
        case nothing
    }

    mutating func inviterFound(at address: NetworkAddress) -> FoundAction {
        guard case .searching(let deadline) = state else { return .nothing }
        return .dial(address, id: dial(address, searchDeadline: deadline))
    }

    enum ConnectedAction: Hashable, Sendable {
        case ask
        case close
    }

    mutating func connected(dial id: Int, at now: Instant) -> ConnectedAction {
        guard case .dialling(id, let address, _) = state else { return .close }
        state = .asking(address, deadline: now.advanced(by: JoinLimits.answer))
        return .ask
    }

    enum DialFailedAction: Hashable, Sendable {
        /// The inviter may answer from another address.
        case search
        case dial(NetworkAddress, id: Int)
        case fail
        case nothing
    }

    mutating func dialFailed(_ id: Int, at now: Instant) -> DialFailedAction {
        guard case .dialling(id, _, let searchDeadline) = state else { return .nothing }
        if let searchDeadline, now < searchDeadline {
            state = .searching(deadline: searchDeadline)
            return .search
        }
        if !otherAddresses.isEmpty {
            let next = otherAddresses.removeFirst()
            return .dial(next, id: dial(next, searchDeadline: nil))
        }
        state = .idle
        return .fail
    }

    enum ComparisonAction: Hashable, Sendable {
        case open
        /// Unrequested or repeated.
        case violation
    }

    mutating func comparisonCame(at now: Instant) -> ComparisonAction {
        guard case .asking(let address, _) = state else { return .violation }
        state = .comparing(
            address, deadline: now.advanced(by: JoinLimits.decision), mustConfirm ? .pending : .notNeeded)
        return .open
    }

    enum AdmissionAction: Hashable, Sendable {
        case take(from: NetworkAddress)
        /// Keep it until `numberConfirmed`.
        case hold
        /// Repeated, or without the comparison that this device's user needs.
        case violation
        case ignore
    }

    mutating func admissionCame() -> AdmissionAction {
        switch state {
        case .asking(let address, _):
            state = .idle
            return mustConfirm ? .violation : .take(from: address)
        case .comparing(let address, let deadline, .pending):
            state = .comparing(address, deadline: deadline, .held)
            return .hold
        case .comparing(let address, _, let confirmation):
            state = .idle
            return confirmation == .held ? .violation : .take(from: address)
        case .idle, .searching, .dialling: return .ignore
        }
    }

    enum ConfirmationAction: Hashable, Sendable {
        case wait
        /// Take the held admission.
        case take(from: NetworkAddress)
        case nothing
    }

    mutating func numberConfirmed() -> ConfirmationAction {
        switch state {
        case .comparing(let address, let deadline, .pending):
            state = .comparing(address, deadline: deadline, .given)
            return .wait
        case .comparing(let address, _, .held):
            state = .idle
            return .take(from: address)
        case .idle, .searching, .dialling, .asking, .comparing: return .nothing
        }
    }

    mutating func numberRejected() -> Bool {
        switch state {
        case .comparing(_, _, .pending), .comparing(_, _, .held):
            state = .idle
            return true
        case .idle, .searching, .dialling, .asking, .comparing: return false
        }
    }

    enum AnswerAction: Hashable, Sendable {
        case take(from: NetworkAddress)
        case ignore
    }

    /// Any answer except an admission, or the member disconnected.
    mutating func answered() -> AnswerAction {
        switch state {
        // Only this device's user still decides.
        case .comparing(_, _, .held): return .ignore
        case .asking(let address, _), .comparing(let address, _, _):
            state = .idle
            return .take(from: address)
        case .idle, .searching, .dialling: return .ignore
        }
    }

    enum DeadlineAction: Hashable, Sendable {
        case nothing
        case failNotFound
        case failNotAnswered
        case failNotDecided
        /// By this device's user.
        case failNotConfirmed
    }

    mutating func deadlineReached(now: Instant) -> DeadlineAction {
        guard let deadline = nextDeadline, now >= deadline else { return .nothing }
        defer { state = .idle }
        switch state {
        case .searching: return .failNotFound
        case .asking: return .failNotAnswered
        case .comparing(_, _, .held): return .failNotConfirmed
        case .comparing: return .failNotDecided
        case .idle, .dialling: return .nothing
        }
    }

    mutating func stopped() { state = .idle }

    private mutating func dial(_ address: NetworkAddress, searchDeadline: Instant?) -> Int {
        lastDial += 1
        state = .dialling(lastDial, address, searchDeadline: searchDeadline)
        return lastDial
    }
}
