// SPDX-License-Identifier: Apache-2.0

internal import ServiceLifecycle

/// A feature's owner: a class that lives on the daemon's one loop, owns its machine, and carries out its actions
/// through ports. Everything it does is synchronous; it is never touched from anywhere but the loop.
package protocol Feature: AnyObject {
    /// Shown in logs and errors: "Discovery".
    static var name: String { get }
    /// Called once, in dependency order, on the loop.
    func start() throws
    /// Called once, in reverse order, on the loop.
    func stop()
}

/// One feature as a member of the daemon's service group: starts it on the loop, waits for the end, stops it on the loop.
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
