// SPDX-License-Identifier: Apache-2.0

/// Dials to one device that wait for one another. A device lets go of the oldest of the connections that have not said who
/// they are when there are too many from one source, so a hundred streams asked for at once would push one another out.
struct DialQueue<Destination: Hashable, Dial> {
    /// Handshakes with one device at a time; a third of what `WaitingCallers` lets one source have, since two devices
    /// behind one address are one source.
    let atOnce: Int

    private var running: [Destination: Int] = [:]
    private var waiting: [Destination: [Dial]] = [:]

    init(atOnce: Int = 8) { self.atOnce = atOnce }

    /// The dial, if its turn is now.
    mutating func arrived(_ dial: Dial, to destination: Destination) -> Dial? {
        guard running[destination, default: 0] < atOnce else {
            waiting[destination, default: []].append(dial)
            return nil
        }
        running[destination, default: 0] += 1
        return dial
    }

    /// One has proved itself or failed. The one whose turn is next, if one waits.
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
