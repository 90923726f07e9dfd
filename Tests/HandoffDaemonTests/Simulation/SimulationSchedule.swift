// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire

/// A random sequence of events from a seed: users publish, continue, quit and unplug cables, and daemons crash, in any
/// order.
struct SimulationSchedule {
    private let simulation: Simulation
    private var random: Randomness
    private var published: [ActivityID] = []
    /// In some schedules a device is removed.
    private(set) var removed: SimulatedDevice?
    private let removesDevice: Bool
    /// The clients that reported a locked screen, by device name.
    private var lockers: [String: TestClient] = [:]

    init(simulation: Simulation, seed: UInt64) {
        self.simulation = simulation
        random = .seeded(seed ^ 0x5EED)
        removesDevice = seed.isMultiple(of: 8)
    }

    mutating func run(events: Int) throws {
        for _ in 0..<events {
            try happen()
            simulation.time.advance(by: .milliseconds(Int.random(in: 0...400, using: &random)))
        }
    }

    private mutating func happen() throws {
        let device = simulation.devices.randomElement(using: &random)!
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<12: if let app = simulation.installed.randomElement(using: &random) { _ = device.open(app) }
        case 12..<40: publish(on: device)
        case 40..<43: livingApp(of: device)?.withdraw()
        case 43..<46: livingApp(of: device)?.edit()
        case 46..<50: livingApp(of: device)?.quit()
        case 50..<72: wish(on: device)
        case 72..<78: livingApp(of: device)?.saving = randomSaving()
        case 78..<80:
            livingApp(of: device)?.hookDelay = .milliseconds([0, 3, 900, 7000].randomElement(using: &random)!)
        case 80..<86 where removesDevice && removed == nil: try remove()
        case 80..<83: weather()
        case 83..<86: simulation.network.isolate(device.host)
        case 86..<90: simulation.network.heal()
        case 90: lockOrUnlock(device)
        case 91..<95: if device.isRunning { device.crash(silently: Bool.random(using: &random)) }
        default: if !device.isRunning { try device.start() }
        }
    }

    private mutating func lockOrUnlock(_ device: SimulatedDevice) {
        if let locker = lockers.removeValue(forKey: device.name) {
            locker.request(.presence(.setPresence(PresenceWord(.here))))
            locker.close()
        } else if device.isRunning {
            let locker = device.control()
            locker.request(.presence(.setPresence(PresenceWord(.locked))))
            lockers[device.name] = locker
        }
    }

    /// Its screen is locked, and its daemon knows that.
    func isLocked(_ device: SimulatedDevice) -> Bool { lockers[device.name].map { !$0.isClosed } ?? false }

    mutating func unlockAll() {
        for device in simulation.devices where isLocked(device) { lockOrUnlock(device) }
        simulation.time.advance(by: .seconds(5))
    }

    /// Mostly for a present offer of another device, sometimes for an old one.
    private mutating func wish(on device: SimulatedDevice) {
        let others = simulation.devices.filter { $0 !== device }.flatMap(\.apps).compactMap {
            $0.current?.activity ?? $0.left
        }
        let pool = Int.random(in: 0..<5, using: &random) == 0 ? published.suffix(6) : others[...]
        if let activity = pool.randomElement(using: &random) { device.wish(for: activity) }
    }

    private mutating func weather() {
        simulation.network.linkLoss = [0, 0, 0.01, 0.05].randomElement(using: &random)!
        simulation.network.datagramLoss = [0, 0.1, 0.5].randomElement(using: &random)!
        simulation.network.datagramDuplication = [0, 0.2].randomElement(using: &random)!
        let slowest = [2, 20, 300].randomElement(using: &random)!
        simulation.network.latency = .microseconds(200)...(.milliseconds(slowest))
    }

    private mutating func publish(on device: SimulatedDevice) {
        guard let app = livingApp(of: device), let type = app.app.activityTypes.sorted().randomElement(using: &random)
        else { return }
        let activity = ActivityID.random(using: &random)
        published.append(activity)
        app.names = randomFiles(on: device)
        app.publish(Publication(activity: activity, type: type, title: DisplayText(cleaning: "Letter")))
    }

    /// Mostly none. Otherwise files in the container, even of another device or missing ones, files elsewhere, or too
    /// many files.
    private mutating func randomFiles(on device: SimulatedDevice) -> [String] {
        guard Int.random(in: 0..<3, using: &random) == 0 else { return [] }
        let folder = "/home/user/containers/\(Simulation.container)/Documents"
        for owner in [device, simulation.devices.randomElement(using: &random)!] {
            guard let path = try? AbsolutePath("\(folder)/letter \(Int.random(in: 0..<20, using: &random)).txt")
            else { continue }
            owner.documents.write([UInt8.random(in: 0...255, using: &random)], at: path)
        }
        let first = Int.random(in: 0..<20, using: &random)
        let count = [1, 1, 3, Limits.documents + 1].randomElement(using: &random)!
        return (first..<first + count).map { "file://\(folder)/letter%20\($0 % 20).txt" }
            + ["file:///home/anna/.ssh/id", "FILE://elsewhere/a", "file:///home/anna/a?b"].prefix(first % 4)
    }

    private mutating func livingApp(of device: SimulatedDevice) -> SimulatedApp? {
        device.apps.filter(\.isAlive).randomElement(using: &random)
    }

    private mutating func randomSaving() -> SimulatedApp.Saving {
        [.promptly, .promptly, .after(.milliseconds(300)), .after(.seconds(9)), .never, .dies, .tooLarge]
            .randomElement(using: &random)!
    }

    private mutating func remove() throws {
        let both = simulation.devices.filter(\.isRunning).shuffled(using: &random).prefix(2)
        guard let remover = both.first, let other = both.last, other !== remover else { return }
        try simulation.ask(remover, .identity(.removeDevice(other.name, onlyAsk: false)))
        removed = other
    }

    /// The removed device requests all current activities of the others.
    mutating func askFromOutside() {
        guard let removed else { return }
        let others = simulation.devices.filter { $0 !== removed }.flatMap(\.apps).compactMap(\.current?.activity)
        for activity in others { removed.wish(for: activity) }
        simulation.time.advance(by: .seconds(60))
    }

    /// Everything works again, the devices notice it, and enough time passes for every deadline.
    func settle() throws {
        simulation.network.linkLoss = 0
        simulation.network.datagramLoss = 0
        simulation.network.datagramDuplication = 0
        simulation.network.heal()
        for device in simulation.devices where !device.isRunning { try device.start() }
        for device in simulation.devices { simulation.network.node(at: device.host)?.air.networkChanged() }
        simulation.time.advance(by: .seconds(60))
    }
}
