// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// What a frame of one of our three protocols can do. `HandoffWire` says how.
protocol FrameCodable {
    /// The body, without the four bytes of its length.
    func encoded() throws(WireError) -> [UInt8]
    init(encoded bytes: some Collection<UInt8>) throws(WireError)
}

extension PeerFrame: FrameCodable {}
extension LocalFrame: FrameCodable {}
extension EnrollMessage: FrameCodable {}
