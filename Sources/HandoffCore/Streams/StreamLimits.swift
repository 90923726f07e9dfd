// SPDX-License-Identifier: Apache-2.0

/// How long each part of a stream's set-up may take, and how many streams there may be.
package struct StreamLimits: Hashable, Sendable {
    /// How long a token counts, an app's or a device's.
    package var token: Duration = .seconds(10)
    /// The origin's app, from being asked for a stream to its word.
    package var agree: Duration = .seconds(5)
    /// The question as the receiver sees it: longer than `agree`, so that the origin's own word arrives first.
    package var ask: Duration = .seconds(8)
    /// How long an opening waits for its turn to be asked for.
    package var turn: Duration = .seconds(10)
    /// Bytes of an app came to their end: how long its word may take that they were all. Long, for a busy machine: that an
    /// app has died its client's connection says at once.
    package var word: Duration = .seconds(10)
    /// Openings that one device is asked for at a time; others wait for their turn. Half of what a session lets wait.
    package var asksPerDevice = 32
    /// Streams of one client that are being set up.
    package var setUpsPerClient = 128
    /// Streams with one device that are being set up.
    package var setUpsPerDevice = 160
    /// Streams of one client, those that are being set up among them.
    package var streamsPerClient = 192
    /// Streams of all clients. Each takes two descriptors.
    package var streams = 384
    /// Continuations of one device that may still ask for streams; the oldest give way.
    package var grantsPerDevice = 64
    /// Continuations of one client that may still ask for streams; the oldest give way.
    package var deliveriesPerClient = 64

    package init() {}
}
