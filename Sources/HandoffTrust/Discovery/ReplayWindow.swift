// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Which beacons were not here before. Asked only about beacons that opened under our key, so a forged one changes
/// nothing.
///
/// A beacon counts if its sender's clock is within the window around ours and its nonce is new. Nonces are kept until
/// their beacon would be too old anyway, of each device so many: when there are more the oldest goes, and from then on
/// nothing of that device that is as old counts. So memory is bounded, and what was heard before does not count again.
///
/// Whoever has the key can say anything in any device's name. It silences nobody with that: what is too much in one
/// device's name costs only that one, and never what is sent from now on. For that a beacon dated ahead of our clock may
/// count once more after very many others in the name of its device.
package struct ReplayWindow: Sendable {
    /// How far two clocks may be apart, with the way of the datagram.
    package static let tolerance = Duration.seconds(600)
    /// Nonces kept of a device; one says something every twenty seconds, and when its network becomes another.
    package static let noncesPerDevice = 256

    package enum Verdict: Hashable, Sendable {
        case fresh
        case replayed
        /// Sent longer ago than the window, or before what was forgotten.
        case tooOld
        case fromTheFuture
    }

    /// Of members; those of everybody else are one.
    private var windows: [DeviceID?: OfDevice] = [:]

    package init() {}

    package var count: Int { windows.values.reduce(0) { $0 + $1.order.count } }

    /// `member` is nil for a beacon of a device that is none.
    package mutating func judge(
        _ nonce: BeaconNonce, of member: DeviceID?, sent: WallTime, now: WallTime
    ) -> Verdict {
        let age = sent.duration(to: now)
        guard age <= Self.tolerance else { return .tooOld }
        guard age >= .zero - Self.tolerance else { return .fromTheFuture }
        return windows[member, default: OfDevice()].judge(nonce, sent: sent, now: now)
    }

    /// Only these can say anything from now on.
    package mutating func keep(_ members: Set<DeviceID>) {
        windows = windows.filter { $0.key.map(members.contains) ?? true }
    }

    private struct OfDevice: Sendable {
        struct Entry: Sendable {
            let sent: WallTime
            let nonce: BeaconNonce
        }

        private var seen: Set<BeaconNonce> = []
        /// As `seen`, the oldest first.
        private(set) var order: [Entry] = []
        /// Beacons sent at this time or earlier do not count. Never later than now.
        private var floor = WallTime(milliseconds: .min)

        mutating func judge(_ nonce: BeaconNonce, sent: WallTime, now: WallTime) -> Verdict {
            guard !seen.contains(nonce) else { return .replayed }
            guard sent > floor else { return .tooOld }
            let oldest = now.advanced(by: .zero - ReplayWindow.tolerance)
            drop(order.firstIndex { $0.sent >= oldest } ?? order.count)
            // Nearly always the last place: clocks agree but for a little.
            let index = (order.lastIndex { $0.sent <= sent } ?? -1) + 1
            order.insert(Entry(sent: sent, nonce: nonce), at: index)
            seen.insert(nonce)
            if order.count > ReplayWindow.noncesPerDevice { makeRoom(now) }
            return .fresh
        }

        /// An eighth at a time, so that a flood costs little for each beacon.
        private mutating func makeRoom(_ now: WallTime) {
            let count = ReplayWindow.noncesPerDevice / 8
            floor = max(floor, min(order[count - 1].sent, now))
            drop(count)
            drop(order.prefix { $0.sent <= floor }.count)
        }

        private mutating func drop(_ count: Int) {
            guard count > 0 else { return }
            for entry in order.prefix(count) { seen.remove(entry.nonce) }
            order.removeFirst(count)
        }
    }
}
