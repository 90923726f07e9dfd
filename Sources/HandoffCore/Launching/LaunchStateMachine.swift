// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Apps that were started and not yet heard of.
///
/// An app is started once for all who wait for it. The start is settled by a client of that app that takes
/// continuations, whoever started it; by the end of the process; or, for each who waits, by a deadline. After the last
/// deadline the next request starts the app again.
///
/// A launch token tells which app a new client is. It counts once, and no longer than its process lives; a slow app
/// may still use it when nobody waits for it any more.
package struct LaunchStateMachine<Waiter>: ~Copyable {
    /// Tokens out at a time. Above it the oldest counts no more.
    package static var maximumTokens: Int { 256 }

    private struct Start {
        let token: LaunchToken
        var waiters: [(waiter: Waiter, deadline: Instant)]
    }

    /// Starts that somebody waits for.
    private var starts: [BundleID: Start] = [:]
    /// Given out and not used, oldest first.
    private var tokens: [(token: LaunchToken, bundle: BundleID)] = []

    package init() {}

    package var nextDeadline: Instant? {
        starts.isEmpty ? nil : starts.values.lazy.flatMap { $0.waiters }.map { $0.deadline }.min()
    }

    package enum RequestAction: Hashable {
        case launch(LaunchToken)
        /// It is starting.
        case wait
    }

    /// Somebody needs an app that has no client. `fresh` becomes its token if it is started.
    package mutating func requested(
        _ bundle: BundleID, by waiter: Waiter, deadline: Instant, fresh: LaunchToken
    ) -> RequestAction {
        if starts[bundle] != nil {
            starts[bundle]?.waiters.append((waiter, deadline))
            return .wait
        }
        starts[bundle] = Start(token: fresh, waiters: [(waiter, deadline)])
        if tokens.count >= Self.maximumTokens { tokens.removeFirst() }
        tokens.append((fresh, bundle))
        return .launch(fresh)
    }

    /// Whether somebody still waits for the start with that token.
    package func isAwaited(_ token: LaunchToken) -> Bool { starts.values.contains { $0.token == token } }

    /// The app that this token was given to; nil for a token unknown, used, or of a process that ended.
    package mutating func redeemed(_ token: LaunchToken) -> BundleID? {
        tokens.firstIndex { $0.token == token }.map { tokens.remove(at: $0).bundle }
    }

    /// A client of this app takes continuations. Those who waited for it, in the order they came.
    package mutating func appConnected(_ bundle: BundleID) -> [Waiter] {
        starts.removeValue(forKey: bundle)?.waiters.map { $0.waiter } ?? []
    }

    /// The process of this start ended or could not be started. Those who wait in vain.
    package mutating func ended(_ token: LaunchToken) -> [Waiter] {
        tokens.removeAll { $0.token == token }
        guard let (bundle, start) = starts.first(where: { $0.value.token == token }) else { return [] }
        starts[bundle] = nil
        return start.waiters.map { $0.waiter }
    }

    /// Those who waited long enough, with the app they waited for.
    package mutating func deadlineReached(now: Instant) -> [(waiter: Waiter, bundle: BundleID)] {
        var late: [(waiter: Waiter, bundle: BundleID)] = []
        for (bundle, start) in starts.sorted(by: { $0.key < $1.key }) {
            late += start.waiters.filter { $0.deadline <= now }.map { ($0.waiter, bundle) }
            let patient = start.waiters.filter { $0.deadline > now }
            starts[bundle] = patient.isEmpty ? nil : Start(token: start.token, waiters: patient)
        }
        return late
    }
}
