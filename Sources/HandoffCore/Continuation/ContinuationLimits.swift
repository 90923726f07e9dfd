// SPDX-License-Identifier: Apache-2.0

package struct ContinuationLimits: Hashable, Sendable {
    /// From the app's start to its hello.
    package var launch: Duration = .seconds(20)
    /// The receiving app's will-continue hook.
    package var announce: Duration = .seconds(5)
    /// From the request to the origin's app to its state.
    package var save: Duration = .seconds(8)
    /// The whole fetch at the receiver: longer than `save` and `DocumentLimits.prepare` together, so that the origin's
    /// own answer arrives first.
    package var fetch: Duration = .seconds(16)
    /// The receiving app's continue hook.
    package var deliver: Duration = .seconds(10)
    /// Fetches of one device that wait for an app simultaneously.
    package var fetchesPerDevice = 8
    /// Answered fetches that still accept `continued`.
    package var answeredFetches = 64
    package var continuedWithin: Duration = .seconds(120)

    package init() {}
}
