// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    package enum Identity: Hashable, Sendable {
        case createAccount
        case showAccount
        case account(AccountSummary)
        /// `asking`: admits a device only after `answerJoin`. `announced`: new devices on the network can choose it.
        case createInvite(asking: Bool, announced: Bool = false)
        case invite(InviteOffer)
        case inviteUsed(Result<DeviceSummary, Failure>)
        case joinAsked(JoinRequestSummary)
        case answerJoin(DeviceID, admit: Bool)
        /// A device of `joinAsked` no longer waits.
        case joinLeft(DeviceID)
        case listNearby
        case nearbyList([NearbyInvite])
        /// `nearby`: the code is from `nearbyList`, so the device joins only after `confirmJoin`.
        case joinAccount(code: String, address: String?, nearby: Bool = false)
        /// Six digits, shown by the inviting device too.
        case joinNumber(String)
        case confirmJoin(matches: Bool)
        /// Fails once the key is confirmed, or the daemon has restarted.
        case showRecoveryKey
        /// The user has the key; the daemon forgets it.
        case confirmRecoveryKey
        /// Leaves the account and creates another. `evenWithOthers`: though it has other devices.
        case newRecoveryKey(evenWithOthers: Bool)
        case recoverAccount(RecoverAccount)
        /// `evenAsMember`: removes itself first.
        case leaveAccount(evenAsMember: Bool)
        /// Nil: this device.
        case renameDevice(String?, to: String)
        /// `onlyAsk`: the answer lists the affected devices. `withAdmitted`: also removes devices that are members only
        /// through this one.
        case removeDevice(String, onlyAsk: Bool, withAdmitted: Bool = false)
        case device(DeviceSummary)
        /// `isPatient`: no user looks at the list.
        case listDevices(watch: Bool = false, isPatient: Bool = false)
        case deviceList([DeviceSummary])
        case showLog
        case log([AccountLogEntry])
    }
}

package struct AccountSummary: Hashable, Sendable {
    package var account: AccountID
    package var devices: [DeviceSummary]
    /// Only in the answers to `createAccount`, `showRecoveryKey` and `newRecoveryKey`.
    package var recoveryKey: String?

    package init(account: AccountID, devices: [DeviceSummary], recoveryKey: String? = nil) {
        self.account = account
        self.devices = devices
        self.recoveryKey = recoveryKey
    }

    /// Proves that the user has the key. Ignores case, dashes and blanks, and treats 0, 1, 8 as O, I, B.
    package static func recoveryKey(_ key: String, endsWith typed: String) -> Bool {
        let end = plain(key.split(separator: "-").last ?? "")
        return !end.isEmpty && plain(typed[...]).hasSuffix(end)
    }

    private static func plain(_ text: Substring) -> String {
        let alike: [Character: Character] = ["0": "O", "1": "I", "8": "B"]
        return String(text.uppercased().filter { $0.isLetter || $0.isNumber }.map { alike[$0] ?? $0 })
    }
}

package struct InviteOffer: Hashable, Sendable {
    package var code: String
    package var expires: WallTime
    /// HOST:PORT.
    package var addresses: [String]
    /// Nil: not in the list of new devices.
    package var announcedAs: DisplayText?

    package init(code: String, expires: WallTime, addresses: [String], announcedAs: DisplayText? = nil) {
        self.code = code
        self.expires = expires
        self.addresses = addresses
        self.announcedAs = announcedAs
    }
}

package struct NearbyInvite: Hashable, Sendable {
    package var code: String
    /// Proves nothing.
    package var name: DisplayText
    package var kind: DeviceKind
    /// HOST:PORT.
    package var address: String

    package init(code: String, name: DisplayText, kind: DeviceKind, address: String) {
        self.code = code
        self.name = name
        self.kind = kind
        self.address = address
    }
}

package struct JoinRequestSummary: Hashable, Sendable {
    package var device: DeviceID
    /// Proves nothing.
    package var name: DisplayText
    package var kind: DeviceKind
    package var source: String
    /// Six digits; the device shows them too unless there is a man in the middle.
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
    /// From the session, or the last that worked.
    package var address: String
    package var admitted: WallTime
    /// Nil for the founder.
    package var admittedBy: DisplayText?
    package var isAdmitterRemoved: Bool
    /// Nil for this device, for a connected device, and if unknown.
    package var lastSeen: WallTime?
    /// While it is connected.
    package var software: DisplayText?
    /// Nil: connected, or unknown.
    package var problem: DisplayText?
    /// How far its clock is ahead of this device's.
    package var clock: Duration?
    /// In the answer to `removeDevice`: members only through this device.
    package var dependents: [DeviceSummary] = []
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

package struct AccountLogEntry: Hashable, Sendable {
    package enum What: Hashable, Sendable {
        case founded
        case admitted
        case renamed(DisplayText)
        case removed
        case recovered
    }

    package var what: What
    /// By the clock of the signing device.
    package var time: WallTime
    package var device: DeviceID
    package var name: DisplayText
    /// Nil: the recovery key.
    package var by: DeviceID?
    package var byName: DisplayText?
    /// False: signed by a removed device, or before a recovery.
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
