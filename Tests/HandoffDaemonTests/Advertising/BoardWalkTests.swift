// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Seeded walks: a board, a peer that receives everything, and one that misses much. Shows A18, L13.
@Suite struct BoardWalkTests {
    @Test(arguments: 0..<300 as Range<UInt64>)
    func peersConvergeToTheBoard(seed: UInt64) {
        var walk = BoardWalk(seed: seed)
        for _ in 0..<200 { walk.step() }
        walk.becomeQuiet()
    }
}

private struct BoardWalk: ~Copyable {
    private enum Message {
        case delta(BoardDelta)
        case snapshot(BoardSnapshot)
    }

    private let limits: BoardLimits = {
        var limits = BoardLimits()
        limits.offers = 5
        limits.burst = 3
        limits.spacing = .milliseconds(100)
        limits.keep = .milliseconds(400)
        limits.expiry = .milliseconds(900)
        return limits
    }()
    private let seed: UInt64
    private var random: Randomness
    private var board: BoardStateMachine
    private var now = Instant.zero
    private var titles = 0
    private var isAway = false
    private var attentive = PeerBoard()
    /// Receives messages late, and loses some.
    private var forgetful = PeerBoard()
    private var underway: [Message] = []
    /// When each app's changes were sent to peers.
    private var announcements: [BundleID?: [Instant]] = [:]
    private var upserted = 0
    private var withdrawn = 0

    init(seed: UInt64) {
        self.seed = seed
        random = .seeded(seed)
        board = BoardStateMachine(limits: limits)
        _ = attentive.snapshotReceived(board.snapshot, wall: wall)
    }

    private var wall: WallTime { BoardFixture.wall(now) }
    /// Clients 1 and 2 are processes of one app, 5 and 6 scripts.
    private static let apps: [ClientID: Int] = [1: 1, 2: 1, 3: 2, 4: 3]
    private static let scripts: Set<ClientID> = [5, 6]

    mutating func step() {
        let client = ClientID(UInt64.random(in: 1...6, using: &random))
        switch Int.random(in: 0..<15, using: &random) {
        case 0...4: publish(by: client)
        case 5:
            let activity = BoardFixture.activity(UInt8.random(in: 0..<20, using: &random))
            let app = Self.apps[client].map(BoardFixture.app)
            take(board.withdrawn(activity, by: client, of: app, now: now, wall: wall))
        case 6: take(board.clientClosed(client, now: now, wall: wall))
        case 7...8: advance(by: .milliseconds(Int.random(in: 1...150, using: &random)))
        case 9: take(board.clientQuit(client, saved: wall, now: now, wall: wall))
        case 10:
            if let entry = board.offers.randomElement(using: &random), let client = board.entryClient(entry.activity) {
                let isThere = board.refreshed(entry.activity, by: client, now: now)
                #expect(isThere, "seed \(seed)")
            }
        case 11: turn(away: !isAway)
        default: deliver(mayLose: true)
        }
        checkInvariants()
    }

    private mutating func publish(by client: ClientID) {
        titles += 1
        let expires = Int.random(in: 0..<6, using: &random) == 0 ? Int.random(in: -50...400, using: &random) : nil
        let offer = BoardFixture.offer(
            UInt8.random(in: 0..<20, using: &random), of: Self.apps[client], title: "title \(titles)", at: now,
            expires: expires.map { now.sinceZero + .milliseconds($0) })
        let isHeld = Self.scripts.contains(client)
        switch board.published(offer, by: client, isHeld: isHeld, now: now, wall: wall) {
        case .update(let update):
            #expect(offer.isExpired(at: wall) || board.entryClient(offer.activity) == client, "seed \(seed)")
            take(update)
        case .refuse: break
        }
    }

    /// The absence must not change the board's offers or order, apart from expired offers.
    private mutating func turn(away: Bool) {
        let (before, owners) = (board.offers, board.kept)
        take(board.userIsAway(away, now: now, wall: wall))
        isAway = away
        let (after, kept) = (board.offers, board.kept)
        let fewer = away ? after : before
        let more = away ? before : after
        #expect(more.filter(fewer.contains) == fewer.filter { !$0.isExpired(at: wall) }, "seed \(seed)")
        #expect(owners.filter { !$0.isExpired(at: wall) } == kept, "seed \(seed)")
    }

