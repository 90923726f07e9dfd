// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

/// Two simulated devices, an app on each, and an activity that was continued from one to the other.
final class StreamPair {
    let town: Town
    let origin: TownDevice
    let receiver: TownDevice
    let editor: TownApp
    let viewer: TownApp
    let activity: ActivityID
    let continuation: ContinuationID

    private init(
        town: Town, origin: TownDevice, receiver: TownDevice, editor: TownApp, viewer: TownApp, activity: ActivityID,
        continuation: ContinuationID
    ) {
        self.town = town
        self.origin = origin
        self.receiver = receiver
        self.editor = editor
        self.viewer = viewer
        self.activity = activity
        self.continuation = continuation
    }

    /// `streamed`: the bytes that the origin's app sends on each stream; nil: it accepts no streams.
    static func made(
        seed: UInt64 = 1, from origin: Int = 0, to receiver: Int = 1, supportsStreams: Bool = true,
        streamed: [UInt8]? = []
    ) throws -> StreamPair {
        let town = try Town.founded(seed: seed)
        return try made(
            in: town, from: town.devices[origin], to: town.devices[receiver], supportsStreams: supportsStreams,
            streamed: streamed)
    }

    static func made(
        in town: Town, from origin: TownDevice, to receiver: TownDevice, supportsStreams: Bool = true,
        streamed: [UInt8]? = []
    ) throws -> StreamPair {
        let editor = try #require(origin.open(town.installed[0]))
        editor.streamed = streamed
        let activity = ActivityID.random(using: &town.random)
        editor.publish(publication(activity, supportsStreams: supportsStreams))
        town.time.advance(by: .milliseconds(500))
        let before = Set(receiver.apps.flatMap { Array($0.told.keys) })
        receiver.wish(for: activity)
        var found: (TownApp, ContinuationID)?
        _ = town.time.run(
            until: {
                for app in receiver.apps {
                    let new = app.told.first { !before.contains($0.key) && $0.value.count == 2 }
                    if let new { found = (app, new.key) }
                }
                return found != nil
            }, within: .seconds(10))
        let (viewer, continuation) = try #require(found)
        return StreamPair(
            town: town, origin: origin, receiver: receiver, editor: editor, viewer: viewer, activity: activity,
            continuation: continuation)
    }

    static func publication(_ activity: ActivityID, supportsStreams: Bool = true) -> Publication {
        Publication(
            activity: activity, type: try! ActivityType("com.example.editing"), supportsStreams: supportsStreams)
    }

    @discardableResult
    func open(sends: [UInt8] = []) -> TownStream { viewer.openStream(continuation, sends: sends) }

    var far: TownStream? { editor.streams.last }

    /// Runs until both ends are done.
    func finish(within limit: Duration = .seconds(60)) -> Bool {
        town.time.run(
            until: { (viewer.streams + editor.streams).allSatisfy(\.isOver) && daemonsAreIdle }, within: limit)
    }

    var daemonsAreIdle: Bool { origin.streamCount == 0 && receiver.streamCount == 0 }

    /// Many bytes repeat with a period that no piece has, so that lost or swapped pieces are noticed.
    static func bytes(_ count: Int, seed: UInt64 = 3) -> [UInt8] {
        let period = 1_048_573
        var random = Randomness.seeded(seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + period)
        while bytes.count < min(count, period) {
            withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) }
        }
        let block = Array(bytes.prefix(period))
        while bytes.count < count { bytes += block }
        return Array(bytes.prefix(count))
    }
}
