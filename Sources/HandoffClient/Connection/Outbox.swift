// SPDX-License-Identifier: Apache-2.0

struct Outbox: Sendable {
    /// Bytes. If a daemon leaves more unread, the connection is dropped.
    static let limit = 4 * 1024 * 1024

    private var bytes: [UInt8] = []
    private var start = 0

    var isEmpty: Bool { start == bytes.count }
    var pending: ArraySlice<UInt8> { bytes[start...] }

    mutating func append(_ more: some Collection<UInt8>) -> Bool {
        guard bytes.count - start + more.count <= Self.limit else { return false }
        bytes.append(contentsOf: more)
        return true
    }

    mutating func removeFirst(_ count: Int) {
        start += count
        guard start > bytes.count / 2 else { return }
        bytes.removeSubrange(..<start)
        start = 0
    }

    mutating func removeAll() {
        bytes = []
        start = 0
    }
}
