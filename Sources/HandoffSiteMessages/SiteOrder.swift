// SPDX-License-Identifier: Apache-2.0

/// From the daemon to the fetching program. Contains every bound.
package struct SiteOrder: Hashable, Sendable {
    /// ASCII.
    package var host: String
    package var port: UInt16
    /// Begins with a slash.
    package var path: String
    /// From the daemon's copy.
    package var etag: String?
    /// Allows this machine and private networks.
    package var isAnywhere: Bool
    /// Total, milliseconds.
    package var time: UInt32
    /// Each address, milliseconds.
    package var connectTime: UInt32
    package var addressCount: UInt32
    /// Maximum.
    package var fileBytes: UInt32
    /// Maximum, with the head and the chunk headers.
    package var answerBytes: UInt32
    /// Instead of a look-up; empty: the system's resolver. For tests.
    package var addresses: [String]
    /// In PEM; empty: the system's. For tests.
    package var roots: [UInt8]

    package init(
        host: String, port: UInt16, path: String, etag: String?, isAnywhere: Bool, time: UInt32, connectTime: UInt32,
        addressCount: UInt32, fileBytes: UInt32, answerBytes: UInt32, addresses: [String] = [], roots: [UInt8] = []
    ) {
        self.host = host
        self.port = port
        self.path = path
        self.etag = etag
        self.isAnywhere = isAnywhere
        self.time = time
        self.connectTime = connectTime
        self.addressCount = addressCount
        self.fileBytes = fileBytes
        self.answerBytes = answerBytes
        self.addresses = addresses
        self.roots = roots
    }

    package static let bytes = 64 * 1024

    package var encoded: [UInt8] {
        var writer = FieldWriter()
        writer.put(text: host)
        writer.put(UInt32(port))
        writer.put(text: path)
        writer.put(optional: etag)
        writer.put(isAnywhere ? 1 : 0)
        for number in [time, connectTime, addressCount, fileBytes, answerBytes] { writer.put(number) }
        writer.put(UInt32(addresses.count))
        for address in addresses { writer.put(text: address) }
        writer.put(roots)
        return writer.bytes
    }

    /// Nil: not an order, or of another version.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.bytes, var reader = FieldReader(bytes) else { return nil }
        guard let host = reader.text(), let port = reader.number().flatMap(UInt16.init(exactly:)),
            let path = reader.text(), let etag = reader.optionalText(), let isAnywhere = reader.flag(),
            let time = reader.number(), let connectTime = reader.number(), let addressCount = reader.number(),
            let fileBytes = reader.number(), let answerBytes = reader.number(), let count = reader.number()
        else { return nil }
        var addresses: [String] = []
        for _ in 0..<count {
            guard let address = reader.text() else { return nil }
            addresses.append(address)
        }
        guard let roots = reader.byteList(), reader.isAtEnd else { return nil }
        self.init(
            host: host, port: port, path: path, etag: etag, isAnywhere: isAnywhere, time: time,
            connectTime: connectTime, addressCount: addressCount, fileBytes: fileBytes, answerBytes: answerBytes,
            addresses: addresses, roots: roots)
    }
}
