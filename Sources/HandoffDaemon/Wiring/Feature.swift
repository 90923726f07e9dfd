// SPDX-License-Identifier: Apache-2.0

internal import ServiceLifecycle

/// A service on the daemon's one event loop. It owns a state machine and carries out its actions through ports. It is
/// synchronous, and only used on the loop.
package protocol Feature: AnyObject {
    /// For logs and errors: "Discovery".
    static var name: String { get }
    /// Called once, in dependency order, on the loop.
    func start() throws
    /// Called once, in reverse order, on the loop.
    func stop()
}

/// Runs one feature in the daemon's service group: starts it on the loop, waits for the end, stops it on the loop.
package struct FeatureService: Service {
    package let name: String
    private let start: @Sendable () async throws -> Void
    private let stop: @Sendable () async -> Void

    package init(
        name: String, start: @escaping @Sendable () async throws -> Void, stop: @escaping @Sendable () async -> Void
    ) {
        self.name = name
        self.start = start
        self.stop = stop
    }

    package func run() async throws {
        try await start()
        try? await gracefulShutdown()
        await stop()
    }
}
