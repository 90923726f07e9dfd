// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

/// Two simulated devices, an app on each, and an activity that was continued from one to the other.
final class StreamPair {
    let simulation: Simulation
    let origin: SimulatedDevice
    let receiver: SimulatedDevice
    let editor: SimulatedApp
    let viewer: SimulatedApp
    let activity: ActivityID
    let continuation: ContinuationID

    private init(
        simulation: Simulation, origin: SimulatedDevice, receiver: SimulatedDevice, editor: SimulatedApp,
        viewer: SimulatedApp, activity: ActivityID,
        continuation: ContinuationID
    ) {
        self.simulation = simulation
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
        let simulation = try Simulation.founded(seed: seed)
        return try made(
            in: simulation, from: simulation.devices[origin], to: simulation.devices[receiver],
            supportsStreams: supportsStreams,
            streamed: streamed)
    }

    static func made(
        in simulation: Simulation, from origin: SimulatedDevice, to receiver: SimulatedDevice,
        supportsStreams: Bool = true,
        streamed: [UInt8]? = []
    ) throws -> StreamPair {
        let editor = try #require(origin.open(simulation.installed[0]))
        editor.streamed = streamed
        let activity = ActivityID.random(using: &simulation.random)
        editor.publish(publication(activity, supportsStreams: supportsStreams))
        simulation.time.advance(by: .milliseconds(500))
        let before = Set(receiver.apps.flatMap { Array($0.told.keys) })
        receiver.wish(for: activity)
        var found: (SimulatedApp, ContinuationID)?
        _ = simulation.time.run(
            until: {
                for app in receiver.apps {
                    let new = app.told.first { !before.contains($0.key) && $0.value.count == 2 }
                    if let new { found = (app, new.key) }
                }
                return found != nil
            }, within: .seconds(10))
        let (viewer, continuation) = try #require(found)
        return StreamPair(
            simulation: simulation, origin: origin, receiver: receiver, editor: editor, viewer: viewer,
            activity: activity,
            continuation: continuation)
    }

    static func publication(_ activity: ActivityID, supportsStreams: Bool = true) -> Publication {
        Publication(
            activity: activity, type: try! ActivityType("com.example.editing"), supportsStreams: supportsStreams)
    }

    @discardableResult
    func open(sends: [UInt8] = []) -> SimulatedStream { viewer.openStream(continuation, sends: sends) }

    var far: SimulatedStream? { editor.streams.last }

    /// Runs until both ends are done.
    func finish(within limit: Duration = .seconds(60)) -> Bool {
        simulation.time.run(
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
