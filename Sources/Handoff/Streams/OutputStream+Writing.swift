// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension OutputStream {
    /// Writes all bytes to a continuation stream. Returns when the last byte is on its way.
    ///
    /// ```swift
    /// try await output.write(image)
    /// output.close()
    /// ```
    ///
    /// Opens the stream if necessary. Waits while the other app does not read, without blocking a thread. Throws
    /// `streamError` if the stream was cut, and `CancellationError` if the task is cancelled, perhaps after writing
    /// some bytes. Allows one write at a time. Only `close()` assures the other app that it received everything.
    ///
    /// Other streams block the thread.
    public func write(_ bytes: some DataProtocol) async throws {
        if streamStatus == .notOpen { open() }
        for region in bytes.regions {
            var written = 0
            while written < region.count {
                try Task.checkCancellation()
                switch region.withUnsafeBytes({ writeSome(UnsafeRawBufferPointer(rebasing: $0[written...])) }) {
                case .moved(let count): written += count
                case .failed: throw streamError ?? CocoaError.closedStream
                case .wait: await (self as? ContinuationOutputStream)?.output.ready()
                }
            }
        }
    }

    private func writeSome(_ bytes: UnsafeRawBufferPointer) -> StreamOutput.Step {
        if let output = (self as? ContinuationOutputStream)?.output { return output.write(bytes) }
        guard let start = bytes.baseAddress else { return .moved(0) }
        let count = write(start.assumingMemoryBound(to: UInt8.self), maxLength: bytes.count)
        return count > 0 ? .moved(count) : .failed
    }
}
