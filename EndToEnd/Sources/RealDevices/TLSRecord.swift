// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A record of TLS, as whoever watches the cable sees it.
package struct TLSRecord: Sendable {
    package enum Kind: UInt8, Sendable {
        case changeCipherSpec = 20
        case alert
        /// In TLS 1.3 the two hellos alone.
        case handshake
        /// Encrypted, whatever it is.
        case applicationData
    }

    package let kind: Kind
    package let body: Data
    package let isFromDevice: Bool

    /// A last record that is not complete yet is left out.
    static func all(in stream: Data, isFromDevice: Bool) throws -> [TLSRecord] {
        var records: [TLSRecord] = []
        var rest = stream[...]
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
