// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Logging

final class DiscoveryService: Feature {
    static let addressFile = "addresses"

    private let air: any BeaconAir
    private let network: any PeerNetwork
    private let membership: any Membership
    private let beacons: any BeaconSealing
    private let sessions: SessionsService
    private let store: any StateStore
    private let time: any TimeSource
    private let boot: BootID
    private let settings: DiscoverySettings
    private let beaconSwitch: (any BeaconSwitch)?
    private let log: Logger

    private var random: Randomness
    private var machine: DiscoveryStateMachine
    /// The machine's; `membership.device` may have changed.
    private var device: DeviceID
    private var isRunning = false
    private var usesBeacons: Bool
    private var started: WallTime
    /// Already logged; nil for an unspecified device.
    private var ofOtherVersions: Set<DeviceID?> = []
    private var alarm: (any Alarm)?
    /// At its last dial or call; nil: no path.
    private var ways: [String: NetworkWay?] = [:]

    init(
        air: any BeaconAir, network: any PeerNetwork, membership: any Membership, beacons: any BeaconSealing,
        sessions: SessionsService, store: any StateStore, time: any TimeSource, random: Randomness, boot: BootID,
        settings: DiscoverySettings, beaconSwitch: (any BeaconSwitch)? = nil, log: Logger
    ) {
        self.air = air
        self.network = network
        self.membership = membership
        self.beacons = beacons
        self.sessions = sessions
        self.store = store
        self.time = time
        self.random = random
        self.boot = boot
        self.settings = settings
        self.beaconSwitch = beaconSwitch
        usesBeacons = settings.beacons
        self.log = log
        started = time.wallTime
        device = membership.device
        machine = DiscoveryStateMachine(device: device, addresses: settings.peers, known: KnownAddresses())
    }

    func start() throws {
        makeMachine()
        alarm = time.makeAlarm { [weak self] in self?.deadlineReached() }
        sessions.handlers.discovery = self
        membership.onChange { [weak self] in self?.membershipChanged($0) }
        beacons.onSearch { [weak self] in self?.searchChanged($0) }
        air.handler = self
        if usesBeacons { startAir() }
        isRunning = true
        lookAnew()
        beaconSwitch?.watch { [weak self] in self?.beaconsSwitched(on: $0) }
    }

    private func startAir() {
        do { try air.start() } catch {
            // Known addresses still work.
            log.warning("Beacons are not available", metadata: ["reason": "\(error)"])
            beacons.canAnnounce = false
        }
    }

    /// Sessions remain.
    private func beaconsSwitched(on isOn: Bool) {
        guard isRunning, isOn != usesBeacons else { return }
        usesBeacons = isOn
        beacons.canAnnounce = isOn
        if isOn {
            startAir()
            networkChanged(on: nil)
        } else {
            air.stop()
        }
        log.info("Setting of beacons changed", metadata: ["on": "\(isOn)"])
    }

    func stop() {
        isRunning = false
        air.stop()
        alarm?.set(nil)
    }

    func clockChanged() { deadlineReached() }

    /// While sessions are paused, nothing is sent or dialled.
    private var isActive: Bool { isRunning && !sessions.isPaused }

    private func makeMachine() {
        device = membership.device
        machine = DiscoveryStateMachine(device: device, addresses: settings.peers, known: loadAddresses())
    }

    // MARK: Events

    private func membershipChanged(_ change: MembershipChange) {
        if change.isOfMembers || change.isOtherRoster { lookAnew() }
    }

    private func searchChanged(_ search: InviterSearch) {
        switch search {
        case .changed: lookAnew()
        case .joined(let device, let address): addressLearned(address, of: device)
        case .announce(let datagram):
            if isRunning { air.broadcast(datagram, on: nil) }
        }
    }

    private func lookAnew() {
        guard isRunning else { return }
        // With another key, it is another device.
        if device != membership.device { makeMachine() }
        carryOut(
            machine.membersChanged(
                to: membership.members.map(\.device), isSearchingInviter: beacons.isSearchingInviter,
                now: time.now, random: &random))
    }

    private func addressLearned(_ address: NetworkAddress, of device: DeviceID) {
        guard isRunning else { return }
        carryOut(machine.addressLearned(address, of: device, now: time.now))
    }

    private func deadlineReached() {
        guard isActive else { return }
        carryOut(machine.deadlineReached(now: time.now, wall: time.wallTime, random: &random))
    }

    /// `own`: this device's ID when it dialled.
    private func dialEnded(_ dial: Dial, by own: DeviceID, _ result: Result<any PeerLink, Failure>) {
        guard isRunning, own == device else {
            if case .success(let link) = result { link.close() }
            return
        }
        switch result {
        case .success(let link):
            ofOtherVersions.remove(dial.expecting)
            let actions = machine.dialSucceeded(dial, with: link.device, now: time.now, random: &random)
            sessions.linkDialled(link)
            carryOut(actions)
        case .failure(let failure):
            log.debug("Dial failed", metadata: ["dial": "\(dial.id)", "reason": "\(failure.code)"])
            sayVersion(dial, failure)
            carryOut(machine.dialFailed(dial, failure, now: time.now, random: &random))
        }
    }

