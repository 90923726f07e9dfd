// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A person's devices in this process: an app's tests need neither daemon nor network.
///
/// Each device applies the daemon's rules. Simulated time passes only while a test awaits a method of these classes, so
/// nothing sleeps and each run is the same.
@MainActor
public final class HandoffSimulatedAccount {
    /// In the order of adding.
    public private(set) var devices: [HandoffSimulatedDevice] = []

    private let simulation: InMemorySimulation

    /// Creates an account without devices.
    ///
    /// - Parameters:
    ///   - seed: chooses between random courses of events.
    ///   - now: the initial time of the devices' clocks.
    public init(seed: UInt64 = 1, now: Date = Date()) {
        simulation = InMemorySimulation(seed: seed, now: now)
    }

    /// The time of the devices' clocks.
    public var now: Date { simulation.clock.now }

    /// Adds a device; returns once it is a member and connected to the others.
    public func addDevice(named name: String) async throws -> HandoffSimulatedDevice {
        let device = HandoffSimulatedDevice(try await simulation.addDevice(name), in: simulation)
        devices.append(device)
        return device
    }

    /// Installs an app on all current devices.
    public func install<Main>(_ app: HandoffSimulatedApp<Main>) async throws {
        for device in devices { try await device.install(app) }
    }

    /// Lets time pass on all devices.
    public func pass(_ duration: Duration) async throws { try await simulation.pass(duration) }
}
