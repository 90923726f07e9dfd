// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// One frame on the cable.
package struct Frame: Sendable {
    /// From the Ethernet header on.
    package let bytes: Data
    /// Whether the device on this cable sent it.
    package let isFromDevice: Bool

    /// One direction between two sockets.
    package struct Flow: Hashable, Sendable {
        package let source: Data
        package let destination: Data
        package let sourcePort: Int
        package let destinationPort: Int
        package let isFromDevice: Bool
    }

    package enum Content: Sendable {
        case datagram(Flow, Data)
        /// `isFirst`: `number` is that of the byte before the first one.
        case segment(Flow, number: UInt32, isFirst: Bool, Data)
        /// Neighbour discovery, group membership.
        case other
    }

    package var content: Content {
        get throws {
            switch try number(at: 12, bytes: 2) {
            case 0x0800:
                let header = 14 + (try number(at: 14, bytes: 1) & 0x0F) * 4
                return try content(
                    of: number(at: 23, bytes: 1), from: slice(26, 4), to: slice(30, 4), at: header,
                    end: 14 + number(at: 16, bytes: 2))
            case 0x86DD:
                return try content(
                    of: number(at: 20, bytes: 1), from: slice(22, 16), to: slice(38, 16), at: 54,
                    end: 54 + number(at: 18, bytes: 2))
            default: return .other
            }
        }
    }

    private func content(of kind: Int, from source: Data, to destination: Data, at start: Int, end: Int) throws
        -> Content
    {
        guard kind == 6 || kind == 17 else { return .other }
        let flow = Flow(
            source: source, destination: destination, sourcePort: try number(at: start, bytes: 2),
            destinationPort: try number(at: start + 2, bytes: 2), isFromDevice: isFromDevice)
        if kind == 17 { return .datagram(flow, try slice(start + 8, end - start - 8)) }
        let body = start + (try number(at: start + 12, bytes: 1) >> 4) * 4
        return .segment(
            flow, number: UInt32(try number(at: start + 4, bytes: 4)),
            isFirst: try number(at: start + 13, bytes: 1) & 0x02 != 0, try slice(body, end - body))
    }

    /// Big-endian.
    private func number(at offset: Int, bytes count: Int) throws -> Int {
        try slice(offset, count).reduce(0) { $0 << 8 | Int($1) }
    }

    private func slice(_ offset: Int, _ count: Int) throws -> Data {
        guard offset >= 0, count >= 0, offset + count <= bytes.count else { throw Unmet("a frame on the cable is cut") }
        return Data(bytes.dropFirst(offset).prefix(count))
    }
}
