// SPDX-License-Identifier: Apache-2.0

import HandoffWire

extension StreamCarriage {
    /// A device's goodbye, or an app's process shut its socket down.
    mutating func inputEnded(from side: StreamSide) -> [Action] {
        switch state {
        case .waiting(var end):
            guard end.isReady else {
                return cut(Failure(end.party.lost, "it left before the stream was ready"), at: side)
            }
            end.isEndHeld = true
            state = .waiting(end)
            return []
        case .joined(var pair):
            let actions = inputEnded(from: side, in: &pair)
            state = .joined(pair)
            return actions
        case .refused, .over: return []
        }
    }

    /// Valid for the other side too.
    mutating func endConfirmed(_ side: StreamSide) -> [Action] {
        guard case .joined(var pair) = state, pair[side].inflow == .ended else { return [] }
        pair[side].inflow = .confirmed
        state = .joined(pair)
        return pair[side.other].isGone ? ended(side) : [.shutWriting(side.other)]
    }

    /// `failure`: the shutdown failed, and written bytes may be lost.
    mutating func writingShut(_ side: StreamSide, _ failure: Failure?) -> [Action] {
        guard case .joined(let pair) = state else { return [] }
        // An app that left does not want the bytes; a device misses them.
        if let failure, pair[side].party == .device { return lost(side.other, failure) }
        return ended(side.other)
    }

    private mutating func ended(_ side: StreamSide) -> [Action] {
        guard case .joined(var pair) = state, pair[side].inflow == .confirmed else { return [] }
        pair[side].inflow = .shut
        state = .joined(pair)
        return settled(side)
    }

    mutating func lost(_ side: StreamSide, _ failure: Failure) -> [Action] {
        guard case .joined(var pair) = state, !pair[side].inflow.isSettled else { return [] }
        let wasOpen = pair[side].inflow == .open
        pair[side].inflow = .lost
        pair[side].failure = pair[side].failure ?? failure
        state = .joined(pair)
        // The shutdown makes its writes fail. TCP has no equivalent: a device waits until our bytes are delivered.
        let mayBeTold = wasOpen && pair[side].party != .device
        return (mayBeTold ? [.shutReading(side)] : []) + settled(side)
    }

    private mutating func settled(_ side: StreamSide) -> [Action] {
        guard case .joined(let pair) = state, pair.first.inflow.isSettled, pair.second.inflow.isSettled else {
            return []
        }
        let isLost = pair.first.inflow == .lost || pair.second.inflow == .lost
        let why = pair[side].failure ?? pair[side.other].failure ?? Failure(.streamCut, "the stream was interrupted")
        let failure = isLost ? why : nil
        state = .over
        return [
            .tellClosed(side, failure), .tellClosed(side.other, failure), leave(side, of: pair),
            leave(side.other, of: pair),
        ]
    }

    private func leave(_ side: StreamSide, of pair: Pair) -> Action {
        let isWritten = pair[side.other].inflow == .shut
        let isRead = pair[side].inflow == .shut
        return switch (isWritten, isRead) {
        case (false, _): .cut(side)
        case (true, true): .close(side)
        // A reset would overtake bytes under way.
        case (true, false): pair[side].party == .device ? .closeDelivered(side) : .close(side)
        }
    }

    // MARK: Failures

    mutating func cut(_ failure: Failure, at side: StreamSide = .first) -> [Action] {
        switch state {
        case .waiting, .refused:
            state = .over
            return [.tellClosed(.first, failure), .cut(.first)]
        case .joined:
            state = .over
            return [
                .tellClosed(side, failure), .tellClosed(side.other, failure), .cut(side), .cut(side.other),
            ]
        case .over: return []
        }
    }

    /// `failure`: as reported in the middle of a stream.
    mutating func broke(_ side: StreamSide, _ failure: Failure) -> [Action] {
        switch state {
        case .waiting(let end):
            return cut(failure.code == .streamCut ? Failure(end.party.lost, failure.reason) : failure, at: side)
        case .refused: return []
        case .joined(var pair):
            guard pair[side].inflow != .open else { return cut(failure, at: side) }
            pair[side].failure = pair[side].failure ?? failure
            state = .joined(pair)
            // Its bytes arrived and continue to their destination.
            return [.cut(side)]
        case .over: return [.cut(side)]
        }
    }

    mutating func closed(_ side: StreamSide) -> [Action] {
        switch state {
        case .waiting(let end):
            state = .over
            return [
                .tellClosed(.first, end.failure ?? Failure(end.party.lost, "it left before the stream was ready"))
            ]
        case .refused(let failure, _):
            state = .over
            return [.tellClosed(.first, failure)]
        case .joined(var pair):
            guard !pair[side].isGone else { return [] }
            pair[side].isGone = true
            pair[side].unwritten = 0
            var actions: [Action] = []
            if pair[side].inflow == .open {
                // We had shut our side down, so the end of its bytes closed the connection. The owner must still
                // confirm an app's end.
                guard pair[side].party != .device, pair[side].failure == nil, pair[side.other].inflow == .shut else {
                    return cut(pair[side].failure ?? Failure(.streamCut, "the connection ended"), at: side)
                }
                actions = inputEnded(from: side, in: &pair)
            }
            switch pair[side].party {
            case .device:
                let failure = pair[side].failure ?? Failure(.streamCut, "the connection ended")
                state = .joined(pair)
                return actions + lost(side.other, failure)
            case .app, .daemon:
                // The app does not want the rest, unless more arrives.
                actions += readingResumed(side.other, in: &pair)
                state = .joined(pair)
                return actions + ended(side.other)
            }
        case .over: return []
        }
    }
}
