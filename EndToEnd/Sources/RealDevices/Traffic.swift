// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Captured traffic: raw frames, datagrams, and reassembled TCP streams, each direction separately.
package struct Traffic: Sendable {
    package struct Datagram: Sendable {
        package let flow: Frame.Flow
        package let bytes: Data

        /// By the port, size and version in `docs/protocol.md`.
        package var isBeacon: Bool {
            flow.sourcePort == 47475 && [47474, 47475].contains(flow.destinationPort) && bytes.count == 157
                && bytes.first == 1
        }
    }

    /// Streams that began before the capture cannot be reassembled.
    let hasStreams: Bool
    package private(set) var frames: [Frame] = []
    package private(set) var datagrams: [Datagram] = []
    private var streams: [Frame.Flow: Stream] = [:]

    /// One direction of a TCP connection.
    private struct Stream {
        var bytes = Data()
        /// Sequence number of the next byte.
        var next: UInt32
    }

    init(hasStreams: Bool) { self.hasStreams = hasStreams }

    mutating func add(_ frame: Frame) throws {
        frames.append(frame)
        switch try frame.content {
        case .datagram(let flow, let bytes): datagrams.append(Datagram(flow: flow, bytes: bytes))
        case .segment(let flow, let number, let isFirst, let bytes):
            guard hasStreams else { break }
            if isFirst { streams[flow] = Stream(next: number &+ 1) }
            if !bytes.isEmpty { try append(bytes, at: isFirst ? number &+ 1 : number, of: flow) }
        case .other: break
        }
    }

    private mutating func append(_ bytes: Data, at number: UInt32, of flow: Frame.Flow) throws {
        guard let stream = streams[flow] else { throw Unmet("a connection is older than the capture") }
        // Skips retransmitted bytes.
        let known = Int(Int32(bitPattern: stream.next &- number))
        guard known >= 0 else { throw Unmet("the cable brought a connection's bytes out of order") }
        guard known < bytes.count else { return }
        streams[flow]?.bytes.append(bytes.dropFirst(known))
        streams[flow]?.next &+= UInt32(bytes.count - known)
    }

    package var beacons: [Data] { datagrams.filter(\.isBeacon).map(\.bytes) }

    /// Of all TCP streams. Throws if a stream contains anything else.
    package var records: [TLSRecord] {
        get throws {
            try streams.flatMap { flow, stream in
                try TLSRecord.all(in: stream.bytes, isFromDevice: flow.isFromDevice)
            }
        }
    }

    /// The bytes before TLS.
    package var openings: [Data] { streams.values.map { TLSRecord.opening(of: $0.bytes) } }

    /// All captured bytes: raw frames with headers, and the reassembled streams, in which nothing is split.
    package var everything: Data {
        frames.reduce(into: Data()) { $0.append($1.bytes) }
            + streams.values.reduce(into: Data()) { $0.append($1.bytes) }
    }
}
