// SPDX-License-Identifier: Apache-2.0

/// Native messaging, as browsers speak it with a program that they started: four bytes of length in the machine's own
/// order, then so many bytes of JSON.
package enum NativeFrame {
    package static let headerBytes = 4
    /// A message from the browser, bytes. The longest is a page: its address and its title, with each byte escaped.
    package static let incomingBytes = 256 * 1024
    /// A message to the browser, bytes: more, and it ends the program.
    package static let outgoingBytes = 1024 * 1024

    package static func framed(_ body: [UInt8]) throws(NativeFrameError) -> [UInt8] {
        guard body.count <= outgoingBytes else {
            throw NativeFrameError(length: body.count, limit: outgoingBytes)
        }
        return withUnsafeBytes(of: UInt32(body.count)) { Array($0) } + body
    }
}

/// A length that is not to be believed. Nothing after it can be read.
package struct NativeFrameError: Error, Hashable, Sendable, CustomStringConvertible {
    package let length: Int
    package let limit: Int

    package init(length: Int, limit: Int) {
        self.length = length
        self.limit = limit
    }

    package var description: String { "a message of \(length) bytes; at most \(limit) are taken" }
}

/// Messages out of the bytes that a pipe brings.
package struct NativeFrameReader: Sendable {
    private var bytes: [UInt8] = []
    private var start = 0
    private let limit: Int

    package init(limit: Int = NativeFrame.incomingBytes) { self.limit = limit }

    /// Of what has come and is no whole message yet.
    package var pendingBytes: Int { bytes.count - start }

    package mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

    /// The next whole message. A length over the limit is refused from its header alone.
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
