// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Which beacons were not here before. Asked only about beacons that opened under our key, so a forged one changes
/// nothing.
///
/// A beacon counts if its sender's clock is within the window around ours and its nonce is new. Nonces are kept until
/// their beacon would be too old anyway. When the cache is full the oldest ones go, and from then on nothing as old as
/// they were counts: memory is bounded, and no replay comes through for it.
package struct ReplayWindow: Sendable {
    /// How far two clocks may be apart, with the way of the datagram.
    package static let tolerance = Duration.seconds(600)
    /// Nonces kept at a time: 64 devices, each of which says something every twenty seconds.
    package static let capacity = 4096

    package enum Verdict: Hashable, Sendable {
        case fresh
        case replayed
        /// Sent longer ago than the window, or before what was forgotten.
        case tooOld
        case fromTheFuture
    }

    private var seen: Set<BeaconNonce> = []
    /// As `seen`, the oldest first.
    private var order: [Entry] = []
    /// Beacons sent at this time or earlier do not count.
    private var floor = WallTime(milliseconds: .min)

    private struct Entry: Sendable {
        let sent: WallTime
        let nonce: BeaconNonce
    }

    package init() {}

    package var count: Int { order.count }

    package mutating func judge(_ nonce: BeaconNonce, sent: WallTime, now: WallTime) -> Verdict {
        let age = sent.duration(to: now)
        guard age <= Self.tolerance else { return .tooOld }
        guard age >= .zero - Self.tolerance else { return .fromTheFuture }
        guard !seen.contains(nonce) else { return .replayed }
        guard sent > floor else { return .tooOld }
        forget(sentBefore: now.advanced(by: .zero - Self.tolerance))
        if order.count >= Self.capacity { makeRoom() }
        guard sent > floor else { return .tooOld }
        insert(Entry(sent: sent, nonce: nonce))
        return .fresh
    }

    private mutating func insert(_ entry: Entry) {
        // Nearly always the last place: clocks agree but for a little.
        let index = (order.lastIndex { $0.sent <= entry.sent } ?? -1) + 1
        order.insert(entry, at: index)
        seen.insert(entry.nonce)
    }

    private mutating func forget(sentBefore oldest: WallTime) {
        let count = order.firstIndex { $0.sent >= oldest } ?? order.count
        drop(count)
    }

    /// An eighth at a time, so that a flood costs little for each beacon.
    private mutating func makeRoom() {
        let count = Self.capacity / 8
        floor = max(floor, order[count - 1].sent)
        drop(order.prefix { $0.sent <= floor }.count)
    }

    private mutating func drop(_ count: Int) {
        guard count > 0 else { return }
        for entry in order.prefix(count) { seen.remove(entry.nonce) }
        order.removeFirst(count)
    }
}
