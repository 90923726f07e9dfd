// SPDX-License-Identifier: Apache-2.0

/// The device closes the oldest of too many unproven connections from one source.
struct DialQueue<Destination: Hashable, Dial> {
    /// Handshakes: a third of `WaitingCallers`'s limit, because two devices behind one address are one source.
    let atOnce: Int

    private var running: [Destination: Int] = [:]
    private var waiting: [Destination: [Dial]] = [:]

    init(atOnce: Int = 8) { self.atOnce = atOnce }

    /// Returns the dial if it may start now.
    mutating func arrived(_ dial: Dial, to destination: Destination) -> Dial? {
        guard running[destination, default: 0] < atOnce else {
            waiting[destination, default: []].append(dial)
            return nil
        }
        running[destination, default: 0] += 1
        return dial
    }

    mutating func settled(to destination: Destination) -> Dial? {
        if let first = waiting[destination]?.first {
            waiting[destination]?.removeFirst()
            if waiting[destination]?.isEmpty == true { waiting[destination] = nil }
            return first
        }
        let rest = running[destination, default: 1] - 1
        running[destination] = rest > 0 ? rest : nil
        return nil
    }
}
