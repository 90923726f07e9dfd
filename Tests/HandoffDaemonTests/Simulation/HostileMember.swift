// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffTrust
import HandoffWire

/// An attacker with a member's machine, its keys and its copy of the account.
final class HostileMember {
    let key: DeviceKey
    /// The account when the machine was taken over.
    private(set) var record: AccountRecord
    private(set) var received: [PeerFrame] = []
    private(set) var closed: [Failure?] = []
    /// Nil: no answer.
    var answer: (PeerMessage) -> PeerMessage? = { _ in nil }
    private let simulation: Simulation
    private let node: MemoryNode
    private var links: [any PeerLink] = []

    /// Ends the device's own daemon.
    init(in place: SimulatedDevice, of simulation: Simulation) throws {
        self.simulation = simulation
        let (credentials, account) = (place.store.files["device.pem"] ?? [], place.store.files["account.bin"] ?? [])
        key = try CredentialsFile(bytes: credentials).key
        record = try AccountRecord(bytes: account)
        place.crash()
        node = simulation.network.node(place.host, device: key.id, key: key.publicKey.spki)
        node.network.sessionHandler = self
        try node.network.start()
    }

    /// Dials that device and sends a hello; nil if it is refused.
    func dial(_ device: SimulatedDevice) -> (any PeerLink)? {
        var result: Result<any PeerLink, Failure>?
        let address = NetworkAddress(host: device.host, port: node.port)
        node.network.dial(.address(address), expecting: device.device) { result = $0 }
        _ = simulation.time.run(until: { result != nil }, within: .seconds(11))
        guard let link = try? result?.get() else { return nil }
        links.append(link)
        let hello = PeerHello(
            boot: BootID(1), rosterDigest: record.digest, software: DisplayText(cleaning: "hostile"), choice: 0)
        link.send(PeerFrame(.hello(hello)))
        simulation.time.advance(by: .milliseconds(50))
        return link
    }

    /// Statements that repeatedly rename a device, each in its own update.
    func renames(of device: DeviceID, count: Int) throws -> [RosterUpdate] {
        try (0..<count).map { number in
            let told = record.extent
            try record.rename(
                device, to: DisplayText(cleaning: "name \(number)"), by: key, time: WallTime(milliseconds: 0))
            return record.update(since: told)
        }
    }

    func admissions(count: Int) throws -> RosterUpdate {
        let time = WallTime(milliseconds: 0)
        let statements = try (0..<count).map { number in
            let device = DeviceDescription(
                key: DeviceKey().publicKey.spki, name: DisplayText(cleaning: "invention \(number)"), kind: .phone)
            return try RosterStatement(
                account: record.roster.account, time: time, epoch: record.roster.epoch, kind: .admitted(device)
            ).signed(by: key)
        }
        return RosterUpdate(statements: statements)
    }

    func leave() throws -> RosterUpdate {
        let told = record.extent
        try record.remove(key.id, by: key, time: WallTime(milliseconds: 0))
        return record.update(since: told)
    }
}

extension HostileMember: PeerSessionHandler {
    func admission(of device: DeviceID) -> Admission { .member }
    func linkAccepted(_ link: any PeerLink) { links.append(link) }
    func frameReceived(_ frame: PeerFrame, on link: any PeerLink) {
        received.append(frame)
        if frame.request != 0, let answer = answer(frame.message) {
            link.send(PeerFrame(answer, answer: frame.request))
        }
    }

    func linkClosed(_ link: any PeerLink, failure: Failure?) { closed.append(failure) }
}
