// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension InputStream {
    /// The bytes of a continuation stream as they arrive, in chunks of up to 64 KiB.
    ///
    /// ```swift
    /// for try await chunk in input.chunks { try file.write(contentsOf: chunk) }
    /// ```
    ///
    /// Opens the stream if necessary. Ends when the other app has closed its output and all bytes were read. Throws
    /// `streamError` if the stream was cut, and `CancellationError` if the task is cancelled. Nothing is read ahead, so
    /// a slow reader slows the other app. Allows one reader at a time.
    ///
    /// Other streams block the thread.
    public var chunks: HandoffInputStreamChunks { chunks(ofAtMost: 64 * 1024) }

    /// The same in chunks of 1 to `count` bytes; a `count` below 1 is treated as 1.
    public func chunks(ofAtMost count: Int) -> HandoffInputStreamChunks {
        HandoffInputStreamChunks(stream: self, limit: max(1, count))
    }
}

/// The bytes of a stream in chunks.
public struct HandoffInputStreamChunks: AsyncSequence {
    public typealias Element = Data

    let stream: InputStream
    /// Bytes.
    let limit: Int

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: stream, limit: limit) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        let stream: InputStream
        let limit: Int

        /// The next chunk, not empty; nil at the end.
        public mutating func next() async throws -> Data? {
            if stream.streamStatus == .notOpen { stream.open() }
            guard let input = (stream as? ContinuationInputStream)?.input else { return try nextOfAnother() }
            let piece = Piece(limit)
            while true {
                try Task.checkCancellation()
                switch input.read(into: piece.bytes) {
                case .moved(let count): return piece.data(count)
                case .ended: return nil
                case .failed: throw stream.streamError ?? CocoaError.closedStream
                case .wait: await input.ready()
                }
            }
        }

        private func nextOfAnother() throws -> Data? {
            let piece = Piece(limit)
            let count = stream.read(piece.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), maxLength: limit)
            guard count >= 0 else { throw stream.streamError ?? CocoaError.closedStream }
            return count == 0 ? nil : piece.data(count)
        }
    }
}

/// Memory for one chunk, which its `Data` takes over.
private final class Piece {
    let bytes: UnsafeMutableRawBufferPointer
    private var isTaken = false

    init(_ count: Int) {
        // From malloc, because Data releases it with free.
        guard let start = malloc(count) else { preconditionFailure("no memory for \(count) bytes") }
        bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
    }

    deinit { if !isTaken { free(bytes.baseAddress) } }

    /// May be called once.
    func data(_ count: Int) -> Data {
        isTaken = true
        // A small chunk must not retain the memory of a large one.
        let start = realloc(bytes.baseAddress, count) ?? bytes.baseAddress!
        return Data(bytesNoCopy: start, count: count, deallocator: .free)
    }
}

extension CocoaError {
    /// A stream that was closed on this side.
    static var closedStream: CocoaError {
        CocoaError(.featureUnsupported, userInfo: [NSLocalizedDescriptionKey: "The stream is closed."])
    }
}
