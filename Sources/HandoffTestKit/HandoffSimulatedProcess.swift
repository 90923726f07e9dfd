// SPDX-License-Identifier: Apache-2.0

/// An app's process on a device.
///
/// Call the app's code through `run`. There, and in callbacks, `NSUserActivity(activityType:)` creates this device's
/// activities, and `HandoffApplication.shared` is this process's.
@MainActor
public final class HandoffSimulatedProcess<Main: AnyObject> {
    /// The result of the app's `main`. Code that creates activities needs `run`.
    public let main: Main

    let process: ProcessInMemory

    init(_ process: ProcessInMemory, main: Main) {
        self.process = process
        self.main = main
    }

    /// Runs code as part of this process.
    @discardableResult
    public func run<Result>(_ body: @MainActor (Main) throws -> Result) rethrows -> Result {
        try process.run { try body(main) }
    }

    /// Runs asynchronous code. Simulated time passes only to set up streams.
    @discardableResult
    public func run<Result>(_ body: @MainActor (Main) async throws -> Result) async rethrows -> Result {
        try await process.run { try await body(main) }
    }

    /// The delay before a requested state is sent. Above eight seconds, the other app gets error 4610.
    public var saveDelay: Duration {
        get { process.saveDelay }
        set { process.saveDelay = newValue }
    }

    /// False after `quit()`.
    public var isRunning: Bool { !process.hasEnded }

    /// Ends the process and withdraws its activity.
    public func quit() { process.end() }
}
