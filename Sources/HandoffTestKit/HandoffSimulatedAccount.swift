// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The devices of one person in this process, so that the tests of an app need no daemon, no second machine and no
/// network.
///
/// Each device runs the daemon's own rules: who may continue what, the order of the hooks, their deadlines, the errors.
/// They talk to each other in memory, in a time of their own, which passes only while a test waits for one of the methods
/// here: nothing sleeps, and the same test takes the same course each time.
@MainActor
public final class HandoffSimulatedAccount {
    /// In the order in which they were added.
    public private(set) var devices: [HandoffSimulatedDevice] = []

    private let town: TownInMemory

    /// An account without devices.
    ///
    /// - Parameters:
    ///   - seed: chooses among the courses that chance could take.
    ///   - now: what the clocks of the devices show at first. From then on they go on with `pass` and with all that waits
    ///     here, so an activity that expires does so after `pass`, not after a wait.
    public init(seed: UInt64 = 1, now: Date = Date()) {
        town = TownInMemory(seed: seed, now: now)
    }

    /// What the clocks of the devices show.
    public var now: Date { town.clock.now }

    /// A new device that is a member, and connected to the others when this returns.
    public func addDevice(named name: String) async throws -> HandoffSimulatedDevice {
        let device = HandoffSimulatedDevice(try await town.addDevice(name), in: town)
        devices.append(device)
        return device
    }

    /// Installs an app on every device that there is.
    public func install<Main>(_ app: HandoffSimulatedApp<Main>) async throws {
        for device in devices { try await device.install(app) }
    }

    /// Lets so much time pass for all devices.
    public func pass(_ duration: Duration) async throws { try await town.pass(duration) }
}
