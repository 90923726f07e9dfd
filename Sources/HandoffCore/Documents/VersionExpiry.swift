// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

extension [KeptVersion] {
    /// Those that go: what was kept for longer than `DocumentLimits.keepVersions`, then the oldest until the rest has at most
    /// `DocumentLimits.versionBytes`. What was kept last stays within its time, however large: it may be all that is left of a
    /// document. `adding`: the bytes of one more that is about to be kept, and is the last then.
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
