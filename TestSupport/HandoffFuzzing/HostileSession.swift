// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffDaemon
internal import HandoffTesting
internal import HandoffTrust
internal import HandoffWire

/// Two complete daemons of one account, and a member that sends the input to the laptop. In virtual time, so that costs
/// are counted as work, independent of this machine's speed.
final class HostileSession {
    /// The work that it caused. Decision 0028 has the bounds; these are somewhat wider.
    struct Cost: Hashable, Sendable {
        /// Sent by the member.
        var frames = 0
        var bytes = 0
        /// Virtual time.
        var seconds = 0
        /// Run by the event loop.
        var events = 0
        /// The laptop's writes of its account.
        var writes = 0
        /// The laptop's writes of received sends.
        var sends = 0
        /// Bytes from the laptop to the others.
        var sent = 0
    }

    private let time = VirtualTime()
    private let network: MemoryNetwork
    private let laptop: Household
    private let phone: Household
    private let node: MemoryNode
    private let ear = Ear()
    private var link: (any PeerLink)?
    private var events = 0
    private var cost = Cost()
    /// Before the member could send.
    private var (firstWrites, firstBytes) = (0, 0)

    /// `saysHello`: the member sends hello itself, before the input.
    init(saysHello: Bool) throws {
        network = MemoryNetwork(time: time, seed: 1)
        laptop = try Household("laptop", FuzzedAccount.laptop, network, time)
        phone = try Household("phone", FuzzedAccount.phone, network, time)
        let member = FuzzedAccount.desktop
        node = network.node("desktop", device: member.id, key: member.publicKey.spki)
        node.network.sessionHandler = ear
        for household in [laptop, phone] { try household.daemon.start() }
        pass(.seconds(5))
        node.network.dial(.address(laptop.node.address), expecting: FuzzedAccount.laptop.id) { [unowned self] in
            link = try? $0.get()
        }
        pass(.seconds(1))
        if saysHello {
            let isChooser = member.id < FuzzedAccount.laptop.id
            let hello = PeerHello(
                boot: BootID(1), rosterDigest: [UInt8](repeating: 1, count: 32),
                software: DisplayText(cleaning: "hostile"), choice: isChooser ? 1 : 0)
            link?.send(PeerFrame(.hello(hello)))
            pass(.milliseconds(100))
        }
        // The costs so far are not the member's.
        (events, firstWrites, firstBytes) = (0, laptop.writes, bytesSent)
    }

    func say(_ body: [UInt8]) {
        guard !body.isEmpty else { return }
        cost.frames += 1
        cost.bytes += body.count
        (link as? MemoryLink)?.sendRaw(body)
    }

    func pass(_ duration: Duration) {
        let end = time.now.advanced(by: duration)
        while time.step(until: end) { events += 1 }
        time.advance(by: time.now.duration(to: end))
    }

    /// Whether the laptop answers its user within a tenth of a second.
    func answers() -> Bool {
        let client = laptop.listener.connect()
        defer { client.close() }
        client.hello(LocalHello(role: .control, name: DisplayText(cleaning: "handoff")))
        let request = client.request(.status(.getStatus))
        let end = time.now.advanced(by: .milliseconds(100))
        while client.answers(to: request).isEmpty, time.step(until: end) { events += 1 }
        return !client.answers(to: request).isEmpty
    }

    /// The laptop and the phone have a session, unless the phone is no longer a member, because a member may remove it.
    var isWhole: Bool {
        guard laptop.daemon.identity.member(FuzzedAccount.phone.id) != nil,
            phone.daemon.identity.member(FuzzedAccount.laptop.id) != nil
        else { return true }
        return laptop.daemon.sessions.connected.contains(FuzzedAccount.phone.id)
    }

    func total(_ seconds: Int) -> Cost {
        var total = cost
        total.seconds = seconds
        total.events = events
        total.writes = laptop.writes - firstWrites
        total.sends = laptop.sends
        total.sent = bytesSent - firstBytes
        return total
    }

    private var bytesSent: Int { network.bytesSent["laptop"] ?? 0 }

    func stop() { for household in [laptop, phone] { household.daemon.stop() } }

    /// A daemon on in-memory adapters.
    private final class Household {
        let store = MemoryStateStore()
        let listener: MemoryClientListener
        let node: MemoryNode
        let daemon: DaemonFeatures
        private let catalog = MemoryAppCatalog()
        private let launcher: MemoryAppLauncher
        private let sites: MemorySites

        var writes: Int { store.writes["account.bin"] ?? 0 }
        var sends: Int { store.writes.reduce(0) { $1.key.hasPrefix("received-") ? $0 + $1.value : $0 } }

        init(_ name: String, _ key: DeviceKey, _ network: MemoryNetwork, _ time: VirtualTime) throws {
            let credentials = try DeviceCredentials.create(key: key, store: store)
            store.files["account.bin"] = try FuzzedAccount.recordOfThree.encoded()
            listener = MemoryClientListener(time: time)
            launcher = MemoryAppLauncher(time: time, listener: listener)
            sites = MemorySites(time: time)
            node = network.node(name, device: key.id, key: key.publicKey.spki)
            let adapters = Adapters(
                network: node.network, air: node.air, listener: listener, catalog: catalog, launcher: launcher,
                sites: sites, store: store, work: VirtualWork(time: time), time: time)
            var random = Randomness.seeded(1)
            daemon = try DaemonFeatures(adapters, credentials: credentials, settings: Settings(name), random: &random)
        }
    }

    /// The member ignores everything that it receives.
    private final class Ear: PeerSessionHandler {
        func admission(of device: DeviceID) -> Admission { .member }
        func linkAccepted(_ link: any PeerLink) { link.close() }
        func frameReceived(_ frame: PeerFrame, on link: any PeerLink) {}
        func linkClosed(_ link: any PeerLink, failure: Failure?) {}
    }
}
