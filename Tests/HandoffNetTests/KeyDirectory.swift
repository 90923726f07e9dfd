// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTrust
import HandoffWire

final class KeyDirectory: CallDirectory {
    private var own: DeviceKey
    private let members: [DeviceKey]
    private let former: [DeviceKey]
    private let invite: InviteCode?

    init(own: DeviceKey, members: [DeviceKey], former: [DeviceKey] = [], invite: InviteCode? = nil) {
        self.own = own
        self.members = members
        self.former = former
        self.invite = invite
    }

    func identify(_ key: DeviceKey) { own = key }

    var callers: [(caller: Caller, secret: CallSecret)] {
        (members + former + [own]).compactMap { key in
            own.callSecrets(with: key.publicKey).map { (.device(key.id), $0.calledBy) }
        } + [invite?.callSecret].compactMap { $0 }.map { (.invited, $0) }
    }

    func secrets(calling device: DeviceID?) -> [CallSecret] {
        (members + [own]).filter { device == nil || device == $0.id }
            .compactMap { own.callSecrets(with: $0.publicKey)?.calling }
    }
}
