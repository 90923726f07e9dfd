// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
package import Foundation
package import HandoffClient
internal import HandoffSystem
package import HandoffWire

/// The activities of this process and its word with the daemon. One a process; tests make their own.
///
/// The lock orders what is said to the daemon with what it is said about: frames are sent while it is held, which never
/// blocks. Hooks are called outside it. Order of locks: the center's, a record's, the connection's.
package final class ActivityCenter: Sendable {
    package struct Environment: Sendable {
        package var locations: Locations
        package var bundle: BundleID?
        package var name: String
        package var launchToken: LaunchToken?
        /// What this process was started for; nil for one that its user started.
        package var launchActivityType: ActivityType?
        /// Without the program's name.
        package var launchArguments: [String] = []
        package var timings = DaemonConnection.Timings()
        /// Makes the line to the daemon.
        package var line: @Sendable (Self) -> any DaemonLine = {
            DaemonConnection(locations: $0.locations, timings: $0.timings)
        }
        /// One line.
        package var log: @Sendable (String) -> Void
        package var now: @Sendable () -> Date = { Date() }
        package var instant: @Sendable () -> ContinuousClock.Instant = { .now }
        /// False where the thread that would wait for the daemon is the daemon's own.
        package var mayWait = true
        /// Runs its argument once, in the background, after so long.
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
        /// Those that were current and are not invalidated.
        var records: [ActivityID: ActivityRecord] = [:]
        var current: ActivityRecord?
        /// What the daemon was told last on this connection.
        var published: Publication?
        var pace = PublishingPace()
        /// What it was told last on the one before, and may still offer.
        var left: ActivityID?
        var continuations = ContinuationLedger()
        var streams: [StreamID: KnownStream] = [:]
        var deletions = SavedDeletions()
        var files = FilesState()
        /// Sentences that were said, and are said once.
        var said: Set<String> = []
        var isOutageLogged = false
        var lastRefusal: Failure?
    }

    package static let shared = ActivityCenter(.thisProcess)

    /// Set where one process stands for several, as in a test with two devices: whose code runs here.
    @TaskLocal package static var simulated: ActivityCenter?

    /// Of the process that the calling code is part of.
    package static var current: ActivityCenter { simulated ?? shared }

    /// On time, however many hooks of apps do not return.
    static let alarms = DispatchQueue(label: "handoff.alarms", qos: .default)

    package let environment: Environment
    let state: Lock<State>
    /// Who of this process uses and presents which files.
    let coordination = FileCoordination()
    /// Those that were begun and have not returned.
    private let hooks = DispatchGroup()
    /// Opens what states name. A file system that does not answer holds one thread, however often the app is asked.
    let files = DispatchQueue(label: "handoff.files", qos: .default)

    package init(_ environment: Environment) {
        self.environment = environment
        self.state = Lock(State(launchToken: environment.launchToken))
    }

    deinit { state.withLock { $0.connection }?.close() }

    /// One line, for the app's developer.
    package func log(_ line: String) { environment.log(line) }

    /// For what is there and has no effect on this system: a process says it once, however often the app asks. `line` is
    /// constant.
    package func logOnce(_ line: String) {
        if state.withLock({ $0.said.insert(line).inserted }) { log(line) }
    }

    package var handler: (any ContinuationHandler)? { state.withLock { $0.handler } }

    // MARK: The app's hooks

    /// Runs code of the app in the background.
    func runHook(on queue: DispatchQueue, _ hook: @escaping @Sendable () -> Void) {
        queue.async(group: hooks) { self.run(hook) }
    }

    /// Runs code of the app, which finds this center to be its own.
    package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        self === Self.shared ? try body() : try Self.$simulated.withValue(self, operation: body)
    }

    package var isRunningHooks: Bool { hooks.wait(timeout: .now()) == .timedOut }

    /// `body` is called once no hook runs in the background.
    package func whenHooksReturned(_ body: @escaping @Sendable () -> Void) {
        hooks.notify(queue: .global(), execute: body)
    }

    /// From now on this process also continues activities.
    package func receive(with handler: any ContinuationHandler) {
        // The one before goes outside the lock: activities may go with it, which takes the lock.
        let before = state.withLock { $0.handler }
        defer { withExtendedLifetime(before) {} }
        let deletion = state.withLock { state in
            state.handler = handler
            // The hello says so.
            if let connection = state.connection { connection.reconnect() } else { connect(&state) }
            return state.deletions.forHandler.take()
        }
        if let deletion { handler.deleteSaved(deletion) {} }
    }

    // MARK: What the app says

    func becomeCurrent(_ record: ActivityRecord) {
        state.withLock { state in
            if state.current === record {
                // What is due says so already.
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

    /// Several changes before the connection's thread runs are published as one.
    func offerChanged(_ record: ActivityRecord) {
        state.withLock { state in
            if state.current === record, state.isConnected { state.connection?.wake() }
        }
    }

    /// For the daemon to ask for a save at some calm moment.
    func stateChanged(_ record: ActivityRecord) {
        state.withLock { state in
            if state.current === record, state.published?.activity == record.id {
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
    package static var thisProcess: Self {
        let process = ThisProcess.current
        let log: @Sendable (String) -> Void = { line in
            // Where nobody listens it is lost: no reason for the app to end.
            try? FileHandle.standardError.write(contentsOf: Data("handoff: \(line)\n".utf8))
        }
        if let problem = process.bundleProblem { log("\(problem); the app is treated as one without a bundle") }
        var environment = Self(
            locations: process.locations, bundle: process.bundle?.identifier, name: process.name,
            launchToken: ThisProcess.launchToken, log: log)
        environment.launchActivityType = ThisProcess.launchActivityType
        environment.launchArguments = Array(CommandLine.arguments.dropFirst())
        return environment
    }
}
