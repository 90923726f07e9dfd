// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

// Shows T02.

@Suite struct InviteStateMachineTests {
    private let phone = DeviceID(uncheckedBytes: [UInt8](repeating: 1, count: 32))
    private let strangersPhone = DeviceID(uncheckedBytes: [UInt8](repeating: 2, count: 32))
    private let end = Instant.zero.advanced(by: InviteLimits.lifetime)

    @Test func rightCodeIsAdmitted() {
        var machine = open("code")
        #expect(machine.joinRequested(by: phone, at: .zero) { $0 == "code" } == .admit)
        machine.deviceAdmitted(phone, at: .zero)
        let code = machine.openCode
        #expect(code == nil)
    }

    @Test func joinWithoutInviteIsRefused() {
        var machine = InviteStateMachine<String>()
        #expect(machine.joinRequested(by: phone, at: .zero) { _ in true } == .refuse(.noInvite))
        let deadline = machine.nextDeadline
        #expect(deadline == nil)
    }

    @Test func thousandsOfWrongCodesUseTheInviteUp() {
        var machine = open("code")
        for left in (1..<InviteLimits.wrongTries).reversed() {
            #expect(
                machine.joinRequested(by: phone, at: .zero, isProven: wrong) == .refuse(.wrongCode(triesLeft: left)))
        }
        #expect(machine.joinRequested(by: phone, at: .zero, isProven: wrong) == .refuseAndEnd(.usedUp))
        #expect(machine.joinRequested(by: phone, at: .zero, isProven: right) == .refuse(.usedUp))
    }

    @Test func triesCountForAllDevicesTogether() {
        var machine = open("code")
        let left = InviteLimits.wrongTries - 1
        #expect(machine.joinRequested(by: phone, at: .zero, isProven: wrong) == .refuse(.wrongCode(triesLeft: left)))
        let second = machine.joinRequested(by: strangersPhone, at: .zero, isProven: wrong)
        #expect(second == .refuse(.wrongCode(triesLeft: left - 1)))
    }

    @Test func inviteIsGoodForFiveMinutes() {
        var machine = open("code")
        let last = Instant.zero.advanced(by: .seconds(300) - .nanoseconds(1))
        #expect(machine.deadlineReached(now: last) == .nothing)
        #expect(machine.joinRequested(by: phone, at: last, isProven: right) == .admit)
        #expect(machine.deadlineReached(now: end) == .end)
        #expect(machine.joinRequested(by: phone, at: end, isProven: right) == .refuse(.expired))
    }

    /// The clock decides, because the alarm may ring late.
    @Test func expiredInviteAdmitsNoDeviceBeforeItsAlarm() {
        var machine = open("code")
        #expect(machine.joinRequested(by: phone, at: end, isProven: right) == .refuseAndEnd(.expired))
        #expect(machine.deadlineReached(now: end) == .nothing)
    }

    @Test func codeIsValidOnce() {
        var machine = open("code")
        _ = machine.joinRequested(by: phone, at: .zero, isProven: right)
        machine.deviceAdmitted(phone, at: .zero)
        #expect(machine.joinRequested(by: strangersPhone, at: .zero, isProven: right) == .refuse(.usedUp))
    }

    /// The answer may have been lost.
    @Test func deviceThatUsedTheCodeMayAskAgain() {
        var machine = open("code")
        _ = machine.joinRequested(by: phone, at: .zero, isProven: right)
        machine.deviceAdmitted(phone, at: .zero)
        #expect(machine.joinRequested(by: phone, at: .zero, isProven: right) == .admit)
        #expect(machine.joinRequested(by: phone, at: .zero, isProven: wrong) == .refuse(.noInvite))
    }

    /// The disk refused the admission, so the code is still valid.
    @Test func codeIsNotUsedBeforeTheDeviceIsIn() {
        var machine = open("code")
        #expect(machine.joinRequested(by: phone, at: .zero, isProven: right) == .admit)
        #expect(machine.joinRequested(by: phone, at: .zero, isProven: right) == .admit)
    }

    @Test func wrongCodeDoesNotRevealEndedInvite() {
        var machine = open("code")
        _ = machine.deadlineReached(now: end)
        #expect(machine.joinRequested(by: strangersPhone, at: end, isProven: wrong) == .refuse(.noInvite))
    }

    @Test func endedInviteIsForgotten() {
        var machine = open("code")
        _ = machine.deadlineReached(now: end)
        let forgotten = end.advanced(by: InviteLimits.memory)
        let deadline = machine.nextDeadline
        #expect(deadline == forgotten)
        #expect(machine.deadlineReached(now: forgotten) == .nothing)
        let later = machine.nextDeadline
        #expect(later == nil)
        #expect(machine.joinRequested(by: phone, at: forgotten, isProven: right) == .refuse(.noInvite))
    }

    // MARK: Confirmation by the inviter

    @Test func theInviterDecides() {
        var machine = open("code", asking: true)
        #expect(machine.joinRequested(by: phone, at: .zero, isProven: right) == .compare)
        #expect(machine.decided(strangersPhone, admit: true, at: .zero) == .nothing)
        #expect(machine.decided(phone, admit: true, at: .zero) == .admit)
        machine.deviceAdmitted(phone, at: .zero)
        #expect(machine.joinRequested(by: phone, at: .zero, isProven: right) == .admit)
        #expect(machine.decided(phone, admit: false, at: .zero) == .nothing)
    }

    @Test func declinedDeviceEndsInvite() {
        var machine = open("code", asking: true)
        _ = machine.joinRequested(by: strangersPhone, at: .zero, isProven: right)
        #expect(machine.decided(strangersPhone, admit: false, at: .zero) == .decline)
        #expect(machine.joinRequested(by: strangersPhone, at: .zero, isProven: right) == .refuse(.declined))
        #expect(machine.joinRequested(by: phone, at: .zero, isProven: right) == .refuse(.usedUp))
        #expect(machine.joinRequested(by: phone, at: .zero, isProven: wrong) == .refuse(.noInvite))
    }

    @Test func thereIsOneCandidateAtATime() {
        var machine = open("code", asking: true)
        _ = machine.joinRequested(by: phone, at: .zero, isProven: right)
        #expect(machine.joinRequested(by: strangersPhone, at: .zero, isProven: right) == .refuse(.usedUp))
        #expect(machine.candidateLeft(at: .zero) == .nothing)
        #expect(machine.joinRequested(by: strangersPhone, at: .zero, isProven: right) == .compare)
    }

    /// Each question gives a man in the middle one chance in a million.
    @Test func anInviteAsksThreeTimes() {
        var machine = open("code", asking: true)
        for left in (0..<InviteLimits.questions).reversed() {
            #expect(machine.joinRequested(by: phone, at: .zero, isProven: right) == .compare)
            #expect(machine.candidateLeft(at: .zero) == (left == 0 ? .end : .nothing))
        }
        #expect(machine.joinRequested(by: phone, at: .zero, isProven: right) == .refuse(.usedUp))
    }

    @Test func theDecisionHasATimeOfItsOwn() {
        var machine = open("code", asking: true)
        let last = end.advanced(by: .nanoseconds(-1))
        #expect(machine.joinRequested(by: phone, at: last, isProven: right) == .compare)
        #expect(machine.deadlineReached(now: end) == .nothing)
        let late = last.advanced(by: InviteLimits.decision)
        #expect(machine.decided(phone, admit: true, at: late) == .nothing)
        #expect(machine.deadlineReached(now: late) == .end)
        #expect(machine.joinRequested(by: phone, at: late, isProven: right) == .refuse(.expired))
    }

    @Test func inviteThatAsksExpiresIfInviterLeaves() {
        var machine = open("code", asking: true)
        #expect(machine.inviterLeft(at: .zero) == .end)
        #expect(machine.joinRequested(by: phone, at: .zero, isProven: right) == .refuse(.expired))
        var unasked = open("code")
        #expect(unasked.inviterLeft(at: .zero) == .nothing)
        #expect(unasked.joinRequested(by: phone, at: .zero, isProven: right) == .admit)
    }

    @Test func newInviteReplacesTheOlderInvite() {
        var machine = open("first")
        #expect(machine.inviteRequested("second", asking: false, at: .zero) == .replaceAndShow(expires: end))
        let left = InviteLimits.wrongTries - 1
        #expect(machine.joinRequested(by: phone, at: .zero) { $0 == "first" } == .refuse(.wrongCode(triesLeft: left)))
        #expect(machine.joinRequested(by: phone, at: .zero) { $0 == "second" } == .admit)
    }

    /// In any order of events: one device per code, a limited number of wrong tries, five minutes.
    @Test func randomWalksKeepTheRules() {
        for seed in 0..<2000 as Range<UInt64> {
            var random = Randomness.seeded(seed)
            var machine = InviteStateMachine<Int>()
            var (now, invite, opened, wrongTries) = (Instant.zero, 0, Instant.zero, 0)
            var users: [Int: DeviceID] = [:]
            var (asking, candidate) = (false, DeviceID?.none)
            for _ in 0..<60 {
                now = now.advanced(by: .seconds(Int.random(in: 0...60, using: &random)))
                let device = Bool.random(using: &random) ? phone : strangersPhone
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    invite += 1
                    (opened, wrongTries) = (now, 0)
                    (asking, candidate) = (Bool.random(using: &random), nil)
                    _ = machine.inviteRequested(invite, asking: asking, at: now)
                case 1: _ = machine.deadlineReached(now: now)
                case 4 where candidate != nil:
                    candidate = nil
                    _ = machine.candidateLeft(at: now)
                case 2, 3:
                    var action = machine.joinRequested(by: device, at: now) { $0 == invite }
                    #expect(action != .admit || !asking || users[invite] == device, "seed \(seed)")
                    if action == .compare {
                        #expect(asking && users[invite] == nil, "seed \(seed)")
                        candidate = device
                        guard Bool.random(using: &random) else { continue }
                        now = now.advanced(by: .seconds(Int.random(in: 0...150, using: &random)))
                        let isLate = now >= machine.nextDeadline ?? now
                        switch machine.decided(device, admit: Bool.random(using: &random), at: now) {
                        case .admit:
                            #expect(!isLate, "seed \(seed)")
                            machine.deviceAdmitted(device, at: now)
                            users[invite] = device
                            continue
                        case .decline, .nothing: action = .refuse(.declined)
                        }
                    }
                    guard action == .admit else { continue }
                    #expect(users[invite] == nil || users[invite] == device, "seed \(seed)")
                    #expect(users[invite] != nil || now < opened.advanced(by: InviteLimits.lifetime), "seed \(seed)")
                    #expect(wrongTries < InviteLimits.wrongTries, "seed \(seed)")
                    users[invite] = device
                    machine.deviceAdmitted(device, at: now)
                default:
                    let wasOpen = machine.openCode != nil
                    let action = machine.joinRequested(by: device, at: now, isProven: { _ in false })
                    #expect(action != .admit, "seed \(seed)")
                    if wasOpen { wrongTries += 1 }
                }
            }
        }
    }

    /// Shows X06. Many sources use bounded memory, and none uses up another's tries.
    @Test func eachSourceHasItsOwnTries() {
        var paces = Paces<String>(InviteLimits.triesPerSource, most: InviteLimits.sources)
        let (guesser, other) = ("10.0.0.66", "10.0.0.2")
        for _ in 0..<InviteLimits.triesPerSource.burst {
            #expect(paces.nextFree(of: guesser) <= .zero)
            _ = paces.take(guesser, at: .zero)
        }
        #expect(paces.nextFree(of: guesser) > .zero)
        #expect(paces.nextFree(of: other) <= .zero)
        #expect(paces.nextFree(of: guesser) <= Instant.zero.advanced(by: InviteLimits.triesPerSource.spacing))
        for number in 0..<5000 { _ = paces.take("2001:db8::\(number)", at: .zero) }
        #expect(paces.count <= InviteLimits.sources)
    }

    private let right: (String) -> Bool = { _ in true }
    private let wrong: (String) -> Bool = { _ in false }

    private func open(_ code: String, asking: Bool = false) -> InviteStateMachine<String> {
        var machine = InviteStateMachine<String>()
        _ = machine.inviteRequested(code, asking: asking, at: .zero)
        return machine
    }
}
