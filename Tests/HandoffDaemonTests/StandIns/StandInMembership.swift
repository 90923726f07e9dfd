// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

@testable import HandoffDaemon

/// A membership that the test sets, without keys.
final class StandInMembership: Membership {
    let device: DeviceID
    var account: AccountID?
    var members: [Member]
    private var observers: [(MembershipChange) -> Void] = []
    private var told: MembershipState?

    init(device: DeviceID, account: AccountID?, members: [Member] = []) {
        self.device = device
        self.account = account
        self.members = members
        told = MembershipState(self)
    }

    func changed() {
        let new = MembershipState(self)
        guard let change = told?.change(to: new) else { return }
        told = new
        for observer in observers { observer(change) }
    }

    func member(_ device: DeviceID) -> Member? { members.first { $0.device == device } }
    var end: MembershipEnd? { nil }
    var recoveryKey: RecoveryKeyState { .confirmed }
    var duplications: [String] { [] }
    var strangers: [String] { [] }
    func onChange(_ observer: @escaping (MembershipChange) -> Void) { observers.append(observer) }
}
