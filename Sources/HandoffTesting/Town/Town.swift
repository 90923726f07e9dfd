// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffDaemon
internal import HandoffTrust
package import HandoffWire

/// Several devices of one account in one process, in virtual time. A seed determines all events.
package final class Town {
    package let time = VirtualTime()
    package var random: Randomness
    private var workRandom: Randomness
    package let network: MemoryNetwork
    package private(set) var devices: [TownDevice] = []
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
                TownDevice(
                    name: "device \(index)", host: "10.0.0.\(index + 1)", files: files, installed: installed, town: self
                ))
        }
    }

    /// Three connected members of one account.
    package static func founded(seed: UInt64, board: BoardLimits = BoardLimits()) throws -> Town {
        let members = try members.get()
        let town = Town(seed: seed, files: members.files, recoveryKey: members.recoveryKey, board: board)
        for device in town.devices { try device.start() }
        let together = town.time.run(
            until: { town.devices.allSatisfy { $0.connected.count == town.devices.count - 1 } }, within: .seconds(10))
        guard together else { throw Failure(.internal, "seed \(seed): the devices do not find each other") }
        return town
    }

    /// Not running yet.
    package func copy(of device: TownDevice) -> TownDevice {
        let number = devices.count + 1
        let copy = TownDevice(
            name: device.name, host: "10.0.0.\(number)", files: device.store.files, installed: installed,
            town: self)
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
        let town = Town(seed: 0, files: Array(repeating: [:], count: count))
        // Constant keys, because the order of device ids affects the events.
        for (index, device) in town.devices.enumerated() {
            let key = try DeviceKey(scalar: Array(repeating: UInt8(index + 1), count: 32))
            _ = try DeviceCredentials.create(key: key, store: device.store)
        }
        let founder = town.devices[0]
        try founder.start()
        guard case .identity(.account(let account)) = try town.ask(founder, .identity(.createAccount)) else {
            throw Failure(.internal, "no account")
        }
        for device in town.devices.dropFirst() {
            try device.start()
            guard case .identity(.invite(let invite)) = try town.ask(founder, .identity(.createInvite(asking: false)))
            else {
                throw Failure(.internal, "no invite")
            }
            _ = try town.ask(device, .identity(.joinAccount(code: invite.code, address: nil)))
        }
        town.time.advance(by: .seconds(5))
        return (town.devices.map(\.store.files), account.recoveryKey ?? "")
    }

    /// As the command line does. Throws the failure in the answer.
    @discardableResult
    package func ask(_ device: TownDevice, _ message: LocalMessage) throws -> LocalMessage {
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
