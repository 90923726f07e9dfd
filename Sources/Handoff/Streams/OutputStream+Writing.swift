// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension OutputStream {
    /// Writes all of the bytes over a continuation's stream; returns when the last of them is on its way.
    ///
    /// ```swift
    /// try await output.write(image)
    /// output.close()
    /// ```
    ///
    /// Opens the stream if it is not open. Waits, without a thread, while the other app does not read. Throws the stream's
    /// `streamError` where it was cut, and `CancellationError` in a task that is cancelled: some of the bytes may be written
    /// then. One write at a time. What is written is the other app's only up to where the stream was not cut: it knows that
    /// it has all of it once this side has called `close()`.
    ///
    /// Of a stream that is not a continuation's, writing blocks the thread.
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
