// SPDX-License-Identifier: Apache-2.0

/// Big-endian. Checked before the frame is buffered.
package enum FrameHeader {
    package static let byteCount = 4

    /// Throws `.frameTooLarge`, or `.malformed` if empty.
    package static func length(_ value: UInt32, limit: Int) throws(WireError) -> Int {
        guard value > 0 else { throw WireError(.malformed, "an empty frame") }
        guard value <= limit else {
            throw WireError(.frameTooLarge, "a frame of \(value) bytes, at most \(limit) are allowed")
        }
        return Int(value)
    }

    package static func length(_ header: [UInt8], limit: Int) throws(WireError) -> Int {
        try length(header.reduce(0) { $0 << 8 | UInt32($1) }, limit: limit)
    }

    package static func bytes(length: Int) -> [UInt8] {
        let value = UInt32(length)
        return [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
    }

    package static func framed(_ body: [UInt8], limit: Int) throws(WireError) -> [UInt8] {
        guard body.count <= limit else {
            throw WireError(.frameTooLarge, "a frame of \(body.count) bytes, at most \(limit) are allowed")
        }
        return bytes(length: body.count) + body
    }
}

package struct FrameAssembler: Sendable {
    /// Bytes; raised once the other side's hello is accepted.
    package var limit: Int
    private var buffer: [UInt8] = []
    private var start = 0

    package init(limit: Int = Limits.helloFrameBytes) { self.limit = limit }

    package mutating func append(_ bytes: some Collection<UInt8>) { buffer.append(contentsOf: bytes) }

    /// Nil until more bytes arrive. After an error the stream cannot continue.
    package mutating func next() throws(WireError) -> [UInt8]? {
        guard buffer.count - start >= FrameHeader.byteCount else { return nil }
        let value = buffer[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let length = try FrameHeader.length(value, limit: limit)
        let body = start + FrameHeader.byteCount
        guard buffer.count - body >= length else { return nil }
        defer { consume(upTo: body + length) }
        return Array(buffer[body..<body + length])
    }

    /// Not zero at the end of a connection: it was cut.
    package var pendingBytes: Int { buffer.count - start }

    private mutating func consume(upTo end: Int) {
        start = end
        // Keeps copying linear.
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= 64 * 1024)
            start = 0
        } else if start > buffer.count / 2 {
            buffer.removeSubrange(..<start)
            start = 0
        }
    }
}
