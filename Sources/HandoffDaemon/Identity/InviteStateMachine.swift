// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// One invite, on the member that made it. It ends by time, by too many wrong codes, by a correct code, or by the next
/// invite. The device that used the code may repeat the request while the invite is remembered, because the answer may
/// have been lost.
///
/// If the inviter must confirm, a device with the correct code becomes the only candidate. If the inviter declines, the
/// invite ends, because another person knows its code.
struct InviteStateMachine<Code>: ~Copyable {
    private var state: State

    private enum State {
        /// Can transition to: open.
        case none
        /// Can transition to: open (another invite), ended.
        case open(Open)
        /// A device with the code only receives the reason. Can transition to: open, none.
        case ended(Ended)
    }

    private struct Open {
        let code: Code
        let expires: Instant
        let asking: Bool
        var triesLeft = InviteLimits.wrongTries
        var questionsLeft = InviteLimits.questions
        var candidate: Candidate?

        /// The inviter decides: the code does not expire.
        var deadline: Instant { candidate?.deadline ?? expires }
    }

    private struct Candidate {
        let device: DeviceID
        let deadline: Instant
    }

    private struct Ended {
        let code: Code
        let how: End
        let forgotten: Instant

        init(_ open: Open, _ how: End, at now: Instant) {
            code = open.code
            self.how = how
            forgotten = now.advanced(by: InviteLimits.memory)
        }
    }

    private enum End {
        case expired
        case usedUp
        case used(by: DeviceID)
        case declined(DeviceID)
    }

    init() { state = .none }

    var openCode: Code? {
        switch state {
        case .open(let open): open.code
        case .none, .ended: nil
        }
    }

    var nextDeadline: Instant? {
        switch state {
        case .none: nil
        case .open(let open): open.deadline
        case .ended(let ended): ended.forgotten
        }
    }

    enum CreateAction: Hashable, Sendable {
        case show(expires: Instant)
        /// Notify the client that waits for the previous invite.
        case replaceAndShow(expires: Instant)
    }

    mutating func inviteRequested(_ code: Code, asking: Bool, at now: Instant) -> CreateAction {
        let expires = now.advanced(by: InviteLimits.lifetime)
        let action: CreateAction
        switch state {
        case .none, .ended: action = .show(expires: expires)
        case .open: action = .replaceAndShow(expires: expires)
        }
        state = .open(Open(code: code, expires: expires, asking: asking))
        return action
    }

    enum Refusal: Hashable, Sendable {
        case noInvite
        case wrongCode(triesLeft: Int)
        case expired
        case usedUp
        case declined
    }

    enum JoinAction: Hashable, Sendable {
        /// Then call `deviceAdmitted`.
        case admit
        /// Compare numbers, ask the inviter, then call `decided` or `candidateLeft`.
        case compare
        case refuse(Refusal)
        /// Notify the client that waits for the invite.
        case refuseAndEnd(Refusal)
    }

    mutating func joinRequested(
        by device: DeviceID, at now: Instant, isProven: (Code) -> Bool
    ) -> JoinAction {
        switch state {
        case .none: return .refuse(.noInvite)
        case .open(var open):
            guard now < open.deadline else {
                state = .ended(Ended(open, .expired, at: now))
                return .refuseAndEnd(.expired)
            }
            if isProven(open.code) {
                guard open.asking else { return .admit }
                guard open.candidate == nil else { return .refuse(.usedUp) }
                open.questionsLeft -= 1
                open.candidate = Candidate(device: device, deadline: now.advanced(by: InviteLimits.decision))
                state = .open(open)
                return .compare
            }
            open.triesLeft -= 1
            guard open.triesLeft > 0 else {
                state = .ended(Ended(open, .usedUp, at: now))
                return .refuseAndEnd(.usedUp)
            }
            state = .open(open)
            return .refuse(.wrongCode(triesLeft: open.triesLeft))
        case .ended(let ended):
            // Without the code, a device must learn nothing about an ended invite.
            guard isProven(ended.code) else { return .refuse(.noInvite) }
            switch ended.how {
            case .expired: return .refuse(.expired)
            case .usedUp: return .refuse(.usedUp)
            case .used(let user): return user == device ? .admit : .refuse(.usedUp)
            case .declined(let candidate): return .refuse(candidate == device ? .declined : .usedUp)
            }
        }
    }

    enum DecisionAction: Hashable, Sendable {
        case admit
        case decline
        case nothing
    }

    mutating func decided(_ device: DeviceID, admit: Bool, at now: Instant) -> DecisionAction {
        guard case .open(let open) = state, let candidate = open.candidate, candidate.device == device,
            now < candidate.deadline
        else { return .nothing }
        if !admit { state = .ended(Ended(open, .declined(device), at: now)) }
        return admit ? .admit : .decline
    }

    enum LeftAction: Hashable, Sendable {
        /// The code is valid again for all devices.
        case nothing
        /// Notify the client that waits for the invite.
        case end
    }

    mutating func candidateLeft(at now: Instant) -> LeftAction {
        guard case .open(var open) = state, open.candidate != nil else { return .nothing }
        guard open.questionsLeft > 0 else {
            state = .ended(Ended(open, .usedUp, at: now))
            return .end
        }
        open.candidate = nil
        state = .open(open)
        return .nothing
    }

    mutating func inviterLeft(at now: Instant) -> LeftAction {
        guard case .open(let open) = state, open.asking else { return .nothing }
        state = .ended(Ended(open, .expired, at: now))
        return .end
    }

    mutating func deviceAdmitted(_ device: DeviceID, at now: Instant) {
        switch state {
        case .open(let open): state = .ended(Ended(open, .used(by: device), at: now))
        case .none, .ended: break
        }
    }

    mutating func accountFilled(at now: Instant) {
        if case .open(let open) = state { state = .ended(Ended(open, .usedUp, at: now)) }
    }

    enum DeadlineAction: Hashable, Sendable {
        case nothing
        /// Notify the client that waits for the invite.
        case end
    }

    mutating func deadlineReached(now: Instant) -> DeadlineAction {
        switch state {
        case .none: return .nothing
        case .open(let open):
            guard now >= open.deadline else { return .nothing }
            state = .ended(Ended(open, .expired, at: now))
            return .end
        case .ended(let ended):
            if now >= ended.forgotten { state = .none }
            return .nothing
        }
    }
}
