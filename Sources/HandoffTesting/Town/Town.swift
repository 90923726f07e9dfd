// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffDaemon
internal import HandoffTrust
package import HandoffWire

/// n devices of one account in one process, in virtual time. One seed, one course of events.
package final class Town {
    package let time = VirtualTime()
    package var random: Randomness
    private var workRandom: Randomness
    package let network: MemoryNetwork
    package private(set) var devices: [TownDevice] = []
    /// Of every board.
    let board: BoardLimits
    /// Two developer teams of one Team ID that use one activity type, and an app of the account's own.
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

    /// A town whose three devices are members of one account already and have found each other.
    package static func founded(seed: UInt64, board: BoardLimits = BoardLimits()) throws -> Town {
        let members = try members.get()
        let town = Town(seed: seed, files: members.files, recoveryKey: members.recoveryKey, board: board)
        for device in town.devices { try device.start() }
        let together = town.time.run(
            until: { town.devices.allSatisfy { $0.connected.count == town.devices.count - 1 } }, within: .seconds(10))
        guard together else { throw Failure(.internal, "seed \(seed): the devices do not find each other") }
        return town
    }

    /// A device that is not running yet, with the same disk as another one.
    package func copy(of device: TownDevice) -> TownDevice {
        let number = devices.count + 1
        let copy = TownDevice(
            name: device.name, host: "10.0.0.\(number)", files: device.store.files, installed: installed,
            town: self)
        devices.append(copy)
        return copy
    }

    /// What a daemon's reading and writing beside its loop takes, each time.
    func timeOfWork() -> Duration { .microseconds(Int64.random(in: 0...5000, using: &workRandom)) }

    // MARK: The account, made once for all towns of the process by the real joining

    private static let members = Result { try makeMembers(count: 3) }

    /// Of the account that all towns have.
    package let recoveryKey: String

    private static func makeMembers(count: Int) throws -> (files: [[String: [UInt8]]], recoveryKey: String) {
        let town = Town(seed: 0, files: Array(repeating: [:], count: count))
        // Keys that are the same in every run: which device has the lower id is part of a course of events.
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

    /// What its user asks a device at the command line. Throws the failure that it answers with.
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

    /// Two of the same ten letters, with keys of their own.
    private static let teams: [TeamCertificate] = ["Makers", "Takers"].map { name in
        // Well-formed, so they can be made.
        try! TeamKey.create(
            name: DisplayText(cleaning: name), id: try! TeamID("AAAAAAAAAA"), at: WallTime(milliseconds: 0)
        ).team
    }

    /// Both are trusted on every device: what keeps them apart is their keys alone.
    static let trustedTeams: [UInt8] = {
        var trusted = TrustedTeams()
        for team in teams { try! trusted.trust(team, at: WallTime(milliseconds: 0)) }
        return trusted.encoded
    }()

    /// All of them name it; it is the first one's.
    package static let container = try! ContainerID("iCloud.com.example.letters")

    private static func apps() -> [InstalledApp] {
        func app(_ name: String, _ signer: AppSigner, types: [String]) -> InstalledApp {
            // The names are this file's own and well-formed.
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
            // The same ten letters, another key.
            app("rival", signed(by: 1), types: ["com.example.editing"]),
            app("own", .development, types: ["com.example.notes"]),
        ]
    }
}
