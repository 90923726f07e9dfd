// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

enum DiscoveryAction: Hashable, Sendable {
    /// Nil: on all interfaces.
    case announce(BeaconKeyKind, on: Set<UInt32>? = nil)
    /// To another beacon's source.
    case answer(NetworkAddress, BeaconKeyKind)
    case dial(Dial)
    case probeSession(DeviceID)
    /// This device's inviter answers here.
    case reportInviter(NetworkAddress)
    case saveAddresses
}

/// Incoming beacons are already proven to be from a member, or from the other side of an invite.
struct DiscoveryStateMachine: ~Copyable {
    private let device: DeviceID
    private(set) var knownAddresses: KnownAddresses
    /// Sorted by ID.
    private var others: [DeviceID] = []
    private var targets: [DeviceID: DialTarget] = [:]
    private var given: [GivenAddress]
    private var schedule = BeaconSchedule()
    private var limiter = AnswerLimiter()
    private var isSearching = false
    private var lastDial: UInt64 = 0
    private var clocks: (now: Instant, wall: WallTime)?

    private struct GivenAddress {
        var route: Route
        var device: DeviceID?
    }

    /// `addresses`: given by the user. `known`: from the last run.
    init(device: DeviceID, addresses: [NetworkAddress], known: KnownAddresses) {
        self.device = device
        self.given = addresses.map { GivenAddress(route: Route(endpoint: .address($0), isGiven: true)) }
        self.knownAddresses = known
    }

    var nextDeadline: Instant? {
        var next = schedule.nextDeadline
        guard dialsUnderWay < DiscoveryLimits.dialsAtOnce else { return next }
        for member in others { next = next.earlier(targets[member]?.nextDeadline) }
        for index in given.indices { next = next.earlier(nextDial(ofGiven: index)) }
        return next
    }

    // MARK: The account

    mutating func membersChanged(
        to members: [DeviceID], isSearchingInviter: Bool, now: Instant, random: inout some RandomNumberGenerator
    ) -> [DiscoveryAction] {
        let others = members.filter { $0 != device }.sorted()
        let added = others.filter { targets[$0] == nil }
        for gone in self.others where !others.contains(gone) { targets[gone] = nil }
        self.others = others
        var actions: [DiscoveryAction] = []
        if !others.isEmpty, knownAddresses.keep(Set(others)) { actions.append(.saveAddresses) }
        for newcomer in added {
            var target = DialTarget()
            for address in knownAddresses[newcomer].reversed() {
                target.add(.address(address), due: now.advanced(by: courtesy(to: newcomer)))
            }
            targets[newcomer] = target
        }
        if others.isEmpty {
            schedule.silence()
        } else if !added.isEmpty {
            schedule.startBurst(now: now, random: &random)
            for index in given.indices { given[index].route.refresh(at: now) }
        }
        if isSearchingInviter != isSearching {
            isSearching = isSearchingInviter
            if isSearching { schedule.startSearch(now: now) } else { schedule.endSearch() }
        }
        return actions + due(now: now)
    }

    mutating func addressLearned(
        _ address: NetworkAddress, of member: DeviceID, now: Instant
    ) -> [DiscoveryAction] {
        guard targets[member] != nil else { return [] }
        targets[member]?.add(.address(address), due: now)
        return (knownAddresses.remember(address, of: member) ? [.saveAddresses] : []) + due(now: now)
    }

    // MARK: The network

    mutating func beaconReceived(
        _ beacon: Beacon, sealedWith key: BeaconKeyKind, from source: NetworkAddress, now: Instant, wall: WallTime,
        random: inout some RandomNumberGenerator
    ) -> [DiscoveryAction] {
        // Looped back by the multicast group.
        guard beacon.device != device else { return [] }
        let woken = clocksRead(now: now, wall: wall, random: &random)
        let address = NetworkAddress(host: source.host, port: beacon.port)
        let actions =
            switch key {
            case .invite: inviteBeaconReceived(beacon, from: source, at: address, now: now)
            case .account: memberBeaconReceived(beacon, from: source, at: address, isHeard: true, now: now)
            // Only dialled: the member could not decrypt an answer, and a removed device must not see one.
            case .former: memberBeaconReceived(beacon, from: source, at: address, isHeard: false, now: now)
            }
        return woken + actions + due(now: now)
    }

