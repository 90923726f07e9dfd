// SPDX-License-Identifier: Apache-2.0

import HandoffCore

struct StreamLimits: Hashable, Sendable {
    /// The lifetime of a token for an app or a device.
    var token: Duration = .seconds(10)
    /// How long the origin's app may take to answer a request for a stream.
    var agree: Duration = .seconds(5)
    /// The time limit of that request at the receiver: longer than `agree`, so that the origin's own answer arrives
    /// first.
    var ask: Duration = .seconds(8)
    /// How long a stream may wait before the other device is asked.
    var turn: Duration = .seconds(10)
    /// How long an app may take to confirm the number of bytes after they ended. Long enough for a busy machine; a
    /// crash is detected immediately by the client's connection.
    var word: Duration = .seconds(10)
    /// Requests to one device at a time; further ones wait. Half of the requests that a session allows.
    var asksPerDevice = 32
    var setUpsPerClient = 128
    var setUpsPerDevice = 160
    /// Streams of one client, including those in setup.
    var streamsPerClient = 192
    /// Streams of all clients. Each uses two descriptors.
    var streams = 384
    /// Continuations per device that may still request streams; the oldest are dropped.
    var grantsPerDevice = 64
    /// Continuations per client that may still request streams; the oldest are dropped.
    var deliveriesPerClient = 64
}
