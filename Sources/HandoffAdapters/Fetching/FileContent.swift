// SPDX-License-Identifier: Apache-2.0

import Crypto
import Glibc
import HandoffSystem
import HandoffWire

/// Recognizes a file on another device without reading a large one completely.
package struct FileContent: Hashable, Sendable {
    /// Per sample: at the beginning, in the middle and at the end. Smaller files are read completely.
    static let sampleBytes: Int64 = 64 << 10
    static let digestBytes = SHA256.byteCount

    let bytes: Int64
    /// SHA-256 of the size, as eight big-endian bytes, and the samples. Nil: not sent by the other device.
    let digest: [UInt8]?

    init(bytes: Int64, digest: [UInt8]? = nil) {
        self.bytes = bytes
        self.digest = digest
    }

    /// Blocks. Nil: not a regular file, or not readable.
    init?(of path: AbsolutePath) {
        var status = stat()
        guard let file = try? OpenFile.open(following: path.bytes, O_RDONLY | O_NONBLOCK),
            fstat(file.descriptor, &status) == 0, status.kind == S_IFREG
        else { return nil }
        let size = Int64(status.st_size)
        var hash = SHA256()
        withUnsafeBytes(of: size.bigEndian) { hash.update(bufferPointer: $0) }
        for range in Self.samples(of: size) {
            // Fewer bytes if the file has just been shortened.
            guard let sample = try? file.bytes(at: UInt64(range.lowerBound), count: range.count),
                sample.count == range.count
            else { return nil }
            hash.update(data: sample)
        }
        self.init(bytes: size, digest: Array(hash.finalize()))
    }

    static func samples(of size: Int64) -> [Range<Int64>] {
        guard size > 3 * sampleBytes else { return [0..<size] }
        let middle = (size - sampleBytes) / 2
        return [0..<sampleBytes, middle..<middle + sampleBytes, size - sampleBytes..<size]
    }

    /// Without a digest, files of the same size are taken for equal.
    func isSame(as other: FileContent) -> Bool {
        bytes == other.bytes && (digest == nil || other.digest == nil || digest == other.digest)
    }
}
