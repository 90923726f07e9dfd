// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffDaemon
internal import HandoffTrust
package import HandoffWire

/// Several devices of one account in one process, in virtual time. A seed determines all events.
package final class Simulation {
    package let time = VirtualTime()
    package var random: Randomness
    private var workRandom: Randomness
    package let network: MemoryNetwork
    package private(set) var devices: [SimulatedDevice] = []
    let board: BoardLimits
    /// Two developer teams share a Team ID and an activity type; one app is the account's own.
    package let installed: [InstalledApp]

    private init(
        seed: UInt64, files: [[String: [UInt8]]], recoveryKey: String = "", board: BoardLimits = BoardLimits()
    ) {
        self.board = board
        self.recoveryKey = recoveryKey
        random = .seeded(seed)
        workRandom = .seeded(seed &+ 2)
        network = MemoryNetwork(time: time, seed: seed &+ 1)
        installed = Self.apps()
        for (index, files) in files.enumerated() {
            devices.append(
                SimulatedDevice(
                    name: "device \(index)", host: "10.0.0.\(index + 1)", files: files, installed: installed,
                    simulation: self
                ))
        }
    }

    /// Three connected members of one account.
    package static func founded(seed: UInt64, board: BoardLimits = BoardLimits()) throws -> Simulation {
        let members = try members.get()
        let simulation = Simulation(seed: seed, files: members.files, recoveryKey: members.recoveryKey, board: board)
        for device in simulation.devices { try device.start() }
        let together = simulation.time.run(
            until: { simulation.devices.allSatisfy { $0.connected.count == simulation.devices.count - 1 } },
            within: .seconds(10))
        guard together else { throw Failure(.internal, "seed \(seed): the devices do not find each other") }
        return simulation
    }

    /// One running device without an account.
    package static func alone(seed: UInt64) throws -> Simulation {
        let simulation = Simulation(seed: seed, files: [[:]])
        try simulation.devices[0].start()
        return simulation
    }

    /// Not running yet.
    package func copy(of device: SimulatedDevice) -> SimulatedDevice {
        let number = devices.count + 1
        let copy = SimulatedDevice(
            name: device.name, host: "10.0.0.\(number)", files: device.store.files, installed: installed,
            simulation: self)
        devices.append(copy)
        return copy
    }

    /// The duration of each read or write outside the event loop.
    func timeOfWork() -> Duration { .microseconds(Int64.random(in: 0...5000, using: &workRandom)) }

    // MARK: The account, created once by really joining

    private static let members = Result { try makeMembers(count: 3) }

    /// The same in all simulations.
    package let recoveryKey: String

    private static func makeMembers(count: Int) throws -> (files: [[String: [UInt8]]], recoveryKey: String) {
        let simulation = Simulation(seed: 0, files: Array(repeating: [:], count: count))
        // Constant keys, because the order of device ids affects the events.
        for (index, device) in simulation.devices.enumerated() {
            let key = try DeviceKey(scalar: Array(repeating: UInt8(index + 1), count: 32))
            _ = try DeviceCredentials.create(key: key, store: device.store)
        }
        let founder = simulation.devices[0]
        try founder.start()
        guard case .identity(.account(let account)) = try simulation.ask(founder, .identity(.createAccount)) else {
            throw Failure(.internal, "no account")
        }
        for device in simulation.devices.dropFirst() {
            try device.start()
            guard
                case .identity(.invite(let invite)) = try simulation.ask(
                    founder, .identity(.createInvite(asking: false)))
            else {
                throw Failure(.internal, "no invite")
            }
            _ = try simulation.ask(device, .identity(.joinAccount(code: invite.code, address: nil)))
        }
        simulation.time.advance(by: .seconds(5))
        return (simulation.devices.map(\.store.files), account.recoveryKey ?? "")
    }

    /// As the command line does. Throws the failure in the answer.
    @discardableResult
    package func ask(_ device: SimulatedDevice, _ message: LocalMessage) throws -> LocalMessage {
        let client = device.control()
        let request = client.request(message)
        _ = time.run(until: { !client.answers(to: request).isEmpty }, within: .seconds(30))
        switch client.answers(to: request).first {
        case .failure(let failure)?: throw failure
        case let answer?: return answer
        case nil: throw Failure(.internal, "no answer")
        }
    }

    /// The same ten letters, but different keys.
    private static let teams: [TeamCertificate] = ["Makers", "Takers"].map { name in
        try! TeamKey.create(
            name: DisplayText(cleaning: name), id: try! TeamID("AAAAAAAAAA"), at: WallTime(milliseconds: 0)
        ).team
    }

    /// Every device trusts both, so only their keys separate them.
    static let trustedTeams: [UInt8] = {
        var trusted = TrustedTeams()
        for team in teams { try! trusted.trust(team, at: WallTime(milliseconds: 0)) }
        return trusted.encoded
    }()

    /// All apps name it; it belongs to the first.
    package static let container = try! ContainerID("iCloud.com.example.letters")

    private static func apps() -> [InstalledApp] {
        func app(_ name: String, _ signer: AppSigner, types: [String]) -> InstalledApp {
            InstalledApp(
                bundle: try! BundleID("com.example.\(name)"), name: DisplayText(cleaning: name),
                signer: signer, activityTypes: Set(types.map { try! ActivityType($0) }),
                documents: AppDocuments(containers: [container], packageExtensions: ["pages"]),
                path: "/apps/\(name).app",
                executable: "/apps/\(name).app/Contents/Linux/\(name)")
        }
        func signed(by team: Int) -> AppSigner { .team(teams[team].team, name: teams[team].name) }
        return [
            app("editor", signed(by: 0), types: ["com.example.editing"]),
            app("viewer", signed(by: 0), types: ["com.example.editing", "com.example.viewing"]),
            app("rival", signed(by: 1), types: ["com.example.editing"]),
            app("own", .development, types: ["com.example.notes"]),
        ]
    }
}
