// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Detects repetition among beacons that our key opened.
///
/// A beacon is fresh if its time is within the window around ours and its nonce is new. Nonces are kept until their
/// beacon would be too old. Above a limit for each device the oldest are dropped, and that device's beacons must be
/// newer.
///
/// A member can send beacons in any device's name. A flood affects only that device, and never its later beacons. But a
/// beacon dated ahead of our clock may be fresh again after very many others.
package struct ReplayWindow: Sendable {
    /// Between two clocks, including travel time.
    package static let tolerance = Duration.seconds(600)
    /// A device sends every twenty seconds and after network changes.
    static let noncesPerDevice = 256

    package enum Verdict: Hashable, Sendable {
        case fresh
        case replayed
        /// Or not newer than a dropped nonce.
        case tooOld
        case fromTheFuture
    }

    /// Other devices than members share one.
    private var windows: [DeviceID?: OfDevice] = [:]

    package init() {}

    package var count: Int { windows.values.reduce(0) { $0 + $1.order.count } }

    package mutating func judge(
        _ nonce: BeaconNonce, of member: DeviceID?, sent: WallTime, now: WallTime
    ) -> Verdict {
        let age = sent.duration(to: now)
        guard age <= Self.tolerance else { return .tooOld }
        guard age >= .zero - Self.tolerance else { return .fromTheFuture }
        return windows[member, default: OfDevice()].judge(nonce, sent: sent, now: now)
    }

    package mutating func keep(_ members: Set<DeviceID>) {
        windows = windows.filter { $0.key.map(members.contains) ?? true }
    }

    private struct OfDevice: Sendable {
        struct Entry: Sendable {
            let sent: WallTime
            let nonce: BeaconNonce
        }

        private var seen: Set<BeaconNonce> = []
        /// Oldest first.
        private(set) var order: [Entry] = []
        /// Up to this time, beacons are too old. Never later than now.
        private var floor = WallTime(milliseconds: .min)

        mutating func judge(_ nonce: BeaconNonce, sent: WallTime, now: WallTime) -> Verdict {
            guard !seen.contains(nonce) else { return .replayed }
            guard sent > floor else { return .tooOld }
            let oldest = now.advanced(by: .zero - ReplayWindow.tolerance)
            drop(order.firstIndex { $0.sent >= oldest } ?? order.count)
            // Usually at the end.
            let index = (order.lastIndex { $0.sent <= sent } ?? -1) + 1
            order.insert(Entry(sent: sent, nonce: nonce), at: index)
            seen.insert(nonce)
            if order.count > ReplayWindow.noncesPerDevice { makeRoom(now) }
            return .fresh
        }

        /// An eighth at a time, so that a flood costs little.
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
