// SPDX-License-Identifier: Apache-2.0

package enum SavedActivities: Hashable, Sendable {
    case all
    /// By persistent identifier.
    case named(Set<ExactText>)

    package func contains(_ persistentIdentifier: String?) -> Bool {
        switch self {
        case .all: true
        case .named(let identifiers): persistentIdentifier.map { identifiers.contains(ExactText($0)) } ?? false
        }
    }

    package func union(_ other: SavedActivities) -> SavedActivities {
        guard case .named(let identifiers) = self, case .named(let others) = other else { return .all }
        return .named(identifiers.union(others))
    }

    /// Each part fits into a request.
    package var parts: [SavedActivities] {
        guard case .named(let identifiers) = self else { return [self] }
        var parts: [Set<ExactText>] = []
        var bytes = 0
        for identifier in identifiers.sorted() {
            bytes += identifier.text.utf8.count
            let isRoomy = parts.last.map { $0.count < Limits.deletedIdentifiers } ?? false
            if !isRoomy || bytes > Self.bytesOfAPart {
                parts.append([])
                bytes = identifier.text.utf8.count
            }
            parts[parts.count - 1].insert(identifier)
        }
        return parts.map { .named($0) }
    }

    /// Leaves room for encoding. A longer identifier gets its own part.
    private static let bytesOfAPart = Limits.frameBytes / 2
}
