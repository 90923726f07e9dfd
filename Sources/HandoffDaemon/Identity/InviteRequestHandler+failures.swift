// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
internal import HandoffWire

extension Failure {
    static let anotherInvite = Failure(
        .cancelled, "another invite replaced this one; this code is no longer valid")
    static let noCandidate = Failure(
        .noInvite, "that device is not waiting to be admitted, or no longer is")
    static let declinedHere = Failure(
        .joinDeclined, "the device was not admitted; this code is no longer valid, because another device has it")
    static let nobodyAsked = Failure(
        .cancelled, "the invite is no longer waiting for an answer, so the number cannot be confirmed; make another")
    static let cannotCompare = Failure(
        .versionUnsupported,
        "the joining device runs an older version, which shows no number to compare: update it, or make the invite with --yes"
    )
    static let numberDeclined = Failure(
        .joinDeclined,
        "the number was not confirmed on the inviting device. If the two numbers differed, another device on this network "
            + "interferes: type the code instead")
    static let tooManyQuestions = Failure(
        .limitReached, "this device asked too often; wait 20 seconds, or type the code")
    static let busy = Failure(
        .limitReached, "other devices are asking to join there; decline them there, or type the code, then try again")
    static let tooManyTries = Failure(
        .limitReached, "too many attempts from this network; wait a few seconds, then try again")
    static let noAccount = Failure(.noAccount, "this device has no account: create or join one first")
    static let newKeyNeeded = Failure(
        .deviceRemoved, "this device was removed from the account; with a new key it can join: handoff account leave")
    static let rosterTooLarge = Failure(
        .limitReached, "the account's roster does not fit a message to a new device; nothing was changed")
    static let rosterFull = Failure(
        .limitReached, "the account's roster is full; nothing was changed")
    static let accountFull = Failure(
        .limitReached,
        "the account has \(Limits.devicesPerAccount) devices, the most that an account can have; remove one first: "
            + "handoff device remove")

    init(_ refusal: InviteStateMachine<InviteCode>.Refusal) {
        switch refusal {
        case .noInvite:
            self.init(.noInvite, "that device has no open invite with this code")
        case .wrongCode(let triesLeft):
            let warning =
                triesLeft == 1 ? "; one attempt is left" : triesLeft < 4 ? "; \(triesLeft) attempts are left" : ""
            self.init(.wrongCode, "the code is wrong\(warning)")
        case .expired:
            self.init(.inviteExpired, "the invite has expired after five minutes: make another")
        case .usedUp:
            self.init(.inviteUsedUp, "the invite has been used up: make another")
        case .declined:
            self.init(
                .joinDeclined,
                "the number was not confirmed on the inviting device. If the two numbers differed, another person has the code: "
                    + "make another invite")
        }
    }
}

extension InviteStateMachine.Refusal {
    var triesLeft: Int {
        if case .wrongCode(let triesLeft) = self { triesLeft } else { 0 }
    }
}
