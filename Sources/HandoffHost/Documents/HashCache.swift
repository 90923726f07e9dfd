// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// The hashes of files by version, so that unchanged files are not read again.
final class HashCache: Sendable {
    /// Per generation: enough for all members of a package and for those of another.
    static let files = Limits.packageMembers

    private struct Generations {
        var young: [FileVersion: FileDigest] = [:]
        var old: [FileVersion: FileDigest] = [:]
    }

    private let generations = Lock(Generations())

    func hash(of version: FileVersion) -> FileDigest? {
        generations.withLock { generations in
            if let hash = generations.young[version] { return hash }
            guard let hash = generations.old[version] else { return nil }
            Self.add(hash, for: version, to: &generations)
            return hash
        }
    }

    /// Only for a version that changes with every write, see `FileClock`.
    func add(_ hash: FileDigest, for version: FileVersion) {
        generations.withLock { Self.add(hash, for: version, to: &$0) }
    }

    var count: Int { generations.withLock { $0.young.count + $0.old.count } }

    private static func add(_ hash: FileDigest, for version: FileVersion, to generations: inout Generations) {
        if generations.young.count >= files {
            generations.old = generations.young
            generations.young = [:]
        }
        generations.young[version] = hash
    }
}
