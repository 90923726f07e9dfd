// SPDX-License-Identifier: Apache-2.0

package struct StreamLimits: Hashable, Sendable {
    /// The lifetime of a token for an app or a device.
    package var token: Duration = .seconds(10)
    /// How long the origin's app may take to answer a request for a stream.
    package var agree: Duration = .seconds(5)
    /// The time limit of that request at the receiver: longer than `agree`, so that the origin's own answer arrives
    /// first.
    package var ask: Duration = .seconds(8)
    /// How long a stream may wait before the other device is asked.
    package var turn: Duration = .seconds(10)
    /// How long an app may take to confirm the number of bytes after they ended. Long enough for a busy machine; a
    /// crash is detected immediately by the client's connection.
    package var word: Duration = .seconds(10)
    /// Requests to one device at a time; further ones wait. Half of the requests that a session allows.
    package var asksPerDevice = 32
    package var setUpsPerClient = 128
    package var setUpsPerDevice = 160
    /// Streams of one client, including those in setup.
    package var streamsPerClient = 192
    /// Streams of all clients. Each uses two descriptors.
    package var streams = 384
    /// Continuations per device that may still request streams; the oldest are dropped.
    package var grantsPerDevice = 64
    /// Continuations per client that may still request streams; the oldest are dropped.
    package var deliveriesPerClient = 64

    package init() {}
}
