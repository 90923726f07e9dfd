// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Shows W04: at the device that receives sent activities.
@Suite struct InboxStateMachineTests {
    private typealias Key = InboxStateMachine.Key

    /// When every pace has recovered.
    private static let later = Instant(sinceZero: .seconds(24 * 3600))

    private func key(_ number: Int, _ device: DeviceID = Sends.laptop) -> Key {
        Key(device: device, activity: Sends.id(number))
    }

    private func arrive(
        _ machine: inout InboxStateMachine, _ number: Int, from device: DeviceID = Sends.laptop,
        expires: WallTime? = nil, now: Instant = .zero, wall: WallTime = Sends.noon
    ) -> InboxStateMachine.Answer {
        machine.arrived(Sends.arriving(number, expires: expires), from: device, now: now, wall: wall)
    }

    private func take(
        _ machine: inout InboxStateMachine, _ number: Int, from device: DeviceID = Sends.laptop, now: Instant = .zero,
        wall: WallTime = Sends.noon
    ) {
        #expect(arrive(&machine, number, from: device, now: now, wall: wall) == .write)
        #expect(machine.written(key(number, device), nil) == true)
    }

    @Test func itIsListedOnceItIsOnDisk() {
        var machine = InboxStateMachine()
        #expect(arrive(&machine, 1) == .write)
        #expect(machine.offers.isEmpty)
        #expect(arrive(&machine, 1) == .wait)
        #expect(machine.written(key(1), nil) == true)
        #expect(machine.offers == [Sends.laptop: [Sends.arriving(1)]])
        #expect(machine.senders(of: Sends.id(1)) == [key(1).device])
    }

    @Test func unwrittenSendMayBeRetried() {
        var machine = InboxStateMachine()
        #expect(arrive(&machine, 1) == .write)
        #expect(machine.written(key(1), Failure(.stateNotWritable, "no room")) == false)
        #expect(machine.offers.isEmpty)
        take(&machine, 1)
    }

    @Test func eachIsTakenOnceAlsoAfterItWasContinued() {
        var machine = InboxStateMachine()
        take(&machine, 1)
        #expect(arrive(&machine, 1) == .taken)
        #expect(machine.ended(key(1)) == [.noteEnd(key(1), arrived: Sends.noon)])
        #expect(machine.offers.isEmpty)
        #expect(arrive(&machine, 1) == .taken)
        #expect(machine.ended(key(1)).isEmpty)

        var restarted = InboxStateMachine()
        restarted.restored(StoredSend(device: Sends.laptop, time: Sends.noon, content: .ended(Sends.id(1))))
        #expect(arrive(&restarted, 1) == .taken)
        #expect(restarted.offers.isEmpty)
        // Another device may choose the same ID.
        #expect(arrive(&restarted, 1, from: Sends.tablet) == .write)
    }

    @Test func afterARestartItIsStillThere() throws {
        var machine = InboxStateMachine()
        let sent = SentActivity(offer: Sends.arriving(1), state: try CarriedState(ActivityState(type: Sends.type)))
        machine.restored(StoredSend(device: Sends.laptop, time: Sends.noon, content: .activity(sent)))
        #expect(machine.offer(key(1)) == Sends.arriving(1))
    }

    @Test func soManyOfADeviceAreKept() {
        var machine = InboxStateMachine()
        for number in 0..<SendingLimits.keptOfDevice { take(&machine, number) }
        // Long after its pace would allow it.
        guard case .refuse(let failure) = arrive(&machine, 100, now: Self.later) else {
            Issue.record("it is not refused")
            return
        }
        #expect(failure.code == .limitReached)
        take(&machine, 100, from: Sends.tablet)
        // An ended activity makes room for one.
        _ = machine.ended(key(3))
        take(&machine, 100, now: Self.later)
        #expect(arrive(&machine, 101, now: Self.later) != .write)
        #expect(SendingLimits.keptOfDevice == 16)
    }

    @Test func soManyOfAllAreKept() {
        var machine = InboxStateMachine()
        let each = SendingLimits.keptOfDevice
        for number in 0..<SendingLimits.kept {
            take(&machine, number, from: DeviceID(uncheckedBytes: Array(repeating: UInt8(number / each), count: 32)))
        }
        let another = DeviceID(uncheckedBytes: Array(repeating: 200, count: 32))
        #expect(arrive(&machine, 100, from: another) != .write)
        _ = machine.ended(key(0, DeviceID(uncheckedBytes: Array(repeating: 0, count: 32))))
        #expect(arrive(&machine, 100, from: another) == .write)
        #expect(SendingLimits.kept == 64)
    }

