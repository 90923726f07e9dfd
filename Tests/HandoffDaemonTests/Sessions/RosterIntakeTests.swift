// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

// Shows X06, X13.

@Suite struct RosterIntakeTests {
    let thief = DeviceID(uncheckedBytes: Array(repeating: 1, count: 32))
    let honest = DeviceID(uncheckedBytes: Array(repeating: 2, count: 32))
    let noon = Instant(sinceZero: .seconds(1000))

    private func statements(_ numbers: Range<Int>, bytes: Int = 200) -> RosterUpdate {
        RosterUpdate(
            statements: numbers.map { number in
                let head = [UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255)]
                return SignedStatement(
                    statement: head + Array(repeating: 0, count: bytes - 3), signer: [], signature: [])
            })
    }

    @Test func firstWordIsHeardAtOnce() {
        var intake = RosterIntake()
        let update = statements(0..<1)
        let isWhole = intake.received(update, from: honest)
        #expect(isWhole)
        #expect(intake.next(at: noon) == .merge(update, from: honest))
        #expect(intake.next(at: noon) == nil)
        let deadline = intake.nextDeadline
        #expect(deadline == nil)
        let held = intake.heldBytes
        #expect(held == 0)
    }

    @Test func othersHaveTheirTimeAfterEachMerge() {
        var intake = RosterIntake()
        _ = intake.received(statements(0..<300), from: honest)
        _ = intake.next(at: noon)
        intake.merged(.milliseconds(20), at: noon)
        let free = noon.advanced(by: .milliseconds(20 * RosterLimits.pauseFactor))
        #expect(intake.next(at: noon) == nil)
        let deadline = intake.nextDeadline
        #expect(deadline == free)
        guard case .merge(let part, _)? = intake.next(at: free) else { return #expect(Bool(false), "nothing is due") }
        #expect(part.statements.count == RosterLimits.statementsAtOnce)
    }

    /// For any behaviour of a device: a bounded number of merges, each with a bounded number of statements.
    @Test func floodIsMergedAtItsPace() {
        var intake = RosterIntake()
        var merges = 0
        var now = noon
        for second in 0..<600 {
            for frame in 0..<20 {
                _ = intake.received(statements(second * 20 + frame..<second * 20 + frame + 1), from: thief)
            }
            while let step = intake.next(at: now) {
                guard case .merge(let part, thief) = step else { continue }
                #expect(part.statements.count <= RosterLimits.statementsAtOnce)
                merges += 1
            }
            let held = intake.heldBytes
            #expect(held <= RosterLimits.heldBytes)
            now = now.advanced(by: .seconds(1))
        }
        #expect(merges <= RosterLimits.merges.burst + 60)
    }

    @Test func floodOfOneDelaysNoOther() {
        var intake = RosterIntake()
        for number in 0..<2000 { _ = intake.received(statements(number..<number + 1), from: thief) }
        while intake.next(at: noon) != nil {}
        let update = statements(9000..<9001)
        _ = intake.received(update, from: honest)
        #expect(intake.next(at: noon) == .merge(update, from: honest))
    }

    @Test func turnsAreTaken() {
        var intake = RosterIntake()
        _ = intake.received(statements(0..<500), from: thief)
        _ = intake.received(statements(500..<1000), from: honest)
        var order: [DeviceID] = []
        while case .merge(_, let device)? = intake.next(at: noon) { order.append(device) }
        #expect(order == [thief, honest, thief, honest, thief, honest, thief, honest])
    }

    /// The full roster of an honest device is merged completely and immediately.
    @Test func fullRosterIsTakenWithoutAPause() {
        var intake = RosterIntake()
        let isWhole = intake.received(statements(0..<Limits.rosterStatements, bytes: 360), from: honest)
        #expect(isWhole)
        var taken = 0
        while case .merge(let part, _)? = intake.next(at: noon) { taken += part.statements.count }
        #expect(taken == Limits.rosterStatements)
    }

    @Test func secretsComeWithTheLastStatements() {
        var intake = RosterIntake()
        var update = statements(0..<200)
        let id = StatementID(uncheckedBytes: Array(repeating: 7, count: 32))
        update.secrets = [BeaconSecret(statement: id, secret: Array(repeating: 8, count: 32))]
        _ = intake.received(update, from: honest)
        guard case .merge(let first, _)? = intake.next(at: noon), case .merge(let second, _)? = intake.next(at: noon)
        else { return #expect(Bool(false), "two parts were to come") }
        #expect(first.secrets.isEmpty)
        #expect(second.secrets == update.secrets)
    }

    /// Dropped statements are requested again after the rest is merged.
    @Test func droppedStatementsAreRequestedLater() {
        var intake = RosterIntake()
        let isWhole = intake.received(statements(0..<3000), from: honest)
        #expect(!isWhole)
        let held = intake.heldBytes
        #expect(held <= RosterLimits.heldBytes)
        var now = noon
        var steps: [RosterIntake.Step] = []
        while let deadline = intake.nextDeadline, steps.count < 100 {
            now = max(now, deadline)
            if let step = intake.next(at: now) { steps.append(step) }
        }
        #expect(steps.last == .askForAll(honest))
        #expect(steps.count { $0 == .askForAll(honest) } == 1)
    }

    @Test func unwrittenStatementsAreRequestedAgain() {
        var intake = RosterIntake()
        _ = intake.received(statements(0..<1), from: honest)
        _ = intake.next(at: noon)
        intake.lost(from: honest)
        #expect(intake.next(at: noon) == .askForAll(honest))
        intake.lost(from: honest)
        #expect(intake.next(at: noon) == nil)
        let deadline = intake.nextDeadline
        #expect(deadline == noon.advanced(by: RosterLimits.questions.spacing))
    }

    @Test func devicesThatAreOutAreForgotten() {
        var intake = RosterIntake()
        _ = intake.received(statements(0..<100), from: thief)
        intake.keep([honest])
        let held = intake.heldBytes
        #expect(held == 0)
        let deadline = intake.nextDeadline
        #expect(deadline == nil)
        #expect(intake.next(at: noon) == nil)
    }

    @Test func wholeRosterIsSentAtItsPaceAndOwedOtherwise() {
        var telling = RosterTelling()
        var now = noon
        for _ in 0..<RosterLimits.tellings.burst {
            let isNow = telling.asked(by: thief, at: now)
            #expect(isNow)
        }
        let isNow = telling.asked(by: thief, at: now)
        #expect(!isNow)
        let othersTurn = telling.asked(by: honest, at: now)
        #expect(othersTurn)
        #expect(telling.due(at: now) == [])
        now = now.advanced(by: RosterLimits.tellings.spacing)
        let deadline = telling.nextDeadline
        #expect(deadline == now)
        #expect(telling.due(at: now) == [thief])
        let last = telling.nextDeadline
        #expect(last == nil)
    }
}
