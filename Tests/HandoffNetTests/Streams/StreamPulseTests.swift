// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import HandoffNet

/// Shows C05: distinguishes an unreachable device from a device whose app does not read.
@Suite struct StreamPulseTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    /// Checks every two seconds. Returns when the device was considered gone, in seconds.
    private func gone(
        within seconds: Int64 = 200, isReading: (Int64) -> Bool = { _ in true }, _ state: (Int64) -> TCPState
    ) -> Int64? {
        var pulse = StreamPulse()
        return stride(from: 0, through: seconds, by: 2).first { second in
            !pulse.beat(state(second), at: Self.start + .seconds(second), isReading: isReading(second))
        }
    }

    @Test func anIdleDeviceIsHeardByItsProbes() {
        #expect(gone { TCPState(segmentsReceived: UInt32($0 / 4)) } == nil)
    }

    @Test func aDeviceThatAnswersButDoesNotReadIsThere() {
        // Our probes of its closed window become rare; it probes us every four seconds.
        #expect(gone { TCPState(segmentsReceived: UInt32($0 / 4), unsentBytes: 1_000_000) } == nil)
    }

    @Test func twoThatDoNotReadAreThere() {
        // Neither kernel sends keepalive probes then; the window probes are minutes apart.
        #expect(
            gone(isReading: { _ in false }) { TCPState(segmentsReceived: UInt32($0 / 120), unsentBytes: 1_000_000) }
                == nil)
    }

    @Test func unacknowledgedBytesEndLinkWithinFifteenSeconds() throws {
        let silent = TCPState(segmentsReceived: 7, unacknowledged: 10)
        #expect(try #require(gone(isReading: { _ in false }) { _ in silent }) < 15)
    }

    @Test func unansweredProbesEndLinkWithinFifteenSeconds() throws {
        let silent = TCPState(segmentsReceived: 7, unansweredProbes: 2, unsentBytes: 5)
        #expect(try #require(gone(isReading: { _ in false }) { _ in silent }) < 15)
    }

    @Test func silenceWhileReadingEndsLinkWithinFifteenSeconds() throws {
        let silent = TCPState(segmentsReceived: 7, unsentBytes: 5)
        #expect(try #require(gone { _ in silent }) < 15)
    }

    /// Probes and their answers are segments without bytes.
    @Test func onlyBytesAreAMove() {
        var pulse = StreamPulse()
        var moves: [Bool] = []
        for (segments, bytes) in [(1, 0), (2, 0), (3, 1), (4, 1), (5, 2)] {
            let state = TCPState(segmentsReceived: UInt32(segments), bytesMoved: UInt64(bytes))
            _ = pulse.beat(state, at: Self.start, isReading: true)
            moves.append(pulse.hasMoved)
        }
        #expect(moves == [false, false, true, false, true])
    }

    @Test func oneSegmentIsALife() {
        #expect(gone(within: 36) { TCPState(segmentsReceived: UInt32($0 / 12), unacknowledged: 1) } == nil)
    }
}
