// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

@testable import HandoffDaemon

/// The writers of a document besides transfers, as shares of all steps.
struct DocumentWorld: CustomStringConvertible {
    var name: String
    var handOvers: Int
    /// By apps, each based on the content of its device.
    var saves: Int
    /// By a tool with its own versions, which takes the newer one and keeps the loser of a conflict next to it.
    var syncs = 0
    /// An older content is restored.
    var reverts = 0
    /// Content is noted only at transfers; otherwise also when apps save.
    var isNotedAtHandOver = true

    var description: String { name }
}

/// Three devices with one document, transferred by the real state machine. Events record the truth: each save is an
/// event, and includes all earlier events of its device.
struct DocumentWalk: ~Copyable {
    /// The events of each device that a content includes.
    struct Events: Hashable {
        private var (first, second, third) = (0, 0, 0)

        mutating func save(on device: Int, number: Int) {
            switch device {
            case 0: first = number
            case 1: second = number
            default: third = number
            }
        }

        mutating func add(_ other: Events) {
            first = max(first, other.first)
            second = max(second, other.second)
            third = max(third, other.third)
        }

        func hasAll(of other: Events) -> Bool {
            first >= other.first && second >= other.second && third >= other.third
        }
    }

    struct Device {
        var content = 0
        /// The events in the present content.
        var made = Events()
        /// The events in any content so far.
        var seen = Events()
        /// The time of the last write, which identifies the present version.
        var written = 0
        var history = DocumentFixture.history([])
        var past = [0]
    }

    struct Counts: Hashable {
        var handOvers = 0
        var conflicts = 0
        /// Conflicts although one side included all events of the other.
        var needless = 0
        /// Replaced or kept without including all events of the other.
        var wrong = 0
    }

    let world: DocumentWorld
    private(set) var devices = [Device(), Device(), Device()]
    /// Copies next to it on each device, made by the transfer or the tool.
    private var copies: [Set<Int>] = [[], [], []]
    private var versions: [Set<Int>] = [[], [], []]
    private(set) var counts = Counts()
    private(set) var violations: [String] = []
    private var random: Randomness
    private var contents = 1
    private var events = 0
    private var moment = 0
    private var digests = [DocumentFixture.digest(0)]
    /// Contents that a save or the tool overwrote.
    private var overwritten: Set<Int> = []
    /// There are only transfers.
    private var isQuiet = false

    init(_ world: DocumentWorld, seed: UInt64) {
        self.world = world
        random = .seeded(seed)
    }

    mutating func run(steps: Int) {
        let all = world.handOvers + world.saves + world.syncs + world.reverts
        for _ in 0..<steps {
            let device = Int.random(in: 0..<3, using: &random)
            switch Int.random(in: 0..<all, using: &random) {
            case ..<world.handOvers: handOver(from: device, to: other(than: device))
            case ..<(world.handOvers + world.saves): save(on: device)
            case ..<(world.handOvers + world.saves + world.syncs): sync(device, other(than: device))
            default: revert(on: device)
            }
        }
    }

    /// Transfers in a circle without further writes. True: all contents are equal at the end.
    mutating func settle(rounds: Int) -> Bool {
        isQuiet = true
        for _ in 0..<rounds where Set(devices.map(\.content)).count > 1 { goRound() }
        return Set(devices.map(\.content)).count == 1
    }

    mutating func goRound() { for device in 0..<3 { handOver(from: device, to: (device + 1) % 3) } }

    /// Contents that exist nowhere and were not overwritten.
    var lost: [Int] {
        let kept = (copies + versions).reduce(overwritten) { $0.union($1) }.union(devices.map(\.content))
        return (0..<contents).filter { !kept.contains($0) }
    }

    private mutating func other(than device: Int) -> Int { (device + Int.random(in: 1...2, using: &random)) % 3 }
    private mutating func happens(_ percent: Int) -> Bool {
        !isQuiet && Int.random(in: 0..<100, using: &random) < percent
    }

    // MARK: Other programs write

    private mutating func save(on device: Int) {
        digests.append(DocumentFixture.digest(contents))
        contents += 1
        write(contents - 1, on: device)
        if !world.isNotedAtHandOver { note(on: device) }
    }

    private mutating func revert(on device: Int) {
        let content = devices[device].past.randomElement(using: &random) ?? 0
        if content != devices[device].content { write(content, on: device) }
    }

    private mutating func write(_ content: Int, on device: Int) {
        events += 1
        overwritten.insert(devices[device].content)
        var made = devices[device].seen
        made.save(on: device, number: events)
        put(content, made, on: device)
    }

    private mutating func put(_ content: Int, _ made: Events, on device: Int) {
        moment += 1
        devices[device].content = content
        devices[device].made = made
        devices[device].seen.add(made)
        devices[device].written = moment
        devices[device].past.append(content)
        if devices[device].past.count > 8 { devices[device].past.removeFirst() }
    }

