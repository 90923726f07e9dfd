// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// A stream's end in the daemon itself. Holds one piece in each direction; unread bytes hold the other side back.
final class DaemonStreamEnd: StreamAdapter {
    weak var observer: (any StreamLinkObserver)?
    weak var user: (any DaemonStreamUser)?
    var place: StreamPlace?

    private let time: any TimeSource
    private var budget: StreamBudget?
    private var mayRead = false
    private var isSending = false
    private var arrived: [ArraySlice<UInt8>] = []
    private var isOver = false
    /// All bytes arrived, and their end was confirmed.
    private(set) var hasEnded = false
    /// Set before `streamClosed`.
    var failure: Failure?

    init(time: any TimeSource) {
        self.time = time
        begin(.daemon, isReady: true)
        readingWanted()
    }

    // MARK: Sending

    /// Returns the number of accepted bytes. `streamHasRoom` follows if not all were.
    func send(_ bytes: some Collection<UInt8>) -> Int {
        isSending = true
        defer { isSending = false }
        var rest = bytes[...]
        while mayRead, !rest.isEmpty {
            mayRead = false
            let piece = rest.prefix(budget?.piece ?? 0)
            rest = rest.dropFirst(piece.count)
            received(Array(piece))
            receivedAll()
            readingWanted()
        }
        return bytes.count - rest.count
    }

    func finish() { inputEnded() }

    // MARK: Receiving

    func take(_ limit: Int) -> [UInt8] {
        var taken: [UInt8] = []
        while taken.count < limit, let first = arrived.first {
            let piece = first.prefix(limit - taken.count)
            taken += piece
            if piece.count == first.count { arrived.removeFirst() } else { arrived[0] = first.dropFirst(piece.count) }
        }
        if !taken.isEmpty { written(taken.count) }
        return taken
    }

    var untaken: Int { arrived.reduce(0) { $0 + $1.count } }

    var isAtEnd: Bool { hasEnded && arrived.isEmpty }

    // MARK: Actions

    var now: Instant { time.now }
    func sayReady() {}
    func sayNo(_ failure: Failure) {}
    func flush() {}
    func watch() {}
    func wake(at instant: Instant?) {}
    func share(_ budget: StreamBudget) { self.budget = budget }
    func later(_ work: @escaping () -> Void) { time.soon(work) }

    func read() {
        mayRead = true
        if !isSending { tell { $0.streamHasRoom($1) } }
    }

    func write(_ piece: any StreamPiece) {
        arrived.append(piece.bytes[...])
        tell { $0.streamHasBytes($1) }
    }

    func shutWriting() {
        hasEnded = true
        writingShut(nil)
        tell { $0.streamHasBytes($1) }
    }

    /// The end of the stream notifies the user.
    func shutReading() {}
    func close() { end(inOrder: true) }
    func closeDelivered() { end(inOrder: true) }
    func cut() { end(inOrder: false) }

    private func end(inOrder: Bool) {
        guard !isOver else { return }
        isOver = true
        mayRead = false
        // Bytes that arrived in order can still be taken.
        if !hasEnded { arrived = [] }
        tell { $0.streamClosed($1, inOrder: inOrder) }
        // Strong: the stream is over only now, even if the user has released this end.
        later { self.closed() }
    }

    private func tell(_ event: @escaping (any DaemonStreamUser, DaemonStreamEnd) -> Void) {
        later { [weak self] in
            guard let self, let user else { return }
            event(user, self)
        }
    }
}

/// Never called during a call to the end.
protocol DaemonStreamUser: AnyObject {
    func streamHasRoom(_ end: DaemonStreamEnd)
    func streamHasBytes(_ end: DaemonStreamEnd)
    /// Once. `inOrder`: both directions ended in order.
    func streamClosed(_ end: DaemonStreamEnd, inOrder: Bool)
}
