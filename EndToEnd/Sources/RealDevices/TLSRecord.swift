// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A TLS record, as visible on the cable.
package struct TLSRecord: Sendable {
    package enum Kind: UInt8, Sendable {
        case changeCipherSpec = 20
        case alert
        /// In TLS 1.3 only the two hellos.
        case handshake
        /// Encrypted data of any kind.
        case applicationData
    }

    package let kind: Kind
    package let body: Data
    package let isFromDevice: Bool

    /// The bytes before TLS in one direction: the callee's challenge, or the call without its hello.
    package static func opening(of stream: Data) -> Data {
        let header = Array(stream.prefix(4))
        guard header.count == 4 else { return stream }
        // A random challenge may resemble a call, but no TLS follows at the position after a call.
        let call = 4 + 16 * Int(header[1])
        let isCall = header[0] == 1 && stream.dropFirst(call).prefix(2).elementsEqual([22, 3])
        return Data(stream.prefix(isCall ? call : challengeBytes))
    }

    private static let challengeBytes = 32

    /// Omits an incomplete last record.
    static func all(in stream: Data, isFromDevice: Bool) throws -> [TLSRecord] {
        var records: [TLSRecord] = []
        var rest = stream.dropFirst(opening(of: stream).count)
        while rest.count >= 5 {
            let header = Array(rest.prefix(5))
            guard let kind = Kind(rawValue: header[0]), header[1] == 3 else {
                throw Unmet("something on TCP is not TLS: \(header)")
            }
            let length = Int(header[3]) << 8 | Int(header[4])
            guard rest.count >= 5 + length else { break }
            records.append(
                TLSRecord(kind: kind, body: Data(rest.dropFirst(5).prefix(length)), isFromDevice: isFromDevice))
            rest = rest.dropFirst(5 + length)
        }
        return records
    }
}
