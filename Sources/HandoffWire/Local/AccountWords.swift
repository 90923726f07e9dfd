// SPDX-License-Identifier: Apache-2.0

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
