// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import NIOCore

/// Extracts frames from pieces of any size. Holds at most one unfinished frame and one read.
struct FrameDecoder {
    /// Limit of the next body, bytes.
    var limit: Int
    private var pending: ByteBuffer?

    init(limit: Int) { self.limit = limit }

    mutating func append(_ bytes: ByteBuffer) {
        guard bytes.readableBytes > 0 else { return }
        guard var buffer = pending else {
            pending = bytes
            return
        }
        pending = nil
        buffer.discardReadBytes()
        buffer.writeImmutableBuffer(bytes)
        pending = buffer
    }

    /// Nil until more bytes arrive. After an error the stream is unusable.
    mutating func next() throws(WireError) -> ByteBufferView? {
        guard var buffer = pending, let header = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self) else {
            return nil
        }
        let length = try FrameHeader.length(header, limit: limit)
        guard buffer.readableBytes >= FrameHeader.byteCount + length else { return nil }
        buffer.moveReaderIndex(forwardBy: FrameHeader.byteCount)
        let body = buffer.viewBytes(at: buffer.readerIndex, length: length)
        buffer.moveReaderIndex(forwardBy: length)
        pending = buffer.readableBytes > 0 ? buffer : nil
        return body
    }

    mutating func takeRest() -> ByteBuffer? {
        defer { pending = nil }
        return pending
    }

    /// Not zero at the end if the last frame was incomplete.
    var pendingBytes: Int { pending?.readableBytes ?? 0 }
}

protocol FrameCodable {
    /// Without the four-byte length.
    func encoded() throws(WireError) -> [UInt8]
    init(encoded bytes: some Collection<UInt8>) throws(WireError)
    /// Sent in place of an unsendable frame, so that the requester gets an answer. Nil without a requester.
    func replaced(by failure: Failure) -> Self?
    /// Replaces an unreadable frame. Nil ends the connection, because even its numbers are unreadable.
    static func instead(of bytes: some Collection<UInt8>, because error: WireError) -> Self?
}

extension FrameCodable {
    func replaced(by failure: Failure) -> Self? { nil }
    static func instead(of bytes: some Collection<UInt8>, because error: WireError) -> Self? { nil }
}

extension PeerFrame: FrameCodable {
    func replaced(by failure: Failure) -> PeerFrame? {
        answer == 0 ? nil : PeerFrame(.failure(failure), answer: answer)
    }
}

extension LocalFrame: FrameCodable {
    func replaced(by failure: Failure) -> LocalFrame? {
        answer == 0 ? nil : LocalFrame(.failure(failure), answer: answer)
    }

    static func instead(of bytes: some Collection<UInt8>, because error: WireError) -> LocalFrame? {
        LocalFrame(unreadable: bytes, because: error)
    }
}

extension EnrollMessage: FrameCodable {}
extension StreamMessage: FrameCodable {}

extension FrameCodable {
    func framed(within limits: FrameLimits) throws(WireError) -> ByteBuffer {
        ByteBuffer(bytes: try FrameHeader.framed(encoded(), limit: limits.first))
    }
}
