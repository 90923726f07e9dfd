// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package struct DocumentLimits: Hashable, Sendable {
    /// A larger document is hashed while it is sent. In bytes.
    package var hashedBefore: UInt64 = 1 << 30
    /// How long the origin may examine documents before it sends references.
    package var prepare: Duration = .seconds(6)
    /// How long an announced file may take to arrive.
    package var givenFile: Duration = .seconds(1)
    /// A smaller document is sent whole. In bytes.
    package var chunkedFrom: UInt64 = 4 << 20
    /// Chunks of a larger document are four times as long. In bytes.
    package var longChunksFrom: UInt64 = 256 << 20
    /// A larger document is sent whole, because its chunk list would be too long. In bytes.
    package var chunkedUpTo: UInt64 = 16 << 30
    /// Chunk lists save time below this rate, in bytes per second.
    package var chunkedBelowRate: UInt64 = 300_000_000
    /// How long an app may take to save and release a document.
    package var save: Duration = .seconds(8)
    /// A transfer fails after this time without a byte.
    package var silence: Duration = .seconds(30)
    /// How long a partial arrival is kept after the origin was lost.
    package var resume: Duration = .seconds(600)
    /// Partial arrivals that are kept; the oldest are dropped.
    package var resumable = 4
    package var givenPerDevice = 4
    /// Continuations per device whose documents it may request; the oldest are dropped.
    package var grantsPerDevice = 16
    /// How long a device may request documents after it received the state.
    package var grant: Duration = .seconds(600)
    /// Entries of a container that a search for a renamed document examines.
    package var searchedEntries = 10_000
    package var search: Duration = .seconds(2)
    /// Those examined longest ago are dropped.
    package var histories = 10_000
    /// How long shared storage may take to show the origin's content.
    package var sharedStorage: Duration = .seconds(5)
    /// How often it is examined until then.
    package var sharedStorageLook: Duration = .milliseconds(500)
    package var keepVersions: Duration = .seconds(7 * 24 * 3600)
    /// Bytes of all kept versions; the oldest are dropped.
    package var versionBytes: UInt64 = 1 << 30
    /// How long copies of documents outside containers are kept.
    package var keepReceived: Duration = .seconds(30 * 24 * 3600)
    /// How often a changing document is examined again.
    package var tries = 3

    package init() {}
}

/// Why a document is not replaced. Names are for people.
package enum DocumentHold: Hashable, Sendable {
    /// An editor's lock file says that it is open ("LibreOffice").
    case editor(String)
    /// A process writes to it or has it locked. An app of ours releases it when asked.
    case process(String)
    /// A new file would not belong to this user.
    case user(String)
    /// A new file would not belong to this group.
    case group(String)
    /// The file has hard links, which would keep the old version.
    case links

    package var isOfApps: Bool {
        if case .process = self { true } else { false }
    }

    package var reason: String {
        switch self {
        case .editor(let program), .process(let program): "\(program) has it open here."
        case .user(let name): "It belongs to the user \(name) here, and a new version could not."
        case .group(let name): "It belongs to the group \(name) here, and a new version could not."
        case .links: "It has several names here (hard links), and a new version would have only one."
        }
    }
}

extension [KeptVersion] {
    /// The versions older than `keepVersions`, and the oldest of the others until the total is at most `versionBytes`.
    /// The newest stays for its full time, because it may be a document's last copy. `adding`: bytes of a version that
    /// is kept next, and is then the newest.
    package func expired(
        at now: WallTime, adding: UInt64? = nil, limits: DocumentLimits = DocumentLimits()
    ) -> [KeptVersion] {
        let newestFirst = sorted { ($0.kept, $0.id) > ($1.kept, $1.id) }
        let young = newestFirst.prefix { $0.kept.duration(to: now) <= limits.keepVersions }
        var expired = newestFirst.dropFirst(young.count)
        var bytes = adding ?? 0
        for (index, version) in young.enumerated() {
            let (sum, overflow) = bytes.addingReportingOverflow(version.size)
            bytes = overflow ? .max : sum
            guard index > 0 || adding != nil, bytes > limits.versionBytes else { continue }
            expired = newestFirst.dropFirst(index)
            break
        }
        return Array(expired)
    }
}