    /// Its own invented devices filled all places.
    @Test func devicesThatOneMemberAdmittedDoNotKeepOthersOut() {
        var machine = InboxStateMachine()
        let founder = DeviceID(uncheckedBytes: Array(repeating: 100, count: 32))
        let invented = (0..<6).map { DeviceID(uncheckedBytes: Array(repeating: UInt8(110 + $0), count: 32)) }
        var admitters = [Sends.tablet: founder, Sends.laptop: founder]
        // Some were admitted by the member itself, the others in a chain.
        for (number, device) in invented.enumerated() {
            admitters[device] = number < 3 ? Sends.tablet : invented[number - 1]
        }
        machine.admissionsChanged(admitters)
        var taken = 0
        for device in invented {
            for number in 0..<SendingLimits.keptOfDevice where arrive(&machine, number, from: device) == .write {
                #expect(machine.written(key(number, device), nil) == true)
                taken += 1
            }
        }
        #expect(taken == SendingLimits.keptOfDevice)
        // The member itself and all others still have their places.
        for number in 0..<SendingLimits.keptOfDevice {
            take(&machine, number, from: Sends.tablet)
            take(&machine, number, from: Sends.laptop)
            take(&machine, number, from: founder)
        }
    }

    @Test func theFoundersDevicesAreCountedEachForItself() {
        var machine = InboxStateMachine()
        machine.admissionsChanged([Sends.tablet: Sends.laptop, Sends.desktop: Sends.laptop])
        for number in 0..<SendingLimits.keptOfDevice {
            for device in [Sends.laptop, Sends.tablet, Sends.desktop] { take(&machine, number, from: device) }
        }
    }

    /// A removed device that returns is not limited by its earlier activity.
    @Test func aPaceEndsWithTheMembershipOfItsDevice() {
        var machine = InboxStateMachine()
        let burst = SendingLimits.arrivals.burst
        for number in 0..<burst {
            take(&machine, number)
            take(&machine, number, from: Sends.tablet)
        }
        for number in 0..<burst {
            _ = machine.ended(key(number))
            _ = machine.ended(key(number, Sends.tablet))
        }
        #expect(arrive(&machine, 100) != .write)
        _ = machine.membersChanged([Sends.tablet])
        _ = machine.membersChanged([Sends.tablet, Sends.laptop])
        for number in 0..<burst { take(&machine, number) }
        // The device that stayed keeps its pace.
        #expect(arrive(&machine, 100, from: Sends.tablet) != .write)
    }

    /// A device that sends activities that end immediately causes a bounded number of writes.
    @Test func aDeviceHasSoManyWrittenInATime() {
        var machine = InboxStateMachine()
        var (writes, number) = (0, 0)
        let seconds = 600
        for second in 0..<seconds {
            let now = Instant(sinceZero: .seconds(second))
            for _ in 0..<20 {
                number += 1
                guard arrive(&machine, number, now: now) == .write else { continue }
                writes += 1
                _ = machine.written(key(number), nil)
                _ = machine.ended(key(number))
            }
        }
        // A burst first, then one every ten seconds.
        #expect(writes == SendingLimits.arrivals.burst + (seconds - 1) / 10)
        #expect(SendingLimits.arrivals == PaceLimit(burst: 16, spacing: .seconds(10)))
    }

    @Test func soManyIdsStayOfWhatIsOver() {
        var machine = InboxStateMachine()
        var removed: [Key] = []
        for number in 0..<SendingLimits.endedOfDevice + 3 {
            let later = Duration.seconds(100 * number)
            take(
                &machine, number, now: Instant(sinceZero: later), wall: Sends.noon.advanced(by: later))
            for action in machine.ended(key(number)) { if case .remove(let key) = action { removed.append(key) } }
        }
        #expect(removed == [key(0), key(1), key(2)])
        #expect(SendingLimits.endedOfDevice == 16)
    }

    @Test func itsTimeIsAWeekOrItsOwn() {
        var machine = InboxStateMachine()
        let soon = Sends.noon.advanced(by: .seconds(60))
        #expect(arrive(&machine, 1, expires: soon) == .write)
        #expect(machine.written(key(1), nil) == true)
        take(&machine, 2)
        #expect(machine.nextEnd == soon)
        #expect(machine.deadlineReached(wall: soon) == [.remove(key(1))])
        guard case .refuse(let failure) = arrive(&machine, 1, expires: soon, wall: soon) else {
            Issue.record("it is not refused")
            return
        }
        #expect(failure.code == .activityGone)
        let week = Sends.noon.advanced(by: SendingLimits.keptFor)
        #expect(machine.nextEnd == week)
        #expect(machine.deadlineReached(wall: week) == [.remove(key(2))])
        #expect(SendingLimits.keptFor == .seconds(7 * 24 * 3600))
    }

    @Test func sendsOfRemovedDeviceAreDeleted() {
        var machine = InboxStateMachine()
        take(&machine, 1)
        take(&machine, 2, from: Sends.tablet)
        take(&machine, 3)
        _ = machine.ended(key(3))
        #expect(machine.membersChanged([Sends.desktop, Sends.tablet]) == [.remove(key(1)), .remove(key(3))])
        #expect(machine.offers.keys.sorted() == [Sends.tablet])
    }
}
