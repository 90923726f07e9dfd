// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

struct EstablishedSession<Waiter> {
    let version: UInt32
    var keepalive: Keepalive
    var outstanding = OutstandingRequests<Waiter>()
    var unanswered: Set<UInt64> = []

    var nextDeadline: Instant {
        let keepalive = keepalive.nextDeadline
        return min(keepalive, outstanding.nextDeadline ?? keepalive)
    }

    enum Verdict {
        case act([SessionAction<Waiter>])
        case goodbye(Failure)
        case refuse(Failure)
    }

    mutating func verdict(on frame: PeerFrame) -> Verdict {
        switch frame.message {
        case .hello: return .refuse(Failure(.malformed, "the other device sent its hello twice"))
        case .goodbye(let failure): return .goodbye(failure)
        case .ping where frame.request != 0: return .act([.send(PeerFrame(.pong, answer: frame.request))])
        default: break
        }
        if frame.answer != 0 { return .act(answered(frame)) }
        if frame.request != 0 { return requested(frame) }
        switch frame.message {
        case .failure(let failure) where failure.code == .severalDevices:
            return .act([.deliver(frame.message, request: 0)])
        case .pong, .failure, .unknown: return .act([])
        // Without a request number, the app must not be asked in vain.
        case let message where message.isQuestion: return .act([])
        default: return .act([.deliver(frame.message, request: 0)])
        }
    }

    private mutating func answered(_ frame: PeerFrame) -> [SessionAction<Waiter>] {
        // The deadline may have passed while the answer was under way.
        guard let waiter = outstanding.take(frame.answer) else { return [] }
        if case .failure(let failure) = frame.message { return [.complete(waiter, .failure(failure))] }
        return [.complete(waiter, .success(frame.message))]
    }

    private mutating func requested(_ frame: PeerFrame) -> Verdict {
        func refusal(_ code: Failure.Code, _ reason: String) -> Verdict {
            .act([.send(PeerFrame(.failure(Failure(code, reason)), answer: frame.request))])
        }
        // Otherwise it would stay among the unanswered requests forever.
        guard frame.message.isQuestion else {
            return refusal(.unimplemented, "this version does not know that request")
        }
        guard !unanswered.contains(frame.request) else {
            return .refuse(Failure(.malformed, "the other device used a request number twice"))
        }
        guard unanswered.count < SessionLimits.unansweredRequests else {
            return refusal(.limitReached, "too many requests are waiting for an answer here")
        }
        unanswered.insert(frame.request)
        return .act([.deliver(frame.message, request: frame.request)])
    }
}

extension PeerMessage {
    /// Answered, and therefore only valid as a request.
    fileprivate var isQuestion: Bool {
        switch self {
        case .ping, .advertising(.boardRequest), .advertising(.offerQuestion), .continuation(.fetch), .sending(.sent),
            .streams(.openStream):
            true
        case .advertising(.boardSnapshot), .advertising(.boardDelta), .advertising(.offerAnswer),
            .continuation(.fetched), .continuation(.continued), .continuation(.cancelFetch), .sending(.taken),
            .streams(.stream), .streams(.streamLost):
            false
        case .hello, .roster, .pong, .failure, .goodbye, .unknown: false
        }
    }
}

extension OutstandingRequests {
    mutating func lost(_ failure: Failure?) -> [SessionAction<Waiter>] {
        let reason = failure.map { "the session ended: \($0.reason)" } ?? "the other device ended the session"
        return takeAll().map { .complete($0, .failure(Failure(.deviceLost, reason))) }
    }
}

/// In sending order. Each waiter is removed exactly once.
struct OutstandingRequests<Waiter> {
    private struct Entry {
        let id: UInt64
        let deadline: Instant
        let waiter: Waiter
    }

    // A few dozen at most: a linear search is faster than a table and keeps the order.
    private var entries: [Entry] = []
    private var lastID: UInt64 = 0

    var isFull: Bool { entries.count >= SessionLimits.outstandingRequests }
    var nextDeadline: Instant? {
        var next: Instant?
        for entry in entries { next = next.earlier(entry.deadline) }
        return next
    }

    /// Never zero, and unique.
    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    mutating func insert(_ waiter: Waiter, deadline: Instant) -> UInt64 {
        let id = makeID()
        entries.append(Entry(id: id, deadline: deadline, waiter: waiter))
        return id
    }

    mutating func take(_ id: UInt64) -> Waiter? {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return nil }
        return entries.remove(at: index).waiter
    }

    mutating func takeOverdue(now: Instant) -> [Waiter] {
        guard !entries.isEmpty else { return [] }
        let overdue = entries.filter { $0.deadline <= now }
        guard !overdue.isEmpty else { return [] }
        entries.removeAll { $0.deadline <= now }
        return overdue.map { $0.waiter }
    }

    mutating func takeAll() -> [Waiter] {
        defer { entries = [] }
        return entries.map { $0.waiter }
    }
}
