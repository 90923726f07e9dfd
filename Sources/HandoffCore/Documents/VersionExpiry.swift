// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

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
