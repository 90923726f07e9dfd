// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire
internal import NIOCore

protocol FrameCodable {
    /// The body, without the four-byte length.
    func encoded() throws(WireError) -> [UInt8]
    init(encoded bytes: some Collection<UInt8>) throws(WireError)
    /// Sent if this frame cannot be sent, so that the requester gets an answer. Nil without a requester.
    func replaced(by failure: Failure) -> Self?
    /// The frame that replaces an unreadable one. Nil if even its numbers are unreadable, which ends the connection.
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
