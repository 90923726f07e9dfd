// SPDX-License-Identifier: Apache-2.0

/// Which accepted connections that have not proved who they are may stay. Whoever is pushed out by a flood is the one
/// that has dawdled longest, of those of whom there are most: who is in earnest needs a round trip, so it gets through.
struct UnprovenConnections<Connection: Hashable> {
    /// At a time, over all sources.
    let total: Int
    /// At a time, from one source.
    let perSource: Int

    /// Oldest first; short by its limits, so a plain array is the right thing.
    private var waiting: [(connection: Connection, source: String)] = []
    /// Of each source, how many wait.
    private var counts: [String: Int] = [:]

    init(total: Int, perSource: Int) {
        self.total = total
        self.perSource = perSource
    }

    var count: Int { waiting.count }

    /// Returns who has to go: the oldest of the same source if that has too many, else the oldest of the source that has
    /// most, else nobody.
    mutating func arrived(_ connection: Connection, from source: String) -> Connection? {
        defer {
            waiting.append((connection, source))
            counts[source, default: 0] += 1
        }
        if counts[source, default: 0] >= perSource { return removeFirst { $0 == source } }
        guard waiting.count >= total else { return nil }
        let counts = counts
        let most = counts.values.max()
        return removeFirst { counts[$0] == most }
    }

    /// Proved itself, failed or left.
    mutating func settled(_ connection: Connection) {
        guard let index = waiting.firstIndex(where: { $0.connection == connection }) else { return }
        remove(at: index)
    }

    private mutating func removeFirst(where isGreedy: (String) -> Bool) -> Connection? {
        waiting.firstIndex { isGreedy($0.source) }.map { remove(at: $0) }
    }

    @discardableResult
    private mutating func remove(at index: Int) -> Connection {
        let (connection, source) = waiting.remove(at: index)
        let left = counts[source, default: 1] - 1
        counts[source] = left > 0 ? left : nil
        return connection
    }
}