    private mutating func sync(_ one: Int, _ two: Int) {
        guard devices[one].content != devices[two].content else { return agree(one, two) }
        let isNewer = devices[one].seen.hasAll(of: devices[two].made)
        let isOlder = devices[two].seen.hasAll(of: devices[one].made)
        let takesFirst = isNewer == isOlder ? devices[one].written > devices[two].written : isNewer
        let (winner, loser) = takesFirst ? (one, two) : (two, one)
        let content = devices[loser].content
        if isNewer == isOlder {
            copies[winner].insert(content)
            devices[winner].seen.add(devices[loser].made)
            copies[loser].insert(content)
        } else {
            overwritten.insert(content)
        }
        put(devices[winner].content, devices[winner].made, on: loser)
    }

    /// Both have the same content.
    private mutating func agree(_ one: Int, _ two: Int) {
        devices[one].made.add(devices[two].made)
        devices[two].made = devices[one].made
        devices[one].seen.add(devices[one].made)
        devices[two].seen.add(devices[one].made)
    }

    // MARK: Transfers

    private mutating func note(on device: Int) {
        devices[device].history.note(
            digests[devices[device].content], of: FileNumber(device: 1, inode: 5), at: WallTime(milliseconds: 0))
    }

    private func found(on device: Int) -> FoundDocument {
        var found = DocumentFixture.found(nil)
        found.hash = digests[devices[device].content]
        found.version.changed = FileTime(nanoseconds: Int64(devices[device].written))
        return found
    }

    private mutating func handOver(from origin: Int, to receiver: Int) {
        counts.handOvers += 1
        note(on: origin)
        let sent = devices[origin]
        var reference = DocumentFixture.reference(nil)
        reference.hash = digests[sent.content]
        reference.known = sent.history.hashes(before: reference.hash)
        var machine = DocumentTransferStateMachine(
            reference: reference,
            target: .container(
                DocumentFixture.container, folder: DocumentFixture.folder, storage: DocumentFixture.disk,
                history: devices[receiver].history),
            continuation: DocumentFixture.continuation, rate: nil)
        let before = copies[receiver].count
        var action = machine.begin(at: .zero)
        for _ in 0..<40 {
            switch action {
            case .look:
                note(on: receiver)
                action = machine.looked(.success(.found(found(on: receiver))), at: .zero)
            case .askApps:
                if happens(10) { save(on: receiver) }
                action = machine.appsLetGo(isSaved: !happens(2), at: .zero)
            case .fetch:
                if happens(5) { save(on: receiver) }
                action = machine.arrived(digests[sent.content], at: .zero)
            case .place(_, let replaces, let keepsCopy):
                if happens(5) { save(on: receiver) }
                action = machine.placed(place(sent, on: receiver, replaces, keepsCopy: keepsCopy), at: .zero)
            case .placeBeside:
                if sent.content == devices[receiver].content { violations.append("a copy of the same bytes") }
                counts.conflicts += 1
                copies[receiver].insert(sent.content)
                action = machine.placed(.placed(DocumentFixture.folder, found(on: receiver)), at: .zero)
            case .finish(let finished):
                if copies[receiver].count > before + 1 { violations.append("two copies of one hand-over") }
                return end(finished, sent, origin, receiver)
            case .find, .placeExactly, .wait, .fail, .nothing:
                return violations.append("\(action)")
            }
        }
        violations.append("a hand-over without an end")
    }

    private mutating func place(
        _ sent: Device, on receiver: Int, _ replaces: FileVersion?, keepsCopy: Bool
    ) -> PlacementOutcome {
        let here = devices[receiver]
        guard replaces == found(on: receiver).version else { return .changedMeanwhile }
        if keepsCopy {
            if here.content == sent.content { violations.append("a copy of the same bytes") }
            counts.conflicts += 1
            if sent.seen.hasAll(of: here.made) || here.seen.hasAll(of: sent.made) { counts.needless += 1 }
            copies[receiver].insert(here.content)
        } else if !sent.seen.hasAll(of: here.made) {
            counts.wrong += 1
        }
        versions[receiver].insert(here.content)
        put(sent.content, sent.made, on: receiver)
        note(on: receiver)
        return .placed(DocumentFixture.folder, found(on: receiver))
    }

    private mutating func end(
        _ finished: DocumentTransferStateMachine.Finished, _ sent: Device, _ origin: Int, _ receiver: Int
    ) {
        switch finished.fate {
        case .same:
            if sent.content == devices[origin].content { agree(origin, receiver) }
        case .newerHere: if !devices[receiver].seen.hasAll(of: sent.made) { counts.wrong += 1 }
        case .replaced, .conflict: break
        case .created, .copy, .pending, .notTakenAlong: violations.append("\(finished.fate)")
        }
    }
}
