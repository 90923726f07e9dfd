// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffTrust
package import HandoffWire
internal import Logging

/// A device that left the account, or was removed only by devices that are removed too, may know the beacon key.
extension IdentityService {
    func watchKey() {
        let isNeeded = book.record?.roster.removedWithTheKey.isEmpty == false
        let rank = members.map(\.device).sorted().firstIndex(of: device) ?? 0
        renewal.looked(isNeeded: isNeeded, rank: rank, now: time.now)
    }

    func renewKey() {
        guard renewal.isDue(now: time.now), var record = book.record else { return }
        do {
            try record.renewBeaconKey(by: book.credentials.key, time: time.wallTime)
            try book.write(record)
            log.info("Beacon key renewed: a removed device may have known it")
        } catch {
            log.error("Beacon key could not be renewed", metadata: ["reason": "\(error)"])
        }
        changed()
    }
}

extension IdentityService: BeaconSealing {
    package func seal(_ beacon: Beacon, with key: BeaconKeyKind) -> [UInt8]? {
        let key =
            switch key {
            case .account: book.record?.beaconKey
            case .former: nil as BeaconKey?
            case .invite: inviteKey
            }
        return try? key?.seal(beacon)
    }

    package func open(_ datagram: [UInt8], from host: String) -> (beacon: Beacon, key: BeaconKeyKind)? {
        if let beacon = try? book.record?.beaconKey?.open(datagram) {
            if member(beacon.device) != nil { sightings.opened(beacon, now: time.now, wall: time.wallTime) }
            guard isFresh(datagram, of: beacon.device, sent: beacon.time) else { return nil }
            hasCaughtUp(beacon.device)
            return (beacon, .account)
        }
        if let beacon = book.record?.openFormer(datagram, at: time.wallTime) {
            return isFresh(datagram, of: beacon.device, sent: beacon.time) ? (beacon, .former) : nil
        }
        if let beacon = try? inviteKey?.open(datagram) {
            // The key lives for minutes, and a joining device's clock may be wrong.
            return isFresh(datagram, of: beacon.device, sent: time.wallTime) ? (beacon, .invite) : nil
        }
        sightings.unopened(from: host, now: time.now)
        return nil
    }

    package var strangers: [String] { sightings.strangers(now: time.now) }

    func clock(of device: DeviceID) -> Duration? { sightings.clock(of: device, now: time.now) }

    package var isSearchingInviter: Bool { joinTask.isSearching }

    package func inviterFound(at address: NetworkAddress) {
        joinTask.inviterFound(at: address)
        setAlarm()
    }

    package var canAnnounce: Bool {
        get { invites.canAnnounce }
        set { invites.canAnnounce = newValue }
    }

    package func duplicateHeard(at address: NetworkAddress) { copyNoticed(of: device, at: address) }

    package func onSearch(_ observer: @escaping (InviterSearch) -> Void) { searchObservers.append(observer) }

    private var inviteKey: BeaconKey? { invites.beaconKey ?? joinTask.beaconKey }

    private func isFresh(_ datagram: [UInt8], of device: DeviceID, sent: WallTime) -> Bool {
        let member = book.member(device)?.device
        return replays.judge(BeaconKey.nonce(of: datagram), of: member, sent: sent, now: time.wallTime) == .fresh
    }
}
