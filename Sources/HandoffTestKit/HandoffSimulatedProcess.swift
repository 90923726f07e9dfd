// SPDX-License-Identifier: Apache-2.0

/// A process of an app on a device: opened by the test, or started by the device for a continuation.
///
/// Code of the app that a test calls is run with `run`: within it, and in whatever the app is called back with,
/// `NSUserActivity(activityType:)` makes activities of this device, and `HandoffApplication.shared` is this process's.
@MainActor
public final class HandoffSimulatedProcess<Main: AnyObject> {
    /// What the app's `main` returned. Call what makes activities through `run`.
    public let main: Main

    let process: ProcessInMemory

    init(_ process: ProcessInMemory, main: Main) {
        self.process = process
        self.main = main
    }

    /// Runs code of the app, as a part of this process.
    @discardableResult
    public func run<Result>(_ body: @MainActor (Main) throws -> Result) rethrows -> Result {
        try process.run { try body(main) }
    }

    /// The same for code that waits for something. Time does not pass for the devices meanwhile, but for as long as it
    /// takes to set up streams that an app asks for.
    @discardableResult
    public func run<Result>(_ body: @MainActor (Main) async throws -> Result) async rethrows -> Result {
        try await process.run { try await body(main) }
    }

    /// How long it takes until the state of an activity that another device asked for is on its way. More than eight
    /// seconds are too many: the other device's app hears of error 4610. Zero at first.
    public var saveDelay: Duration {
        get { process.saveDelay }
        set { process.saveDelay = newValue }
    }

    /// False after `quit()`.
    public var isRunning: Bool { !process.hasEnded }

    /// The process ends, and its activity is not offered any more.
    public func quit() { process.end() }
}
