// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffClient

/// Closes when it is released. May be used on any thread, because it does not use Foundation's implementation.
final class ContinuationInputStream: InputStream {
    let input: StreamInput
    /// Receives the daemon's messages about the stream.
    private let pair: StreamPair

    init(_ pair: StreamPair) {
        self.pair = pair
        self.input = pair.input
        super.init(data: Data())
        input.events.set(self)
    }

    deinit { input.close() }

    override func open() { input.open() }
    override func close() { input.close() }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        let bytes = UnsafeMutableRawBufferPointer(start: buffer, count: max(0, len))
        while true {
            switch input.read(into: bytes, waits: true) {
            case .moved(let count): return count
            case .ended: return 0
            case .failed: return -1
            case .wait(_, forWord: true):
                StreamAlarm.wait()
                input.waited()
            case .wait(let attached, forWord: false):
                attached.wait(for: .reading)
                input.waited()
            }
        }
    }

    override var hasBytesAvailable: Bool { input.hasBytes }

    /// The system buffers the bytes, so there is no buffer to expose.
    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length len: UnsafeMutablePointer<Int>
    ) -> Bool { false }

    override var streamStatus: Stream.Status { input.phase.status }
    override var streamError: (any Error)? { input.error }

    override var delegate: (any StreamDelegate)? {
        get { input.events.delegate }
        set { input.events.delegate = newValue }
    }

    override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        input.schedule(in: aRunLoop, forMode: mode)
    }

    override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        input.events.remove(from: aRunLoop, forMode: mode)
    }

    override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }
    override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }
}
