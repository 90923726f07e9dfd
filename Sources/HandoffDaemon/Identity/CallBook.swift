// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
internal import HandoffWire

/// The secrets that this device shares with each device of its roster. Each is made once, since that is dear.
struct CallBook {
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
        let keys = book.record?.roster.mentionedKeys ?? [:]
        pairs = pairs.filter { keys[$0.key] != nil }
        for (device, key) in keys where pairs[device] == nil {
            pairs[device] = book.credentials.key.callSecrets(with: key)
        }
        members = book.record?.roster.nearestMembers ?? []
        callers = pairs.map { (.device($0.key), $0.value.calledBy) }
    }

    func secrets(calling device: DeviceID?) -> [CallSecret] {
        guard let device else { return members.prefix(Limits.callProofs).compactMap { pairs[$0]?.calling } }
        return [pairs[device]?.calling].compactMap { $0 }
    }
}
