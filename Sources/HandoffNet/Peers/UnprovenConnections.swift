// SPDX-License-Identifier: Apache-2.0

/// Decides which unproven connections may stay. A flood displaces the oldest connection of the most frequent source. An
/// honest caller needs only one round trip, so it succeeds.
struct UnprovenConnections<Connection: Hashable> {
    /// Over all sources.
    let total: Int
    let perSource: Int

    /// Oldest first. An array is sufficient because the limits keep it short.
    private var waiting: [(connection: Connection, source: String)] = []
    private var counts: [String: Int] = [:]

    init(total: Int, perSource: Int) {
        self.total = total
        self.perSource = perSource
    }

    var count: Int { waiting.count }

    /// Returns the displaced connection: the oldest of the same source if that source has too many, else of the most
    /// frequent source.
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
