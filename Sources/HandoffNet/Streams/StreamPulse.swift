// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import NIOCore

/// Whether the device at the other end of a stream is still there.
///
/// The kernel's own limit (`TCP_USER_TIMEOUT`) would not do: it also ends a connection whose other end answers well but
/// has not read for so long, and an app may stop reading for as long as it likes. So it is off for streams. While nothing
/// is under way the kernel's keepalive finds out; while bytes wait, this does.
struct StreamPulse {
    /// How often to look.
    static let interval: TimeAmount = .seconds(2)
    /// Nothing at all came for so long, though something should have. With the interval still below the fifteen seconds
    /// within which a lost device is noticed.
    static let silence: TimeAmount = .seconds(12)

    private var segments: UInt32?
    private var heard = NIODeadline.uptimeNanoseconds(0)

    /// False: it is gone. `isReading`: its bytes are being taken, so that its kernel has nothing to wait for and asks after
    /// us every few seconds, as `PeerSocketOptions` has it.
    mutating func beat(_ state: TCPState, at now: NIODeadline, isReading: Bool) -> Bool {
        if segments != state.segmentsReceived {
            segments = state.segmentsReceived
            heard = now
        }
        guard now - heard >= Self.silence else { return true }
        return state.unacknowledged == 0 && state.unansweredProbes == 0 && !isReading
    }
}

/// What the kernel knows of a TCP connection.
struct TCPState: Equatable {
    /// Of any kind, empty ones too; wraps around.
    var segmentsReceived: UInt32 = 0
    /// Segments sent.
    var unacknowledged: UInt32 = 0
    /// Probes of a closed window or of an idle connection.
    var unansweredProbes: UInt8 = 0
    /// Bytes that wait for room at the other end, or on the way there.
    var unsentBytes: UInt32 = 0

    /// All that was written is with the other device.
    var isDelivered: Bool { unacknowledged == 0 && unsentBytes == 0 }
}

extension TCPState {
    /// `struct tcp_info` as the kernel has it; glibc's is older and ends before what is needed.
    private enum Offset {
        static let probes = 3
        static let unacknowledged = 24
        static let segmentsReceived = 140
        static let unsentBytes = 144
        static let end = 148
    }

    /// Nil where that is no TCP connection, or an older kernel's (before 4.6).
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
                unsentBytes: bytes.load(fromByteOffset: Offset.unsentBytes, as: UInt32.self))
        }
        guard let state else { return nil }
        self = state
    }
}
