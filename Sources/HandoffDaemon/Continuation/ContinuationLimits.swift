// SPDX-License-Identifier: Apache-2.0

import HandoffCore

struct ContinuationLimits: Hashable, Sendable {
    /// From the app's start to its hello.
    var launch: Duration = .seconds(20)
    /// The receiving app's will-continue hook.
    var announce: Duration = .seconds(5)
    /// From the request to the origin's app to its state.
    var save: Duration = .seconds(8)
    /// The whole fetch at the receiver: longer than `save` and `DocumentLimits.prepare` together, so that the origin's
    /// own answer arrives first.
    var fetch: Duration = .seconds(16)
    /// The receiving app's continue hook.
    var deliver: Duration = .seconds(10)
    /// Fetches of one device that wait for an app simultaneously.
    var fetchesPerDevice = 8
    /// Answered fetches that still accept `continued`.
    var answeredFetches = 64
    var continuedWithin: Duration = .seconds(120)
}