    mutating func copyHeard(from source: NetworkAddress, now: Instant) -> [DiscoveryAction] {
        limiter.allows(device, now: now) ? [.answer(source, .account)] : []
    }

    mutating func networkChanged(
        _ change: NetworkChange = .any, now: Instant, wall: WallTime, random: inout some RandomNumberGenerator
    ) -> [DiscoveryAction] {
        clocks = (now, wall)
        return startOver(change, now: now, random: &random) + due(now: now)
    }

    mutating func deadlineReached(
        now: Instant, wall: WallTime, random: inout some RandomNumberGenerator
    ) -> [DiscoveryAction] {
        clocksRead(now: now, wall: wall, random: &random) + due(now: now)
    }

    // MARK: Sessions and dials

    mutating func sessionOpened(
        _ member: DeviceID, over way: SessionWay, now: Instant
    ) -> [DiscoveryAction] {
        guard targets[member] != nil else { return [] }
        targets[member]?.sessionOpened(
            .init(boot: way.boot, host: way.endpoint.address?.host, preference: way.preference, opened: now))
        guard let listening = way.listening else { return [] }
        // A device that always dialled can be dialled later. The user's addresses are tried in any case.
        if !given.contains(where: { $0.route.endpoint == listening }) { targets[member]?.add(listening, due: now) }
        guard let address = listening.address else { return [] }
        return knownAddresses.remember(address, of: member) ? [.saveAddresses] : []
    }

    mutating func sessionClosed(
        _ member: DeviceID, now: Instant, random: inout some RandomNumberGenerator
    ) -> [DiscoveryAction] {
        guard let session = targets[member]?.session else { return [] }
        // Not immediately: a newer session may replace this one in the same moment.
        let polite = now.advanced(by: max(courtesy(to: member), DiscoveryLimits.reunionPause))
        let lasted = session.opened.duration(to: now) >= DiscoveryLimits.lastingSession
        targets[member]?.sessionClosed(hasLasted: lasted, retry: polite, now: now, random: &random)
        for index in given.indices where given[index].device == member && lasted {
            given[index].route.refresh(at: polite)
        }
        return due(now: now)
    }

    /// Only a session on the link is a success.
    mutating func dialSucceeded(
        _ dial: Dial, with member: DeviceID, now: Instant, random: inout some RandomNumberGenerator
    ) -> [DiscoveryAction] {
        if let index = given.firstIndex(where: { $0.route.dial == dial.id }) {
            given[index].device = member
            given[index].route.failed(now: now, random: &random)
        } else if let expected = dial.expecting {
            _ = targets[expected]?.dialEnded(dial.id, now: now, random: &random)
        }
        return due(now: now)
    }

    mutating func dialFailed(
        _ dial: Dial, _ failure: Failure, now: Instant, random: inout some RandomNumberGenerator
    ) -> [DiscoveryAction] {
        var actions: [DiscoveryAction] = []
        if let index = given.firstIndex(where: { $0.route.dial == dial.id }) {
            given[index].route.failed(now: now, random: &random)
        } else if let expected = dial.expecting,
            let endpoint = targets[expected]?.dialEnded(dial.id, now: now, random: &random),
            failure.code == .notAMember
        {
            targets[expected]?.remove(endpoint)
            if let address = endpoint.address, knownAddresses.forget(address, of: expected) {
                actions.append(.saveAddresses)
            }
        }
        return actions + due(now: now)
    }
}

// MARK: - Beacons

extension DiscoveryStateMachine {
    private mutating func inviteBeaconReceived(
        _ beacon: Beacon, from source: NetworkAddress, at address: NetworkAddress, now: Instant
    ) -> [DiscoveryAction] {
        if isSearching { return beacon.isAnswer ? [.reportInviter(address)] : [] }
        guard !beacon.isAnswer, limiter.allows(beacon.device, now: now) else { return [] }
        return [.answer(source, .invite)]
    }

