// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
internal import HandoffWire

/// Derives each secret once, because that is expensive.
struct CallBook {
    /// Twice as many as can be invited. Every call tries all members' secrets, at about two microseconds each, so a
    /// flooded roster must not make that expensive.
    static let members = 128
    static let others = 128

    /// Members, and removed devices that may not know it.
    private(set) var callers: [(caller: Caller, secret: CallSecret)] = []
    private var own: DeviceID?
    private var pairs: [DeviceID: (calling: CallSecret, calledBy: CallSecret)] = [:]
    /// By their distance from the recovery key.
    private var members: [DeviceID] = []

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
