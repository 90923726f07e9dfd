// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
internal import HandoffWire

/// The secrets that this device shares with each device of its roster. Each is made once, since that is dear.
struct CallBook {
    /// Members whose calls are taken: twice as many as are invited. All their secrets are tried, at some two microseconds each,
    /// so a roster that somebody fills must not make that dear.
    static let members = 128
    /// Others whose calls are taken.
    static let others = 128

    /// Those that may call this device: members, and who was removed and may not know it.
    private(set) var callers: [(caller: Caller, secret: CallSecret)] = []
    private var own: DeviceID?
    private var pairs: [DeviceID: (calling: CallSecret, calledBy: CallSecret)] = [:]
    /// The nearest to the recovery key first.
    private var members: [DeviceID] = []

    /// The roster became another, or the key.
    mutating func follow(_ book: AccountBook) {
        if own != book.device { pairs = [:] }
        own = book.device
        let roster = book.record?.roster
        members = Array((roster?.nearestMembers ?? []).prefix(Self.members))
        let known = members + (roster?.formerMembers ?? []).prefix(Self.others)
        let before = pairs
        pairs = [:]
        for device in known {
            let key = roster?.mentionedKeys[device]
            pairs[device] = before[device] ?? key.flatMap { book.credentials.key.callSecrets(with: $0) }
        }
        callers = known.compactMap { device in pairs[device].map { (.device(device), $0.calledBy) } }
    }

    func secrets(calling device: DeviceID?) -> [CallSecret] {
        guard let device else { return members.prefix(Limits.callProofs).compactMap { pairs[$0]?.calling } }
        return [pairs[device]?.calling].compactMap { $0 }
    }
}