    private mutating func memberBeaconReceived(
        _ beacon: Beacon, from source: NetworkAddress, at address: NetworkAddress, isHeard: Bool, now: Instant
    ) -> [DiscoveryAction] {
        let member = beacon.device
        guard let target = targets[member] else { return [] }
        var actions: [DiscoveryAction] = []
        if let session = target.session {
            let isSameStart = session.boot == beacon.boot
            // The device restarted, or moved and has not noticed that its session is cut. A beacon alone must not end a
            // session: it may be a replay.
            if !isSameStart || !target.knows(host: source.host) { actions.append(.probeSession(member)) }
            if isSameStart {
                targets[member]?.heard(at: .address(address), boot: beacon.boot, due: now)
                return actions
            }
        }
        if isHeard, !beacon.isAnswer, limiter.allows(member, now: now) { actions.append(.answer(source, .account)) }
        let polite = now.advanced(by: courtesy(to: member))
        targets[member]?.heard(at: .address(address), boot: beacon.boot, due: polite)
        return actions
    }

    private func courtesy(to member: DeviceID) -> Duration {
        device < member ? .zero : DiscoveryLimits.courtesy
    }
}

// MARK: - Time

extension DiscoveryStateMachine {
    private mutating func clocksRead(
        now: Instant, wall: WallTime, random: inout some RandomNumberGenerator
    ) -> [DiscoveryAction] {
        let last = clocks
        clocks = (now, wall)
        guard let last else { return [] }
        // Other devices ignored the beacons of a clock that was wrong.
        let jump = last.wall.duration(to: wall) - last.now.duration(to: now)
        let isJump = max(jump, .zero - jump) > DiscoveryLimits.sleepThreshold
        return isJump ? startOver(.any, now: now, random: &random) : []
    }

    private mutating func startOver(
        _ change: NetworkChange, now: Instant, random: inout some RandomNumberGenerator
    ) -> [DiscoveryAction] {
        guard !others.isEmpty else { return [] }
        if let interfaces = change.interfaces {
            schedule.startBurst(on: interfaces, now: now, random: &random)
        } else {
            schedule.startBurst(now: now, random: &random)
        }
        for member in others {
            let polite = now.advanced(by: courtesy(to: member))
            if let hosts = change.hosts {
                targets[member]?.redial(hosts, at: polite)
            } else {
                targets[member]?.refreshAll(at: polite)
            }
        }
        for index in given.indices where change.concerns(given[index].route.endpoint.address?.host) {
            if change.hosts == nil { given[index].route.refresh(at: now) } else { given[index].route.redial(at: now) }
        }
        return others.filter { targets[$0]?.session.map { change.concerns($0.host) } ?? false }.map {
            .probeSession($0)
        }
    }

    private mutating func due(now: Instant) -> [DiscoveryAction] {
        var actions: [DiscoveryAction] = []
        let beacons = schedule.takeDue(now: now)
        if beacons.invite { actions.append(.announce(.invite)) }
        if beacons.account {
            actions.append(.announce(.account))
        } else if !beacons.interfaces.isEmpty {
            actions.append(.announce(.account, on: beacons.interfaces))
        }
        if beacons.isPeriodic {
            for member in others { targets[member]?.wakeDormant(at: now) }
        }
        var free = DiscoveryLimits.dialsAtOnce - dialsUnderWay
        for member in others {
            while free > 0, let endpoint = targets[member]?.startDial(lastDial + 1, now: now) {
                free -= 1
                lastDial += 1
                actions.append(.dial(Dial(id: lastDial, endpoint: endpoint, expecting: member)))
            }
        }
        for index in given.indices {
            guard free > 0, let due = nextDial(ofGiven: index), due <= now else { continue }
            free -= 1
            lastDial += 1
            given[index].route.start(lastDial, now: now)
            actions.append(.dial(Dial(id: lastDial, endpoint: given[index].route.endpoint, expecting: nil)))
        }
        return actions
    }

    private var dialsUnderWay: Int {
        others.reduce(0) { $0 + (targets[$1]?.dialsUnderWay ?? 0) } + given.count { !$0.route.isIdle }
    }

    /// Nil without a device to find, or if the device that last answered there has a session of at least equal
    /// preference.
    private func nextDial(ofGiven index: Int) -> Instant? {
        let entry = given[index]
        guard !others.isEmpty, entry.route.isIdle else { return nil }
        if let device = entry.device, targets[device]?.isWanted(entry.route.endpoint) == false { return nil }
        return entry.route.due
    }
}
