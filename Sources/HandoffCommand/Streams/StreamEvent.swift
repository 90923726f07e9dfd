// SPDX-License-Identifier: Apache-2.0

import HandoffClient
import HandoffSystem
import HandoffWire
import Synchronization

/// From a stream's thread to the thread that talks to the daemon.
enum StreamEvent: Sendable {
    /// Both ends are attached. From now on, one thread moves bytes, and the other ends directions. `byteCount`: bytes
    /// to send, if known.
    case attached(StreamID, AttachedStream, byteCount: Int64?)
    /// The daemon has received all bytes.
    case sent(StreamID, byteCount: UInt64)
    /// The receiver is gone.
    case notTaken(StreamID)
    case inputEnded(StreamID, byteCount: UInt64)
    /// A local error.
    case failed(StreamID, CommandFailure)
}

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

extension UnsafeMutableRawBufferPointer {
    /// The caller must deallocate it.
    static func allocateForStream() -> UnsafeMutableRawBufferPointer {
        .allocate(byteCount: 256 * 1024, alignment: 4096)
    }
}

/// For the receiver's progress, and to detect missing bytes.
enum StreamSize {
    static let key = "streamBytes"

    /// `entries` is a dictionary.
    static func add(_ byteCount: Int64, to entries: Value) -> Value {
        guard case .dictionary(var members) = entries else { return entries }
        members[.string(key)] = .signed(byteCount)
        return .dictionary(members)
    }

    static func isSaid(in entries: Value) -> Bool {
        guard case .dictionary(let members) = entries else { return false }
        return members[.string(key)] != nil
    }

    /// Nil if it is missing or invalid.
    static func said(in state: ActivityState) -> Int64? {
        guard !state.userInfo.isEmpty, case .dictionary(let members)? = try? Value(encoded: state.userInfo) else {
            return nil
        }
        switch members[.string(key)] {
        case .signed(let byteCount)? where byteCount >= 0: return byteCount
        case .unsigned(let byteCount)?: return Int64(exactly: byteCount)
        default: return nil
        }
    }
}

/// The end of the other device's bytes, before or after the daemon's `streamEnded`.
struct AwaitedEnd {
    private var arrival = StreamArrival()
    /// When `streamEnded` is overdue; nil while it is not expected.
    private var deadline: ContinuousClock.Instant?

    var byteCount: UInt64 { arrival.byteCount }
    var patience: Duration? { deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) } }

    mutating func bytesEnded(after byteCount: UInt64 = 0) {
        arrival.received(Int(clamping: byteCount))
        arrival.bytesEnded()
        if arrival.isWaitingForWord { deadline = .now + StreamArrival.wordPatience }
    }

    mutating func wordCame(_ word: StreamEnd) { arrival.wordCame(word) }

    mutating func wordLost(_ failure: Failure) { arrival.wordLost(failure) }

    /// Nil while an event is still expected.
    mutating func ending() -> StreamArrival.Ending? {
        if let deadline, .now >= deadline { arrival.wordLost() }
        return arrival.ending
    }
}
