// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire
internal import Synchronization

/// Events from a stream's thread for the thread that talks to the daemon.
enum StreamEvent: Sendable {
    /// Both ends are attached, and bytes may flow. From now on, both threads use the stream: one moves bytes, the other
    /// ends directions. `byteCount`: the number of bytes to send, if known.
    case attached(StreamID, AttachedStream, byteCount: Int64?)
    /// The daemon has received all bytes.
    case sent(StreamID, byteCount: UInt64)
    /// The receiver is gone.
    case notTaken(StreamID)
    case inputEnded(StreamID, byteCount: UInt64)
    /// A local error.
    case failed(StreamID, CommandFailure)
}

/// Can be polled together with the daemon's connection.
final class StreamEvents: Sendable {
    private let events = Mutex<[StreamEvent]>([])
    private let signal = WakeSignal()

    /// Readable after an event.
    var descriptor: CInt { signal.descriptor }

    func post(_ event: StreamEvent) {
        events.withLock { $0.append(event) }
        signal.signal()
    }

    func take() -> [StreamEvent] {
        signal.clear()
        return events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}

/// One thread adds, another reads.
final class ByteCounter: Sendable {
    private let count = Atomic<Int64>(0)

    var value: Int64 { count.load(ordering: .relaxed) }
    func add(_ more: Int) { count.wrappingAdd(Int64(more), ordering: .relaxed) }
}

extension UnsafeMutableRawBufferPointer {
    /// The caller must deallocate it.
    static func allocateForStream() -> UnsafeMutableRawBufferPointer {
        .allocate(byteCount: 256 * 1024, alignment: 4096)
    }
}
