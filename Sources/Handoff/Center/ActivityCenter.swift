// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
package import Foundation
package import HandoffClient
internal import HandoffSystem
package import HandoffWire

/// This process's activities and its connection to the daemon. One per process, except in tests.
///
/// Messages are sent under the lock, in the state's order; sending never blocks. Hooks are called outside it. Lock
/// order: center, record, connection.
package final class ActivityCenter: Sendable {
    package struct Environment: Sendable {
        package var locations: Locations
        package var bundle: BundleID?
        package var name: String
        package var launchToken: LaunchToken?
        /// Nil if the user started the process.
        package var launchActivityType: ActivityType?
        /// Without the program's name.
        package var launchArguments: [String] = []
        package var timings = DaemonConnection.Timings()
        package var line: @Sendable (Self) -> any DaemonLine = {
            DaemonConnection(locations: $0.locations, timings: $0.timings)
        }
        package var log: @Sendable (String) -> Void
        package var now: @Sendable () -> Date = { Date() }
        package var instant: @Sendable () -> ContinuousClock.Instant = { .now }
        /// False if waiting would block the daemon's own thread.
        package var mayWait = true
        /// Runs its argument once, in the background.
        package var wait: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = { delay, work in
            ActivityCenter.alarms.asyncAfter(deadline: .now() + delay.dispatchInterval, execute: work)
        }

        package init(
            locations: Locations, bundle: BundleID? = nil, name: String, launchToken: LaunchToken? = nil,
            log: @escaping @Sendable (String) -> Void
        ) {
            self.locations = locations
            self.bundle = bundle
            self.name = name
            self.launchToken = launchToken
            self.log = log
        }
    }

    struct State: Sendable {
        var connection: (any DaemonLine)?
        var isConnected = false
        var launchToken: LaunchToken?
        var handler: (any ContinuationHandler)?
        /// Activities that were current, not invalidated.
        var records: [ActivityID: ActivityRecord] = [:]
        var current: ActivityRecord?
        var published: Publication?
        /// The current activity, if it is not eligible and the daemon knows.
        var withheld: WithheldActivity?
        var pace = PublishingPace()
        /// Published on the previous connection; the daemon may still offer it.
        var left: ActivityID?
        var continuations = ContinuationLedger()
        var streams: [StreamID: KnownStream] = [:]
        var deletions = SavedDeletions()
        var indexing = IndexRequests()
        var files = FilesState()
        var said: Set<String> = []
        var isOutageLogged = false
        var lastRefusal: Failure?

        /// Whether the daemon may request its state.
        func isKnown(_ activity: ActivityID) -> Bool {
            published?.activity == activity || withheld?.activity == activity
        }
    }

    package static let shared = ActivityCenter(.thisProcess)

    /// Set if one process simulates several, as in a test with two devices.
    @TaskLocal package static var simulated: ActivityCenter?

    package static var current: ActivityCenter { simulated ?? shared }

    /// Dedicated, so that blocked hooks do not delay alarms.
    static let alarms = DispatchQueue(label: "handoff.alarms", qos: .default)

    package let environment: Environment
    let state: Lock<State>
    let coordination = FileCoordination()
    private let hooks = DispatchGroup()
    /// Opens files that states name. An unresponsive file system blocks only this thread.
    let files = DispatchQueue(label: "handoff.files", qos: .default)

    package init(_ environment: Environment) {
        self.environment = environment
        self.state = Lock(State(launchToken: environment.launchToken))
    }

    deinit { state.withLock { $0.connection }?.close() }

    package func log(_ line: String) { environment.log(line) }

    /// For calls that have no effect on this system. `line` is constant.
    package func logOnce(_ line: String) {
        if state.withLock({ $0.said.insert(line).inserted }) { log(line) }
    }

    package var handler: (any ContinuationHandler)? { state.withLock { $0.handler } }

    // MARK: Hooks

    func runHook(on queue: DispatchQueue, _ hook: @escaping @Sendable () -> Void) {
        queue.async(group: hooks) { self.run(hook) }
    }

    /// Runs the app's code with this center as its own.
    package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        self === Self.shared ? try body() : try Self.$simulated.withValue(self, operation: body)
    }

    package var isRunningHooks: Bool { hooks.wait(timeout: .now()) == .timedOut }

    package func whenHooksReturned(_ body: @escaping @Sendable () -> Void) {
        hooks.notify(queue: .global(), execute: body)
    }

    package func receive(with handler: any ContinuationHandler) {
        // Released outside the lock, because releasing its activities takes the lock.
        let before = state.withLock { $0.handler }
        defer { withExtendedLifetime(before) {} }
        let deletion = state.withLock { state in
            state.handler = handler
            // The hello says whether there is a handler.
            if let connection = state.connection { connection.reconnect() } else { connect(&state) }
            return state.deletions.forHandler.take()
        }
        if let deletion { handler.deleteSaved(deletion) {} }
    }

    // MARK: Changes by the app

    func becomeCurrent(_ record: ActivityRecord) {
        state.withLock { state in
            if state.current === record {
                // The waiting change includes this one.
                guard !state.pace.isWaiting(again: true) else { return }
            } else {
                guard record.state.withLock({ !$0.isInvalidated }) else { return }
                connect(&state)
                state.records[record.id] = record
                state.current?.happened(.resignedCurrent)
                state.current = record
                record.happened(.becameCurrent)
            }
            publish(&state, again: true)
        }
    }

    func resignCurrent(_ record: ActivityRecord) {
        state.withLock { resignCurrent(record, &$0) }
    }

    func invalidate(_ record: ActivityRecord) {
        let readers = state.withLock { state in
            resignCurrent(record, &state)
            state.records[record.id] = nil
            return record.state.withLock { record in
                record.isInvalidated = true
                return record.events.removeAll()
            }
        }
        for reader in readers { reader.finish() }
    }

    private func resignCurrent(_ record: ActivityRecord, _ state: inout State) {
        guard state.current === record else { return }
        state.current = nil
        record.happened(.resignedCurrent)
        publish(&state)
    }

    func isCurrent(_ record: ActivityRecord) -> Bool {
        state.withLock { $0.current === record }
    }

    /// The connection's thread publishes, and so combines changes.
    func offerChanged(_ record: ActivityRecord) {
        state.withLock { state in
            if state.current === record, state.isConnected { state.connection?.wake() }
        }
    }

    /// Lets the daemon request a save when convenient.
    func stateChanged(_ record: ActivityRecord) {
        state.withLock { state in
            if state.current === record, state.isKnown(record.id) {
                state.connection?.send(.advertising(.changed(record.id)))
            }
        }
    }

    func connect(_ state: inout State) {
        guard state.connection == nil else { return }
        let connection = environment.line(environment)
        state.connection = connection
        connection.start(self)
    }
}

extension ActivityCenter.Environment {
    static var thisProcess: Self {
        let process = ThisProcess.current
        let log: @Sendable (String) -> Void = { line in
            // A closed standard error must not end the app.
            try? FileHandle.standardError.write(contentsOf: Data("handoff: \(line)\n".utf8))
        }
        if let problem = process.bundleProblem { log("\(problem); the app is treated as a program without a bundle") }
        var environment = Self(
            locations: process.locations, bundle: process.bundle?.identifier, name: process.name,
            launchToken: ThisProcess.launchToken, log: log)
        environment.launchActivityType = ThisProcess.launchActivityType
        environment.launchArguments = Array(CommandLine.arguments.dropFirst())
        return environment
    }
}