    /// Handles all deadlines in between, as an alarm would.
    private mutating func advance(by duration: Duration) {
        let end = now.advanced(by: duration)
        while let deadline = board.nextDeadline, deadline <= end {
            now = max(now, deadline)
            take(board.deadlineReached(now: now, wall: wall))
        }
        now = end
    }

    private mutating func take(_ update: BoardUpdate) {
        guard let delta = update.delta else { return }
        for app in Set(delta.upserted.map(\.bundle)) { announcements[app, default: []].append(now) }
        upserted += delta.upserted.count
        withdrawn += delta.withdrawn.count
        #expect(attentive.deltaReceived(delta, wall: wall) != .askForSnapshot, "seed \(seed)")
        underway.append(.delta(delta))
    }

    private mutating func deliver(mayLose: Bool) {
        guard !underway.isEmpty else { return }
        let message = underway.removeFirst()
        let isLost = mayLose && Int.random(in: 0..<4, using: &random) == 0
        switch message {
        case .snapshot where isLost: forgetful.snapshotFailed()
        case .snapshot(let snapshot): _ = forgetful.snapshotReceived(snapshot, wall: wall)
        case .delta where isLost: break
        case .delta(let delta):
            guard forgetful.deltaReceived(delta, wall: wall) == .askForSnapshot else { return }
            underway.append(.snapshot(board.snapshot))
        }
    }

    private mutating func checkInvariants() {
        _ = attentive.expire(wall: wall)
        #expect(attentive.offers == board.snapshot.offers.filter { !$0.isExpired(at: wall) }, "seed \(seed)")
        let own = board.offers
        #expect(own.count <= limits.offers, "seed \(seed)")
        let publishers = own.compactMap { board.entryClient($0.activity) }
        let kept = board.kept
        if isAway {
            #expect(Set(publishers).isSubset(of: Self.scripts), "seed \(seed): a script's alone")
            #expect(publishers.count == own.count, "seed \(seed)")
            #expect(attentive.offers.allSatisfy { $0.bundle == nil }, "seed \(seed): also to peers")
            return
        }
        #expect(Set(publishers).count == publishers.count, "seed \(seed): one current activity a client")
        #expect(publishers.count + kept.count == own.count, "seed \(seed)")
        #expect(own.filter { $0.saved != nil } == kept, "seed \(seed): marked if and only if its app quit")
        for offer in kept {
            #expect(own.count { $0.bundle == offer.bundle } == 1, "seed \(seed): nothing beside what is kept of an app")
        }
        #expect(own == own.sorted(by: Offer.newestFirst), "seed \(seed)")
        #expect(withdrawn <= upserted, "seed \(seed)")
        for times in announcements.values {
            // Any `burst + n` announcements take at least n spacings.
            for (first, last) in zip(times, times.dropFirst(limits.burst)) {
                #expect(first.duration(to: last) >= limits.spacing, "seed \(seed): too fast")
            }
            if let first = times.first, let last = times.last {
                let bound = Duration.milliseconds(100) * (times.count - limits.burst)
                #expect(first.duration(to: last) >= bound, "seed \(seed): too many")
            }
        }
    }

    mutating func becomeQuiet() {
        turn(away: false)
        advance(by: .seconds(10))
        // A change that arrives repairs all losses.
        take(board.clientClosed(1, now: now, wall: wall))
        publish(by: 1)
        advance(by: .seconds(10))
        while !underway.isEmpty { deliver(mayLose: false) }
        _ = attentive.expire(wall: wall)
        _ = forgetful.expire(wall: wall)
        let own = board.offers
        #expect(attentive.offers == own, "seed \(seed): the newest state arrived")
        #expect(forgetful.offers == own, "seed \(seed): agreed after loss")
    }
}

extension BoardStateMachine {
    fileprivate func entryClient(_ activity: ActivityID) -> ClientID? { entry(activity)?.client }
}
