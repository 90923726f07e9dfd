// SPDX-License-Identifier: Apache-2.0

/// Which accepted connections that have not proved who they are may stay. Whoever is pushed out by a flood is the one
/// that has dawdled longest: a handshake takes milliseconds, so one that is in earnest gets through.
struct UnprovenConnections<Connection: Hashable> {
    /// At a time, over all sources. One costs some tens of kilobytes.
    let total: Int
    /// At a time, from one source.
    let perSource: Int

    /// Oldest first; short by its limits, so a plain array is the right thing.
    private var waiting: [(connection: Connection, source: String)] = []

    init(total: Int = 64, perSource: Int = 24) {
        self.total = total
        self.perSource = perSource
    }

    var count: Int { waiting.count }

    /// Returns who has to go: the oldest of the same source if that has too many, else the oldest of the source that has
    /// most, else nobody.
    mutating func arrived(_ connection: Connection, from source: String) -> Connection? {
        defer { waiting.append((connection, source)) }
        if waiting.count(where: { $0.source == source }) >= perSource { return removeOldest(of: source) }
        guard waiting.count >= total else { return nil }
        let counts = waiting.reduce(into: [:]) { $0[$1.source, default: 0] += 1 }
        let most = counts.values.max()
        let greedy = waiting.first { counts[$0.source] == most }
        return greedy.flatMap { removeOldest(of: $0.source) }
    }

    /// Proved itself, failed or left.
    mutating func settled(_ connection: Connection) {
        waiting.removeAll { $0.connection == connection }
    }

    private mutating func removeOldest(of source: String) -> Connection? {
        waiting.firstIndex { $0.source == source }.map { waiting.remove(at: $0).connection }
    }
}
