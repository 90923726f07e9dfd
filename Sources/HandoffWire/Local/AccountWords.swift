// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    /// The account, and the devices that are in it.
    package enum Identity: Hashable, Sendable {
        case createAccount
        case showAccount
        case account(AccountSummary)
        /// `asking`: whoever has the code is admitted once `answerJoin` said so.
        case createInvite(asking: Bool)
        case invite(InviteOffer)
        case inviteUsed(Result<DeviceSummary, Failure>)
        case joinAsked(JoinRequestSummary)
        case answerJoin(DeviceID, admit: Bool)
        case joinAccount(code: String, address: String?)
        /// Six digits, which the inviting device shows too.
        case joinNumber(String)
        case recoverAccount(RecoverAccount)
        /// `evenAsMember`: it removes itself first.
        case leaveAccount(evenAsMember: Bool)
        /// Nil: this device.
        case renameDevice(String?, to: String)
        /// `onlyAsk`: nothing happens; the answer says which devices it would be. `withAdmitted`: also every device that is a
        /// member only through it.
        case removeDevice(String, onlyAsk: Bool, withAdmitted: Bool = false)
        case device(DeviceSummary)
        /// `watch`: it is answered again at each change.
        case listDevices(watch: Bool = false)
        case deviceList([DeviceSummary])
        case showLog
        case log([AccountLogEntry])
    }
}

package struct AccountSummary: Hashable, Sendable {
    package var account: AccountID
    package var devices: [DeviceSummary]
    /// In the answer that made the account, and never again.
    package var recoveryKey: String?

    package init(account: AccountID, devices: [DeviceSummary], recoveryKey: String? = nil) {
        self.account = account
        self.devices = devices
        self.recoveryKey = recoveryKey
    }
}

package struct InviteOffer: Hashable, Sendable {
    package var code: String
    package var expires: WallTime
    /// Where this device can be reached: HOST:PORT.
    package var addresses: [String]

    package init(code: String, expires: WallTime, addresses: [String]) {
        self.code = code
        self.expires = expires
        self.addresses = addresses
    }
}

/// A device that has the right code and wants to join.
package struct JoinRequestSummary: Hashable, Sendable {
    package var device: DeviceID
    /// As the device says; like its kind, it proves nothing.
    package var name: DisplayText
    package var kind: DeviceKind
    /// The host that its connection comes from.
    package var source: String
    /// Six digits, which it shows too, if nobody is in between.
    package var number: String

    package init(device: DeviceID, name: DisplayText, kind: DeviceKind, source: String, number: String) {
        self.device = device
        self.name = name
        self.kind = kind
        self.source = source
        self.number = number
    }
}

package struct DeviceSummary: Hashable, Sendable {
    package var device: DeviceID
    package var name: DisplayText
    package var kind: DeviceKind
    package var isThisDevice: Bool
    package var isConnected: Bool
    /// Of the session, or the last one that worked.
    package var address: String
    package var admitted: WallTime
    /// Nil for the founder.
    package var admittedBy: DisplayText?
    /// The device that admitted it is no longer a member.
    package var isAdmitterRemoved: Bool
    /// When it was last connected. Nil for this device, for one that is connected, and where nobody knows.
    package var lastSeen: WallTime?
    /// In the answer to `removeDevice`: the devices that are members only through it, and stay.
    package var dependents: [DeviceSummary] = []
    /// In the answer to `removeDevice`: the other devices that this removal takes out.
    package var alsoRemoved: [DeviceSummary] = []

    package init(
        device: DeviceID, name: DisplayText, kind: DeviceKind, isThisDevice: Bool, isConnected: Bool, address: String,
        admitted: WallTime, admittedBy: DisplayText?, isAdmitterRemoved: Bool = false, lastSeen: WallTime? = nil
    ) {
        self.device = device
        self.name = name
        self.kind = kind
        self.isThisDevice = isThisDevice
        self.isConnected = isConnected
        self.address = address
        self.admitted = admitted
        self.admittedBy = admittedBy
        self.isAdmitterRemoved = isAdmitterRemoved
        self.lastSeen = lastSeen
    }
}

/// The holder of the recovery key makes this device a member.
package struct RecoverAccount: Hashable, Sendable {
    package var key: String
    package var removeOthers: Bool
    /// Names, or beginnings of ids.
    package var remove: [String]

    package init(key: String, removeOthers: Bool = false, remove: [String] = []) {
        self.key = key
        self.removeOthers = removeOthers
        self.remove = remove
    }
}

/// One line of what was said in the account.
package struct AccountLogEntry: Hashable, Sendable {
    package enum What: Hashable, Sendable {
        case founded
        case admitted
        case renamed(DisplayText)
        case removed
        case recovered
    }

    package var what: What
    /// Of the clock of the device that said it.
    package var time: WallTime
    package var device: DeviceID
    /// The name it has, or the last one it had.
    package var name: DisplayText
    /// Nil: the recovery key.
    package var by: DeviceID?
    package var byName: DisplayText?
    /// False: said by a removed device, or before a recovery.
    package var counts: Bool

    package init(
        what: What, time: WallTime, device: DeviceID, name: DisplayText, by: DeviceID?, byName: DisplayText?,
        counts: Bool
    ) {
        self.what = what
        self.time = time
        self.device = device
        self.name = name
        self.by = by
        self.byName = byName
        self.counts = counts
    }
}
