// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension InputStream {
    /// What comes in over a continuation's stream, in pieces of up to 64 KiB, as it comes.
    ///
    /// ```swift
    /// for try await chunk in input.chunks { try file.write(contentsOf: chunk) }
    /// ```
    ///
    /// Opens the stream if it is not open. Ends when the other app has closed its output and all of it was read; throws the
    /// stream's `streamError` where it was cut, and `CancellationError` in a task that is cancelled. Who reads slowly holds
    /// the other app back: nothing is read ahead. For one reader at a time.
    ///
    /// Of a stream that is not a continuation's, reading a piece blocks the thread.
    public var chunks: HandoffInputStreamChunks { chunks(ofAtMost: 64 * 1024) }

    /// The same in pieces of 1 to `count` bytes; of less than 1 it is 1.
    public func chunks(ofAtMost count: Int) -> HandoffInputStreamChunks {
        HandoffInputStreamChunks(stream: self, limit: max(1, count))
    }
}

/// What comes in over a stream, piece by piece.
public struct HandoffInputStreamChunks: AsyncSequence {
    public typealias Element = Data

    let stream: InputStream
    /// Bytes.
    let limit: Int

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: stream, limit: limit) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        let stream: InputStream
        let limit: Int

        /// The next piece, not empty; nil at the end.
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

/// Memory for one piece, which becomes that of its `Data`.
private final class Piece {
    let bytes: UnsafeMutableRawBufferPointer
    private var isTaken = false

    init(_ count: Int) {
        // malloc's, as Data gives it back with free.
        guard let start = malloc(count) else { preconditionFailure("no memory for \(count) bytes") }
        bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
    }

    deinit { if !isTaken { free(bytes.baseAddress) } }

    /// Once.
    func data(_ count: Int) -> Data {
        isTaken = true
        // A small piece does not keep the memory of a large one.
        let start = realloc(bytes.baseAddress, count) ?? bytes.baseAddress!
        return Data(bytesNoCopy: start, count: count, deallocator: .free)
    }
}

extension CocoaError {
    /// Of a stream that is closed on this side.
    static var closedStream: CocoaError {
        CocoaError(.featureUnsupported, userInfo: [NSLocalizedDescriptionKey: "The stream is closed."])
    }
}
