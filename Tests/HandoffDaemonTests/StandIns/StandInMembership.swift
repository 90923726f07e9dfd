// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffDaemon
import HandoffWire

/// Says who belongs to the account, as the test wants it. Knows nothing of keys.
final class StandInMembership: Membership {
    let device: DeviceID
    var account: AccountID?
    var members: [Member]
    private var observers: [() -> Void] = []

    init(device: DeviceID, account: AccountID?, members: [Member] = []) {
        self.device = device
        self.account = account
        self.members = members
    }

    func changed() {
        for observer in observers { observer() }
    }

    func member(_ device: DeviceID) -> Member? { members.first { $0.device == device } }
    func onChange(_ observer: @escaping () -> Void) { observers.append(observer) }

    var rosterUpdate: RosterUpdate { RosterUpdate() }
    var rosterDigest: [UInt8] { [] }
    func merge(_ update: RosterUpdate) throws -> Bool { false }
    func hasCaughtUp(_ device: DeviceID) {}
    func isFormerMember(_ device: DeviceID) -> Bool { false }
    var removalNotice: RosterUpdate { RosterUpdate() }
    func mergeRecovery(_ update: RosterUpdate) throws -> Bool { false }
    var removal: String? { nil }
    func seal(_ beacon: Beacon, with key: BeaconKeyKind) -> [UInt8]? { nil }
    func open(_ datagram: [UInt8]) -> (beacon: Beacon, key: BeaconKeyKind)? { nil }
    var isSearchingInviter: Bool { false }
    func inviterFound(at address: NetworkAddress) {}
    func onAddressLearned(_ observer: @escaping (DeviceID, NetworkAddress) -> Void) {}
}
