// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation
internal import Handoff
internal import HandoffCore
internal import HandoffTesting
internal import HandoffTrust
internal import HandoffWire
internal import Synchronization

/// Time passes only during `run`, or while an app waits for its streams, and never while an app has work.
@MainActor final class InMemorySimulation {
    /// Real time, after which a stuck hook fails the test. The only use of a real clock.
    static let patience: DispatchTimeInterval = .seconds(20)

    let time = VirtualTime()
    let clock: AppClock
    let network: MemoryNetwork
    var random: Randomness
    let bell = Bell()
    let meeting = StreamMeeting()
    private(set) var devices: [DeviceInMemory] = []
    private var teams: [TeamID: TeamCertificate] = [:]
    private var away: Set<MemoryNetwork.Host> = []

    init(seed: UInt64, now: Date) {
        time.wallZero = WallTime(milliseconds: Int64(now.timeIntervalSince1970 * 1000))
        clock = AppClock(now)
        network = MemoryNetwork(time: time, seed: seed)
        random = .seeded(seed)
    }

    func team(_ id: TeamID) throws -> TeamCertificate {
        if let known = teams[id] { return known }
        let made = try TeamKey.create(name: DisplayText(cleaning: id.name), id: id, at: time.wallTime).team
        teams[id] = made
        return made
    }

    /// The first device creates the account; others join by the real protocol.
    func addDevice(_ name: String) async throws -> DeviceInMemory {
        guard devices.count < 100 else { throw HandoffSimulationError("a simulation has at most a hundred devices") }
        guard !devices.contains(where: { $0.name == name }) else {
            throw HandoffSimulationError("a device named \(name) already exists")
        }
        let device = try DeviceInMemory(name, number: UInt8(devices.count + 1), in: self)
        if let founder = devices.first {
            guard case .identity(.invite(let invite)) = try await founder.ask(.identity(.createInvite(asking: false)))
            else {
                throw HandoffSimulationError("no invite")
            }
            try await device.ask(.identity(.joinAccount(code: invite.code, address: nil)))
        } else {
            try await device.ask(.identity(.createAccount))
        }
        devices.append(device)
        let everybody = Set(devices.map(\.device))
        let together = try await run(
            until: { self.devices.allSatisfy { $0.connected == everybody.subtracting([$0.device]) } },
            within: .seconds(60))
        guard together else { throw HandoffSimulationError("the devices do not find each other") }
        return device
    }

    // MARK: The network

    func setAway(_ isAway: Bool, _ device: DeviceInMemory) {
        guard isAway != away.contains(device.host) else { return }
        if isAway {
            away.insert(device.host)
            network.isolate(device.host)
        } else {
            away.remove(device.host)
            network.heal()
            for host in away { network.isolate(host) }
        }
    }

    // MARK: Time

    @discardableResult
    func run(until condition: () -> Bool, within limit: Duration) async throws -> Bool {
        try await settle(atLeastOnce: true)
        let end = time.now.advanced(by: limit)
        while !condition(), step(until: end) { try await settle(atLeastOnce: false) }
        try await settle(atLeastOnce: true)
        return condition()
    }

    func openStreams(at rings: AsyncStream<Void>) async {
        for await _ in rings {
            // The test gets a stuck hook's error later.
            _ = try? await run(
                until: { !self.devices.contains { $0.processes.contains(where: \.isOpeningStreams) } },
                within: .seconds(60))
        }
    }

    func pass(_ duration: Duration) async throws {
        try await run(until: { false }, within: duration)
    }

    /// False if nothing happens until then.
    private func step(until end: Instant) -> Bool {
        let hasStepped = time.step(until: end)
        if !hasStepped { time.advance(by: time.now.duration(to: end)) }
        clock.set(time.now.sinceZero)
        return hasStepped
    }

    /// Runs until no app has work. `atLeastOnce`: includes the main queue.
    private func settle(atLeastOnce: Bool) async throws {
        var queueIsDue = atLeastOnce
        while true {
            // Without short-circuiting.
            while devices.map({ $0.takeTurn() }).contains(true) { queueIsDue = queueIsDue || atLeastOnce }
            if let busy = devices.lazy.flatMap(\.processes).first(where: { $0.center.isRunningHooks }) {
                try await hooksReturned(of: busy)
            } else if queueIsDue {
                queueIsDue = false
                await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
            } else {
                return
            }
        }
    }

    private func hooksReturned(of process: ProcessInMemory) async throws {
        let center = process.center
        let hasReturned = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            let resume = Resume(continuation)
            center.whenHooksReturned { resume(true) }
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { resume(false) }
        }
        guard hasReturned else {
            throw HandoffSimulationError("a hook of \(process.app.bundle) does not return; it waits for something")
        }
    }
}

private final class Resume: Sendable {
    private let waiting: Mutex<CheckedContinuation<Bool, Never>?>

    init(_ continuation: CheckedContinuation<Bool, Never>) { waiting = Mutex(continuation) }

    func callAsFunction(_ value: Bool) {
        waiting.withLock { $0.take() }?.resume(returning: value)
    }
}
