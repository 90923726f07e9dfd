// SPDX-License-Identifier: Apache-2.0

package import HandoffBus
internal import HandoffSystem

/// A bus loop on its own thread, for the code of a test.
package actor BusFixture {
    private final class Executor: SerialExecutor {
        let queue: LoopQueue
        init(_ queue: LoopQueue) { self.queue = queue }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.execute { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
    }

    private let executor: Executor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Used only on its own thread, where this actor runs.
    package nonisolated(unsafe) let loop: BusLoop

    /// Ends with the thread.
    private let turns: AsyncStream<Never>

    package init() throws {
        let loop = try BusLoop()
        self.loop = loop
        executor = Executor(loop.queue)
        let (turns, ended) = AsyncStream.makeStream(of: Never.self)
        self.turns = turns
        nonisolated(unsafe) let running = loop
        DetachedThread.start {
            _ = running.run()
            ended.finish()
        }
    }

    /// Keeps a connection while its test runs outside this actor.
    package var guest: Guest?
    package var kept: Guest?

    /// Returns once its thread has stopped. Remaining objects are released by their owners.
    package nonisolated func stop() async {
        await letGo()
        for await _ in turns {}
    }

    /// Connections end on the loop that uses them.
    private func letGo() {
        guest = nil
        kept = nil
        loop.exit(0)
    }
}

/// Runs `body` on the thread of a new fixture. Returns once that thread has stopped.
package func withBusFixture(_ body: @Sendable (isolated BusFixture) async throws -> Void) async throws {
    let fixture = try BusFixture()
    try await body(fixture)
    await fixture.stop()
}

/// With a new bus. `matches`: its limit for each connection.
package func withPrivateBus(
    matches: Int = 50_000, _ body: @Sendable (isolated BusFixture, PrivateBus) async throws -> Void
) async throws {
    let bus = try await PrivateBus(matches: matches)
    try await withBusFixture { fixture in try await body(fixture, bus) }
    withExtendedLifetime(bus) {}
}

/// A test's connection.
extension BusFixture {
    /// Waits until the bus is available.
    package func connect(to address: String) async throws -> Guest {
        let guest = Guest(BusConnector(to: address, on: loop), on: loop)
        try await guest.connected(isolation: self)
        return guest
    }
}

/// Belongs to one `BusFixture`, and is used only on its loop.
package final class Guest {
    package struct Silence: Error, CustomStringConvertible {
        package let description: String
    }

    private let loop: BusLoop
    package let connector: BusConnector
    package private(set) var connection: BusConnection?
    package private(set) var connections = 0
    package private(set) var ends = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// The received messages, in order.
    package var heard: [BusMessage] = []
    package var kept: [Any] = []

    package init(_ connector: BusConnector, on loop: BusLoop) {
        self.loop = loop
        self.connector = connector
        connector.connected = { [unowned self] connection in
            self.connection = connection
            connections += 1
            happened()
        }
        connector.disconnected = { [unowned self] in
            connection = nil
            kept = []
            ends += 1
            happened()
        }
        connector.start()
    }

    private func happened() {
        let due = waiting
        waiting = []
        for each in due { each.resume() }
    }

    package func connected(isolation: isolated (any Actor)) async throws {
        try await wait(isolation: isolation) { $0.connection != nil }
    }

    /// Waits until at least this many messages were received, because several may arrive at once.
    package func wait(toHear count: Int, isolation: isolated (any Actor)) async throws {
        try await wait(isolation: isolation) { $0.heard.count >= count }
    }

    package func wait(
        _ bound: Duration = .seconds(30), isolation: isolated (any Actor), until condition: (Guest) -> Bool
    ) async throws {
        var isOver = false
        let end = loop.after(bound) { [unowned self] in
            isOver = true
            happened()
        }
        defer { withExtendedLifetime(end) {} }
        while !condition(self) {
            guard !isOver else { throw Silence(description: "not in \(bound); heard: \(heard)") }
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    package func hears(_ message: BusMessage) {
        heard.append(message)
        happened()
    }

    /// Returns once the other program has identified this one: it answers calls of strangers only then.
    package func becomesKnown(to other: Guest, isolation: isolated (any Actor)) async {
        let question = BusCall(
            other.connection?.uniqueName ?? "", "/", "org.freedesktop.DBus.Introspectable", "Introspect", [])
        _ = await call(question, isolation: isolation)
    }

    package func call(
        _ call: BusCall, within time: Duration = .seconds(10), isolation: isolated (any Actor)
    ) async -> Result<BusMessage, BusFailure> {
        guard let connection else { return .failure(BusFailure("test", "no connection")) }
        return await withCheckedContinuation { done in
            connection.call(call, within: time) { done.resume(returning: $0) }
        }
    }
}
