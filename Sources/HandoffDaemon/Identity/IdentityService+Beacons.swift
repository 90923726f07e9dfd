// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffTrust
package import HandoffWire

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

    package func open(_ datagram: [UInt8]) -> (beacon: Beacon, key: BeaconKeyKind)? {
        if let beacon = try? book.record?.beaconKey?.open(datagram) {
            guard isFresh(datagram, sent: beacon.time) else { return nil }
            hasCaughtUp(beacon.device)
            return (beacon, .account)
        }
        if let beacon = book.record?.openFormer(datagram, at: time.wallTime) {
            return isFresh(datagram, sent: beacon.time) ? (beacon, .former) : nil
        }
        if let beacon = try? inviteKey?.open(datagram) {
            // The key lives for minutes, and a device that joins may not have been told the time yet.
            return isFresh(datagram, sent: time.wallTime) ? (beacon, .invite) : nil
        }
        return nil
    }

    package var isSearchingInviter: Bool { errand.isSearching }

    package func inviterFound(at address: NetworkAddress) {
        errand.inviterFound(at: address)
        setAlarm()
    }

    package func onSearch(_ observer: @escaping (InviterSearch) -> Void) { searchObservers.append(observer) }

    private var inviteKey: BeaconKey? { desk.beaconKey ?? errand.beaconKey }

    private func isFresh(_ datagram: [UInt8], sent: WallTime) -> Bool {
        replays.judge(BeaconKey.nonce(of: datagram), sent: sent, now: time.wallTime) == .fresh
    }
}
