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
    /// What becomes of bytes that are no frame; nil where nothing can be said of them, and the connection ends.
    static func instead(of bytes: some Collection<UInt8>, because error: WireError) -> Instead<Self>?
}

/// In the place of a frame that cannot be read.
enum Instead<Frame> {
    /// It was a request: who sent it is told why it gets no other answer.
    case answer(Frame)
    /// It was an answer: who waits for it here is told so.
    case deliver(Frame)
}

extension FrameCodable {
    func replaced(by failure: Failure) -> Self? { nil }
    static func instead(of bytes: some Collection<UInt8>, because error: WireError) -> Instead<Self>? { nil }
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

    static func instead(of bytes: some Collection<UInt8>, because error: WireError) -> Instead<LocalFrame>? {
        guard let numbers = LocalFrame.numbers(of: bytes) else { return nil }
        let isLimit = error.code == .limitReached || error.code == .tooLarge
        if numbers.answer != 0 {
            // The one answer of an app that can have too much in it is its state.
            let failure = Failure(isLimit ? .payloadTooLarge : .malformed, error.reason)
            return .deliver(LocalFrame(.failure(failure), answer: numbers.answer))
        }
        guard numbers.request != 0 else { return nil }
        return .answer(
            LocalFrame(.failure(Failure(isLimit ? .limitReached : .malformed, error.reason)), answer: numbers.request))
    }
}

extension EnrollMessage: FrameCodable {}
extension StreamMessage: FrameCodable {}

extension FrameCodable {
    /// Header and body.
    func framed() throws(WireError) -> ByteBuffer {
        ByteBuffer(bytes: try FrameHeader.framed(encoded(), limit: Limits.frameBytes))
    }
}
