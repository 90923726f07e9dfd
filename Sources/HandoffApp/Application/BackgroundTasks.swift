// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Glibc
internal import HandoffClient
internal import HandoffSystem

/// Identifies work of `beginBackgroundTask`.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Identifies no work.
    public static let invalid = Self(rawValue: 0)
}

extension UIApplication {
    /// Begins work that must finish before the app ends. `run()`, `terminate()` and `terminate(_:)` wait up to 30
    /// seconds, then call `handler` on the main thread. May be called on any thread.
    ///
    /// On the main queue, call `terminate(_:)`: `terminate()` cannot serve that queue and waits 5 seconds. Once work
    /// has begun in an app in `run()`, SIGTERM calls `terminate(_:)`.
    nonisolated public func beginBackgroundTask(
        withName taskName: String? = nil, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        let (identifier, isFirst) = backgroundTasks.begin(taskName, handler)
        if isFirst { onMainThread { self.terminateOnSignal() } }
        return identifier
    }

    /// Ends the work, once. May be called on any thread.
    nonisolated public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        if backgroundTasks.end(identifier) { onMainThread {} }
    }

    /// In seconds; unlimited until the app ends.
    nonisolated public var backgroundTimeRemaining: TimeInterval { backgroundTasks.remaining }

    /// Leaves a program's own handler, as in GTK apps.
    private func terminateOnSignal() {
        guard isRunning else { return }
        var action = sigaction()
        guard sigaction(SIGTERM, nil, &action) == 0, action.__sigaction_handler.sa_handler == nil else { return }
        let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
        source.setEventHandler { MainActor.assumeIsolated { self.terminate(nil) } }
        source.activate()
        endingSignal = source
    }

    func finishBackgroundTasks() {
        guard backgroundTasks.expire(after: backgroundTimeLimit) else { return }
        let isServed = Lock(false)
        DispatchQueue.main.async { isServed.withLock { $0 = true } }
        let patience = ContinuousClock.now + .seconds(5)
        while let remaining = backgroundTasks.timeToWait, isServed.withLock({ $0 }) || patience > .now {
            let end = Date(timeIntervalSinceNow: min(remaining, 0.05))
            // Without a source, it returns at once.
            if !RunLoop.current.run(mode: .default, before: end) { Thread.sleep(until: end) }
        }
        for task in backgroundTasks.leftOver() {
            environment.log("the app quits before its background task \(task.name) has ended")
            task.expired?()
        }
    }
}

final class BackgroundTasks: Sendable {
    struct Work: Sendable {
        let name: String
        let expired: (@MainActor @Sendable () -> Void)?
    }

    private struct State {
        var last = 0
        var open: [UIBackgroundTaskIdentifier: Work] = [:]
        /// Nil unless the app is ending.
        var end: ContinuousClock.Instant?
    }

    private let state = Lock(State())

    func begin(
        _ name: String?, _ expired: (@MainActor @Sendable () -> Void)?
    ) -> (UIBackgroundTaskIdentifier, isFirst: Bool) {
        state.withLock { state in
            state.last += 1
            let identifier = UIBackgroundTaskIdentifier(rawValue: state.last)
            state.open[identifier] = Work(name: name ?? "\(state.last)", expired: expired)
            return (identifier, state.last == 1)
        }
    }

    /// True if this was the last work.
    func end(_ identifier: UIBackgroundTaskIdentifier) -> Bool {
        state.withLock { $0.open.removeValue(forKey: identifier) != nil && $0.open.isEmpty }
    }

    /// False if no work is open.
    func expire(after limit: Duration) -> Bool {
        state.withLock { state in
            state.end = .now + limit
            return !state.open.isEmpty
        }
    }

    /// In seconds; nil at the end of all work or of the limit.
    var timeToWait: TimeInterval? {
        state.withLock { state in
            guard !state.open.isEmpty, let end = state.end, end > .now else { return nil }
            return (end - .now) / .seconds(1)
        }
    }

    var remaining: TimeInterval {
        state.withLock { state in
            state.end.map { max(0, ($0 - .now) / .seconds(1)) } ?? .greatestFiniteMagnitude
        }
    }

    func leftOver() -> [Work] {
        state.withLock { state in state.open.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value) }
    }
}
