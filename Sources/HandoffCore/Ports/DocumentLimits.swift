// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package struct DocumentLimits: Hashable, Sendable {
    /// In bytes. A larger document is hashed while it is sent.
    package var hashedBefore: UInt64 = 1 << 30
    /// For the origin to examine documents before it sends references.
    package var prepare: Duration = .seconds(6)
    /// For an announced file to arrive.
    package var givenFile: Duration = .seconds(1)
    /// In bytes. A smaller document is sent whole.
    package var chunkedFrom: UInt64 = 4 << 20
    /// In bytes. A larger document has chunks of four times the length.
    package var longChunksFrom: UInt64 = 256 << 20
    /// In bytes. A larger document is sent whole: its chunk list would be too long.
    package var chunkedUpTo: UInt64 = 16 << 30
    /// In bytes per second. Below it, chunk lists save time.
    package var chunkedBelowRate: UInt64 = 300_000_000
    package var save: Duration = .seconds(8)
    /// Without a byte for so long, a transfer fails.
    package var silence: Duration = .seconds(30)
    /// How long a partial arrival outlives the loss of its origin.
    package var resume: Duration = .seconds(600)
    /// The oldest partial arrivals are dropped.
    package var resumable = 4
    package var givenPerDevice = 4
    /// Continuations whose documents a device may request; the oldest are dropped.
    package var grantsPerDevice = 16
    /// How long a device may request documents after it received the state.
    package var grant: Duration = .seconds(600)
    /// Entries of a container that a search for a renamed document examines.
    package var searchedEntries = 10_000
    package var search: Duration = .seconds(2)
    /// The least recently examined are dropped.
    package var histories = 10_000
    /// For shared storage to show the origin's content.
    package var sharedStorage: Duration = .seconds(5)
    /// Between two looks until then.
    package var sharedStorageLook: Duration = .milliseconds(500)
    package var keepVersions: Duration = .seconds(7 * 24 * 3600)
    /// In all kept versions; the oldest are dropped.
    package var versionBytes: UInt64 = 1 << 30
    package var keepReceived: Duration = .seconds(30 * 24 * 3600)
    /// For a document that keeps changing.
    package var tries = 3

    package init() {}
}

/// Why a document is not replaced. Names are for people.
package enum DocumentHold: Hashable, Sendable {
    /// By its lock file, an editor has it open ("LibreOffice").
    case editor(String)
    /// Writes to it or has it locked. An app of ours releases it when asked.
    case process(String)
    /// A new file would not belong to this user.
    case user(String)
    /// A new file would not belong to this group.
    case group(String)
    /// Hard links would keep the old version.
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
    /// Those older than `keepVersions`, and the oldest of the rest until the total is at most `versionBytes`. The
    /// newest stays for its full time: it may be a document's last copy. `adding`: bytes of the version to be kept,
    /// then the newest.
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