    /// Once per device, until it can be dialled.
    private func sayVersion(_ dial: Dial, _ failure: Failure) {
        guard failure.code == .versionUnsupported else { return }
        if let device = dial.expecting { sessions.versionsDiffer(failure, of: device) }
        guard ofOtherVersions.insert(dial.expecting).inserted else { return }
        log.notice(
            "Device runs an incompatible version",
            metadata: ["device": "\(dial.expecting?.short ?? "any")", "reason": "\(failure.reason)"])
    }

    // MARK: Actions

    private func carryOut(_ actions: [DiscoveryAction]) {
        defer { arm() }
        for action in actions {
            switch action {
            case .announce(let key, let interfaces):
                if let datagram = beacon(sealedWith: key, isAnswer: false) { air.broadcast(datagram, on: interfaces) }
            case .answer(let address, let key):
                if let datagram = beacon(sealedWith: key, isAnswer: true) { air.send(datagram, to: address) }
            case .dial(let dial):
                noteWay(to: dial.endpoint.address?.host)
                network.dial(dial.endpoint, expecting: dial.expecting) { [weak self, device] result in
                    self?.dialEnded(dial, by: device, result)
                }
            case .probeSession(let device): sessions.probe(device)
            case .reportInviter(let address): beacons.inviterFound(at: address)
            case .saveAddresses: saveAddresses()
            }
        }
    }

    private func beacon(sealedWith key: BeaconKeyKind, isAnswer: Bool) -> [UInt8]? {
        guard usesBeacons, let port = network.listeningAddress?.port else { return nil }
        let beacon = Beacon(
            device: membership.device, port: port, boot: boot, time: time.wallTime, isAnswer: isAnswer)
        return beacons.seal(beacon, with: key)
    }

    private func arm() {
        alarm?.set(isActive ? machine.nextDeadline : nil)
    }

    // MARK: Known addresses

    /// Reached there last, or announced by that device.
    func lastAddress(of device: DeviceID) -> NetworkAddress? { machine.knownAddresses[device].first }

    private func loadAddresses() -> KnownAddresses {
        do {
            guard let bytes = try store.read(Self.addressFile) else { return KnownAddresses() }
            return try KnownAddresses(encoded: bytes)
        } catch {
            log.warning("Known addresses cannot be read; ignoring them", metadata: ["reason": "\(error)"])
            return KnownAddresses()
        }
    }

    private func saveAddresses() {
        store.writeLater(machine.knownAddresses.encoded(), to: Self.addressFile) { [log] failure in
            log.warning("Known addresses could not be saved", metadata: ["reason": "\(failure)"])
        }
    }
}

extension DiscoveryService: BeaconAirHandler {
    func datagramReceived(_ datagram: [UInt8], from address: NetworkAddress) {
        guard isActive else { return }
        if Announcement.isVersion(of: datagram) {
            return beacons.announcementReceived(datagram, from: address.host)
        }
        guard let (beacon, key) = beacons.open(datagram, from: address.host) else { return }
        if isDuplicate(beacon) {
            beacons.duplicateHeard(at: address)
            if !beacon.isAnswer, key == .account { carryOut(machine.copyHeard(from: address, now: time.now)) }
        }
        carryOut(
            machine.beaconReceived(
                beacon, sealedWith: key, from: address, now: time.now, wall: time.wallTime, random: &random))
    }

    /// This daemon receives its own beacons; an attacker may replay those of its last run.
    private func isDuplicate(_ beacon: Beacon) -> Bool {
        beacon.device == device && beacon.boot != boot && beacon.time > started
    }

    /// Tries only hosts whose path changed: a machine that starts and stops containers reports changes several times a
    /// second, and must not disturb the other devices.
    func networkChanged(on interfaces: Set<UInt32>?) {
        guard isActive else { return }
        log.debug("Network changed")
        let change = NetworkChange(interfaces: interfaces, hosts: interfaces.map(hostsConcerned))
        carryOut(machine.networkChanged(change, now: time.now, wall: time.wallTime, random: &random))
    }

    private func hostsConcerned(by interfaces: Set<UInt32>) -> Set<String> {
        var hosts: Set<String> = []
        for (host, before) in ways {
            let way = air.way(to: host)
            ways[host] = .some(way)
            if way != before || way?.interface.map(interfaces.contains) == true { hosts.insert(host) }
        }
        // A session keeps its own address, although the way to its device may begin at another by now.
        let sessions = sessions.connected.lazy.compactMap(sessions.way)
        for way in sessions where way.localHost.map(hosts.contains) == true {
            if let host = way.endpoint.address?.host { hosts.insert(host) }
        }
        return hosts
    }

    private func noteWay(to host: String?) {
        guard let host else { return }
        if ways.count >= DiscoveryLimits.notedWays { ways = [:] }
        ways[host] = .some(air.way(to: host))
    }
}

extension DiscoveryService: SessionObserver {
    func sessionOpened(_ device: DeviceID) {
        guard isRunning, let way = sessions.way(to: device) else { return }
        noteWay(to: way.endpoint.address?.host)
        noteWay(to: way.localHost)
        carryOut(machine.sessionOpened(device, over: way, now: time.now))
    }

    func sessionClosed(_ device: DeviceID) {
        guard isRunning else { return }
        carryOut(machine.sessionClosed(device, now: time.now, random: &random))
    }
}
