// SPDX-License-Identifier: Apache-2.0

/// How long each part of a continuation may take, and how much of it one peer may ask for.
package struct ContinuationLimits: Hashable, Sendable {
    /// From the app's start to its hello.
    package var launch: Duration = .seconds(20)
    /// The receiving app's will-continue hook.
    package var announce: Duration = .seconds(5)
    /// The origin's app, from the request to its state.
    package var save: Duration = .seconds(8)
    /// The whole fetch as the receiver sees it: longer than `save` and `DocumentLimits.prepare` together, so that the
    /// origin's own word arrives first.
    package var fetch: Duration = .seconds(16)
    /// The receiving app's continue hook.
    package var deliver: Duration = .seconds(10)
    /// Fetches of one device that wait for an app at the same time.
    package var fetchesPerDevice = 8
    /// Answered fetches whose `continued` may still come.
    package var answeredFetches = 64
    /// How long it may take to come.
    package var continuedWithin: Duration = .seconds(120)

    package init() {}
}
