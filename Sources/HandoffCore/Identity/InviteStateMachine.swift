// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The limits of an invite.
package enum InviteLimits {
    /// From showing the code to its end.
    package static let lifetime = Duration.seconds(300)
    /// Wrong codes that use an invite up. A code has 120 bits, so the number is no protection of it, and a small one would
    /// be a way to end everybody's invites from outside; it bounds what a crowd of guessers costs.
    package static let wrongTries = 4096
    /// Wrong codes of one source, a network: who was given a wrong one is not held up by that, who guesses waits.
    package static let triesPerSource = PaceLimit(burst: 8, spacing: .seconds(2))
    /// Sources that are remembered; the one that was quiet longest goes.
    package static let sources = 256
    /// How long an invite that ended is remembered, so that whoever holds its code hears what became of it.
    package static let memory = Duration.seconds(300)
    /// How long whoever has the code of an invite, open or not, gets an answer at all.
    package static let callMemory = Duration.seconds(3600)
    /// Codes of which that holds; the oldest goes.
    package static let codes = 8
    /// From a right code to the answer of the person who is asked whether to admit that device. It may go beyond the invite's
    /// own time.
    package static let decision = Duration.seconds(120)
    /// How often one invite may ask that: each time, whoever is in between has one chance in a million that both devices
    /// show the same number.
    package static let questions = 3
}

/// One invite, on the side of the member that made it.
///
/// There is one at a time: a new one takes the place of an older one, whose code is worth nothing from then on. It ends
/// by time, by thousands of wrong codes, or by one right one. The device that used it may ask again with the same code
/// while it is remembered, since the answer may have been lost on the way; for every other device a used code is used up.
///
/// Where the inviter wants to be asked, a right code makes its device the candidate, of which there is one at a time. If the
/// inviter says no, the invite ends too, since somebody else has the code.
///
/// What a code is, and what proves it, is the owner's: the machine only carries it.
package struct InviteStateMachine<Code>: ~Copyable {
    private var state: State

    private enum State {
        /// Nobody may join. Can transition to: open.
        case none
        /// The code is good. Can transition to: open (another invite), ended.
        case open(Open)
        /// The code is good for nothing but a reason. Can transition to: open, none.
        case ended(Ended)
    }

    private struct Open {
        let code: Code
        let expires: Instant
        let asking: Bool
        var triesLeft = InviteLimits.wrongTries
        var questionsLeft = InviteLimits.questions
        var candidate: Candidate?

        /// While the inviter is asked, the code's own time does not count.
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

    package init() { state = .none }

    /// The code that is good now.
    package var openCode: Code? {
        switch state {
        case .open(let open): open.code
        case .none, .ended: nil
        }
    }

    package var nextDeadline: Instant? {
        switch state {
        case .none: nil
        case .open(let open): open.deadline
        case .ended(let ended): ended.forgotten
        }
    }

    package enum CreateAction: Hashable, Sendable {
        case show(expires: Instant)
        /// As `show`; and whoever waits for the older invite is told that it ended.
        case replaceAndShow(expires: Instant)
    }

    /// `asking`: a device with the right code waits for `decided`.
    package mutating func inviteRequested(_ code: Code, asking: Bool, at now: Instant) -> CreateAction {
        let expires = now.advanced(by: InviteLimits.lifetime)
        let action: CreateAction
        switch state {
        case .none, .ended: action = .show(expires: expires)
        case .open: action = .replaceAndShow(expires: expires)
        }
        state = .open(Open(code: code, expires: expires, asking: asking))
        return action
    }

    package enum Refusal: Hashable, Sendable {
        /// No invite, or none that the proof fits.
        case noInvite
        case wrongCode(triesLeft: Int)
        case expired
        case usedUp
        /// The inviter said no to this device.
        case declined
    }

    package enum JoinAction: Hashable, Sendable {
        /// Sign the device in, then say `deviceAdmitted`.
        case admit
        /// Compare numbers with the device and ask the inviter, then say `decided`, or `candidateLeft`.
        case compare
        case refuse(Refusal)
        /// As `refuse`; and whoever waits for the invite is told that it ended so.
        case refuseAndEnd(Refusal)
    }

    /// `isProven` says whether the request proves this code.
    package mutating func joinRequested(
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
            // Whoever does not hold the code learns nothing about the invite that was.
            guard isProven(ended.code) else { return .refuse(.noInvite) }
            switch ended.how {
            case .expired: return .refuse(.expired)
            case .usedUp: return .refuse(.usedUp)
            case .used(let user): return user == device ? .admit : .refuse(.usedUp)
            case .declined(let candidate): return .refuse(candidate == device ? .declined : .usedUp)
            }
        }
    }

    package enum DecisionAction: Hashable, Sendable {
        /// As of `JoinAction`.
        case admit
        /// Refuse the device; the invite has ended.
        case decline
        /// It is not the candidate, or not any more.
        case nothing
    }

    package mutating func decided(_ device: DeviceID, admit: Bool, at now: Instant) -> DecisionAction {
        guard case .open(let open) = state, let candidate = open.candidate, candidate.device == device,
            now < candidate.deadline
        else { return .nothing }
        if !admit { state = .ended(Ended(open, .declined(device), at: now)) }
        return admit ? .admit : .decline
    }

    package enum LeftAction: Hashable, Sendable {
        /// The code is good for another device, or for this one again.
        case nothing
        /// It was the last question: tell whoever waits for the invite.
        case end
    }

    /// The candidate's connection ended, or it does not keep to the protocol.
    package mutating func candidateLeft(at now: Instant) -> LeftAction {
        guard case .open(var open) = state, open.candidate != nil else { return .nothing }
        guard open.questionsLeft > 0 else {
            state = .ended(Ended(open, .usedUp, at: now))
            return .end
        }
        open.candidate = nil
        state = .open(open)
        return .nothing
    }

    /// Nobody can be asked any more.
    package mutating func inviterLeft(at now: Instant) -> LeftAction {
        guard case .open(let open) = state, open.asking else { return .nothing }
        state = .ended(Ended(open, .expired, at: now))
        return .end
    }

    /// The device is in the roster, on disk: the invite is used.
    package mutating func deviceAdmitted(_ device: DeviceID, at now: Instant) {
        switch state {
        case .open(let open): state = .ended(Ended(open, .used(by: device), at: now))
        case .none, .ended: break
        }
    }

    /// The account takes no further device, so the invite is of no use.
    package mutating func accountFilled(at now: Instant) {
        if case .open(let open) = state { state = .ended(Ended(open, .usedUp, at: now)) }
    }

    package enum DeadlineAction: Hashable, Sendable {
        case nothing
        /// The invite ended by time: tell whoever waits for it.
        case end
    }

    package mutating func deadlineReached(now: Instant) -> DeadlineAction {
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
