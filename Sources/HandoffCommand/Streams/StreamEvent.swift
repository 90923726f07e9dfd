// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire
internal import Synchronization

/// What the thread that carries a stream's bytes tells the one that speaks with the daemon.
enum StreamEvent: Sendable {
    /// Both ends are there; bytes go from now on. From here both threads have it: one moves bytes, the other ends
    /// directions. `byteCount`: so many are to be sent, where that is known.
    case attached(StreamID, AttachedStream, byteCount: Int64?)
    /// All that was to be sent is with the daemon.
    case sent(StreamID, byteCount: UInt64)
    /// Nobody takes what is to be sent any more.
    case notTaken(StreamID)
    /// No more bytes come in.
    case inputEnded(StreamID, byteCount: UInt64)
    /// This end cannot go on.
    case failed(StreamID, CommandFailure)
}

/// Events from other threads, in order, with something to wait for beside the daemon.
final class StreamEvents: Sendable {
    private let events = Mutex<[StreamEvent]>([])
    private let signal = WakeSignal()

    /// Can be read when an event came.
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

/// So many bytes went one way so far; one thread counts, another looks.
final class ByteCounter: Sendable {
    private let count = Atomic<Int64>(0)

    var value: Int64 { count.load(ordering: .relaxed) }
    func add(_ more: Int) { count.wrappingAdd(Int64(more), ordering: .relaxed) }
}

extension UnsafeMutableRawBufferPointer {
    /// To carry bytes through; to be deallocated.
    static func allocateForStream() -> UnsafeMutableRawBufferPointer {
        .allocate(byteCount: 256 * 1024, alignment: 4096)
    }
}
