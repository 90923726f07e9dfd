// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffClient

/// Like `ContinuationInputStream`.
final class ContinuationOutputStream: OutputStream {
    let output: StreamOutput
    private let pair: StreamPair

    init(_ pair: StreamPair) {
        self.pair = pair
        self.output = pair.output
        super.init(toMemory: ())
        output.events.set(self)
    }

    /// Required by `OutputStream.toMemory()`, which cannot be called on this class.
    required init(toMemory: ()) { preconditionFailure("a continuation's stream is not made in memory") }

    deinit { output.close() }

    override func open() { output.open() }
    override func close() { output.close() }

    override func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
        let bytes = UnsafeRawBufferPointer(start: buffer, count: max(0, len))
        while true {
            switch output.write(bytes, waits: true) {
            case .moved(let count): return count
            case .failed: return -1
            case .wait(let attached):
                attached.wait(for: .writing)
                output.waited()
            }
        }
    }

    override var hasSpaceAvailable: Bool { output.hasSpace }
    override var streamStatus: Stream.Status { output.phase.status }
    override var streamError: (any Error)? { output.error }

    override var delegate: (any StreamDelegate)? {
        get { output.events.delegate }
        set { output.events.delegate = newValue }
    }

    override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        output.schedule(in: aRunLoop, forMode: mode)
    }

    override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        output.events.remove(from: aRunLoop, forMode: mode)
    }

    override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }
    override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }
}
