// SPDX-License-Identifier: Apache-2.0

/// Native messaging: the length, four bytes in native order, then JSON.
package enum NativeFrame {
    static let headerBytes = 4
    /// The longest message is a page: URL and title, with each byte escaped.
    package static let incomingBytes = 256 * 1024
    /// Above it, the browser ends the program.
    package static let outgoingBytes = 1024 * 1024

    package static func framed(_ body: [UInt8]) throws(NativeFrameError) -> [UInt8] {
        guard body.count <= outgoingBytes else {
            throw NativeFrameError(length: body.count, limit: outgoingBytes)
        }
        return withUnsafeBytes(of: UInt32(body.count)) { Array($0) } + body
    }
}

/// Nothing after an implausible length can be parsed.
package struct NativeFrameError: Error, Hashable, Sendable, CustomStringConvertible {
    package let length: Int
    package let limit: Int

    package init(length: Int, limit: Int) {
        self.length = length
        self.limit = limit
    }

    package var description: String { "a message of \(length) bytes; the limit is \(limit)" }
}

package struct NativeFrameReader: Sendable {
    private var bytes: [UInt8] = []
    private var start = 0
    private let limit: Int

    package init(limit: Int = NativeFrame.incomingBytes) { self.limit = limit }

    package var pendingBytes: Int { bytes.count - start }

    package mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

    /// Rejects a length over the limit after the header.
    package mutating func next() throws(NativeFrameError) -> [UInt8]? {
        guard pendingBytes >= NativeFrame.headerBytes else { return nil }
        let header = bytes[start..<start + NativeFrame.headerBytes]
        let length = Int(header.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
        guard length <= limit else { throw NativeFrameError(length: length, limit: limit) }
        let end = start + NativeFrame.headerBytes + length
        guard bytes.count >= end else { return nil }
        defer {
            start = end
            if start > limit || start == bytes.count {
                bytes.removeSubrange(..<start)
                start = 0
            }
        }
        return Array(bytes[(start + NativeFrame.headerBytes)..<end])
    }
}
