// SPDX-License-Identifier: Apache-2.0

import HandoffCore

/// Chooses the player that is offered, and spaces the messages about it. A playing player precedes a paused player, then the
/// latest to change is first.
struct MediaStateMachine {
    /// Between two messages, so that a player that changes continually costs at most two a second. Withdrawing never waits.
    static let spacing = Duration.milliseconds(500)
    /// Until a wrong position is reported: a player that opens something else changes its position first, and the new activity
    /// must not wait for `spacing`.
    static let patience = Duration.milliseconds(250)

    struct Media: Hashable, Sendable {
        var source: ProgramState.Source
        var title: String

        init(source: ProgramState.Source, title: String) {
            self.source = source
            self.title = title
        }
    }

    enum Playing: Hashable, Sendable {
        case playing
        case paused
        case stopped
    }

    enum Message: Hashable, Sendable {
        /// In place of the previous one.
        case publish(Media, of: PlayerName)
        case update(title: String)
        /// The last saved position is wrong.
        case changed
        case withdraw
    }

    private struct Player {
        var media: Media?
        var playing: Playing
        /// Larger: changed later.
        var order: UInt64
    }

    /// As the daemon has it.
    var offered: Media? { told?.media }

    private struct Told {
        var media: Media
        var player: PlayerName
    }

    private var players: [PlayerName: Player] = [:]
    private var changes: UInt64 = 0
    private var told: Told?
    private var isStale = false { didSet { if !isStale { staleTime = nil } } }
    /// When `changed` is due.
    private var staleTime: Instant?
    private var free: Instant = .zero

    init() {}

    // MARK: Players

    /// `media` nil: nothing that may continue.
    mutating func changed(_ name: PlayerName, _ media: Media?, _ playing: Playing) {
        let before = players[name]
        let isNew = before?.media?.source != media?.source || before?.playing != playing
        if isNew { changes += 1 }
        players[name] = Player(media: media, playing: playing, order: isNew ? changes : before?.order ?? 0)
        if isNew, name == told?.player { isStale = true }
    }

    mutating func moved(_ name: PlayerName) { if name == told?.player { isStale = true } }
    mutating func left(_ name: PlayerName) { players[name] = nil }
    mutating func allLeft() { players = [:] }

    // MARK: The daemon

    /// The player whose position is requested. Nil: its activity is gone.
    mutating func saved() -> PlayerName? {
        isStale = false
        return told?.player
    }

    /// Returns the player to pause.
    func wasContinued() -> PlayerName? {
        told.flatMap { players[$0.player]?.playing == .playing ? $0.player : nil }
    }

    /// The daemon, or this program's registration, has forgotten everything.
    mutating func forgotten() {
        told = nil
        isStale = false
    }

    private var front: Told? {
        let offered = players.compactMap { name, player in
            player.media.flatMap { player.playing == .stopped ? nil : (name, player, $0) }
        }
        let first = offered.max { left, right in
            let (isLeft, isRight) = (left.1.playing == .playing, right.1.playing == .playing)
            return isLeft == isRight ? left.1.order < right.1.order : isRight
        }
        return first.map { Told(media: $0.2, player: $0.0) }
    }

    mutating func next(_ now: Instant) -> Message? {
        guard let front else {
            guard told != nil else { return nil }
            forgotten()
            return .withdraw
        }
        guard let message = message(about: front) else { return nil }
        if message == .changed, staleTime == nil { staleTime = now.advanced(by: Self.patience) }
        guard now >= time(of: message) else { return nil }
        free = now.advanced(by: Self.spacing)
        told = front
        isStale = false
        return message
    }

    private func message(about front: Told) -> Message? {
        guard let told, told.player == front.player, told.media.source == front.media.source else {
            return .publish(front.media, of: front.player)
        }
        if told.media.title != front.media.title { return .update(title: front.media.title) }
        return isStale ? .changed : nil
    }

    private func time(of message: Message) -> Instant {
        message == .changed ? max(free, staleTime ?? free) : free
    }

    /// When `next` has a message that must wait. Nil: none.
    var nextTime: Instant? { front.flatMap(message(about:)).map(time(of:)) }
}

/// A player's unique name on the bus, which is never reused.
struct PlayerName: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }
}
