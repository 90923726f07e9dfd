// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDesktop

/// Seeded walks: devices whose offers change, a server that is slow, loses requests and crashes, and a user who presses
/// and leaves. Shows L01, L13.
@Suite struct NotifyingWalkTests {
    // Shows L01.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func neverTwoForADeviceNorOneForWhatIsGoneNorTheSameTwice(block: UInt64) {
        for seed in block * 200..<(block + 1) * 200 {
            var walk = NotifyingWalk(seed: seed)
            for _ in 0..<120 { walk.step() }
            walk.becomeQuiet()
        }
    }
}

private struct NotifyingWalk: ~Copyable {
    private let seed: UInt64
    private var random: SeededWalk
    private let machine: Notifier
    private var now = Instant(sinceZero: .seconds(1))
    private var offers: [ListedActivity] = []
    private var since: Int64 = 0
    private var isAway = false
    /// At the server: the notice of each ID.
    private var screen: [UInt32: Notice] = [:]
    private var asked: [(notice: Notice, ticket: NoticeTicket, replacing: UInt32?)] = []
    private var goingOn: [OfferKey] = []
    private var lastID: UInt32 = 0
    /// As a new notification.
    private var announced: Set<OfferKey> = []

    init(seed: UInt64) {
        self.seed = seed
        random = SeededWalk(state: seed)
        var settings = NotificationSettings()
        if seed % 3 == 0 { settings.set(.off, device: "phone") }
        machine = Notifier(settings: settings)
    }

    mutating func step() {
        if random.next() % 3 == 0 { now = now.advanced(by: .milliseconds(Int64(random.next() % 900))) }
        switch random.next() % 14 {
        case 0...4: changeOffers()
        case 5...7: answer()
        case 8: if let due = machine.nextDeadline { now = max(now, due); act(machine.deadlineReached(at: now)) }
        case 9: if let id = anyID() { press(id) }
        case 10: if let id = anyID() { close(id) }
        case 11: finish()
        case 12: if random.next() % 4 == 0 { serverDies() }
        default:
            isAway.toggle()
            act(machine.presenceChanged(isAway: isAway, at: now))
        }
    }

    /// With all answers received and all deadlines over, the screen shows what it should.
    mutating func becomeQuiet() {
        isAway = false
        act(machine.presenceChanged(isAway: false, at: now))
        var turns = 0
        while turns < 100, machine.nextDeadline != nil || !asked.isEmpty || !goingOn.isEmpty {
            turns += 1
            if !asked.isEmpty {
                answer(always: true)
            } else if !goingOn.isEmpty {
                finish()
            } else if let due = machine.nextDeadline {
                now = max(now, due)
                act(machine.deadlineReached(at: now))
            }
        }
        #expect(turns < 100, "seed \(seed): it does not come to rest")
        let offered = Set(offers.map(OfferKey.init))
        for (id, notice) in screen where notice.subject == .offer {
            #expect(offered.contains(notice.key), "seed \(seed): \(id) is left of what is gone")
        }
        let devices = screen.values.map(\.key.device)
        #expect(Set(devices).count == devices.count, "seed \(seed): two of one device")
        for device in [Offers.laptop, Offers.phone] {
            guard let newest = offers.first(where: { $0.device == device && !$0.isFromThisDevice }) else { continue }
            let isSeen = machine.seen.contains(OfferKey(newest))
            #expect(isSeen, "seed \(seed): the newest was never shown")
        }
    }

    private mutating func anyID() -> UInt32? {
        let ids = screen.keys.sorted()
        return ids.isEmpty ? nil : ids[Int(random.next() % UInt64(ids.count))]
    }

    private mutating func changeOffers() {
        let device = random.next() % 2 == 0 ? Offers.laptop : Offers.phone
        switch random.next() % 4 {
        case 0: if !offers.isEmpty { offers.remove(at: Int(random.next() % UInt64(offers.count))) }
        case 1:
            guard let index = offers.indices.first else { break }
            offers[index].offer.title = DisplayText(cleaning: "Title \(random.next() % 3)")
        default:
            since += 1
            let number = UInt8(random.next() % 6) + (device == Offers.laptop ? 0 : 100)
            let article = Offers.article(number, from: device, since: since)
            offers.removeAll { OfferKey($0) == OfferKey(article) }
            offers.insert(article, at: 0)
        }
        act(machine.offersChanged(offers, at: now))
    }

    private mutating func answer(always: Bool = false) {
        guard !asked.isEmpty else { return }
        let (notice, ticket, replacing) = asked.removeFirst()
        guard always || random.next() % 6 != 0 else { return act(machine.notShown(ticket, at: now)) }
        let id: UInt32
        if let replacing, screen[replacing] != nil { id = replacing } else { lastID += 1; id = lastID }
        screen[id] = notice
        act(machine.shown(ticket, as: id, at: now))
    }

    private mutating func press(_ id: UInt32) {
        act(machine.pressed(id, at: now))
        if random.next() % 2 == 0 { close(id) }
    }

    private mutating func close(_ id: UInt32) {
        guard screen.removeValue(forKey: id) != nil else { return }
        act(machine.closed(id, at: now))
    }

    private mutating func finish() {
        guard !goingOn.isEmpty else { return }
        let key = goingOn.removeFirst()
        let failure = Failure(random.next() % 3 == 0 ? .cancelled : .deviceLost, "")
        act(random.next() % 2 == 0 ? machine.continued(key, at: now) : machine.notContinued(key, failure, at: now))
    }

    private mutating func serverDies() {
        screen = [:]
        asked = []
        act(machine.serverChanged(at: now))
    }

    private mutating func act(_ actions: [NotifyingStateMachine.Action]) {
        for action in actions {
            switch action {
            case .show(let notice, let ticket, let replacing):
                let device = notice.key.device
                // At most one, besides a request that was under way when its predecessor was pressed.
                let inFlight = asked.count { $0.ticket.device == device }
                #expect(inFlight < 2, "seed \(seed): asked again and again")
                asked.append((notice, ticket, replacing))
                guard notice.subject == .offer else { continue }
                #expect(!isAway, "seed \(seed): shown to nobody")
                if !notice.isUpdate {
                    #expect(!machine.seen.contains(notice.key), "seed \(seed): \(notice.key) twice")
                }
            case .close(let id): screen[id] = nil
            case .goOn(let activity): goingOn.append(OfferKey(activity))
            case .silence, .keepSeen: break
            }
        }
    }
}

/// SplitMix64.
private struct SeededWalk {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
