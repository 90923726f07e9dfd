// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire
internal import NIOCore

/// What a frame of one of our protocols can do. `HandoffWire` says how.
protocol FrameCodable {
    /// The body, without the four bytes of its length.
    func encoded() throws(WireError) -> [UInt8]
    init(encoded bytes: some Collection<UInt8>) throws(WireError)
    /// What is sent where this frame cannot be: who waits for an answer is told why it does not come. Nil where nobody
    /// waits.
    func replaced(by failure: Failure) -> Self?
    /// The frame that replaces an unreadable one; nil if even its numbers are unreadable, which ends the connection.
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
    /// Header and body of a first frame.
    func framed(within limits: FrameLimits) throws(WireError) -> ByteBuffer {
        ByteBuffer(bytes: try FrameHeader.framed(encoded(), limit: limits.first))
    }
}
