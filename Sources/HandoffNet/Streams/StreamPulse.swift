// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import NIOCore

/// Detects a lost device while bytes wait; otherwise keepalive does.
///
/// The kernel's limit (`TCP_USER_TIMEOUT`) is off for streams, because it also ends a connection whose peer responds
/// but does not read, and an app may pause reading.
struct StreamPulse {
    static let interval: TimeAmount = .seconds(2)
    /// Without an expected segment. With the interval, under fifteen seconds until a lost device is noticed.
    static let silence: TimeAmount = .seconds(12)

    /// Whether the network carried bytes of the stream between the last two beats.
    private(set) var hasMoved = false
    private var bytes: UInt64 = 0
    private var segments: UInt32?
    private var heard = NIODeadline.uptimeNanoseconds(0)

    /// False: the device is gone. `isReading`: its kernel probes us every few seconds (`PeerSocketOptions`).
    mutating func beat(_ state: TCPState, at now: NIODeadline, isReading: Bool) -> Bool {
        hasMoved = state.bytesMoved != bytes
        bytes = state.bytesMoved
        if segments != state.segmentsReceived {
            segments = state.segmentsReceived
            heard = now
        }
        guard now - heard >= Self.silence else { return true }
        return state.unacknowledged == 0 && state.unansweredProbes == 0 && !isReading
    }
}

struct TCPState: Equatable {
    /// Includes empty segments; wraps around.
    var segmentsReceived: UInt32 = 0
    /// Segments.
    var unacknowledged: UInt32 = 0
    /// Probes of a closed window or an idle connection.
    var unansweredProbes: UInt8 = 0
    /// Bytes.
    var unsentBytes: UInt32 = 0
    /// Bytes, received in order and acknowledged.
    var bytesMoved: UInt64 = 0

    var isDelivered: Bool { unacknowledged == 0 && unsentBytes == 0 }
}

extension TCPState {
    /// In the kernel's `struct tcp_info`; glibc's ends before these fields.
    private enum Offset {
        static let probes = 3
        static let unacknowledged = 24
        static let acknowledged = 120
        static let received = 128
        static let segmentsReceived = 140
        static let unsentBytes = 144
        static let end = 148
    }

    /// Nil if this is not a TCP connection, or before Linux 4.6.
    init?(socket: Int32) {
        let state = withUnsafeTemporaryAllocation(byteCount: Offset.end, alignment: 8) { bytes -> TCPState? in
            var length = socklen_t(bytes.count)
            guard getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, bytes.baseAddress, &length) == 0,
                Int(length) == Offset.end
            else { return nil }
            return TCPState(
                segmentsReceived: bytes.load(fromByteOffset: Offset.segmentsReceived, as: UInt32.self),
                unacknowledged: bytes.load(fromByteOffset: Offset.unacknowledged, as: UInt32.self),
                unansweredProbes: bytes.load(fromByteOffset: Offset.probes, as: UInt8.self),
                unsentBytes: bytes.load(fromByteOffset: Offset.unsentBytes, as: UInt32.self),
                bytesMoved: bytes.load(fromByteOffset: Offset.acknowledged, as: UInt64.self)
                    &+ bytes.load(fromByteOffset: Offset.received, as: UInt64.self))
        }
        guard let state else { return nil }
        self = state
    }
}
