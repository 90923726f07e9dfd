// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// How the two directions of a stream come to their ends, and what a cut is.
extension StreamCarriage {
    /// The other end has said that it sends no more: a device by its goodbye, an app's process by shutting its socket.
    package mutating func inputEnded(from side: StreamSide) -> [Action] {
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

    /// The end that was told of was meant: it ends for the other side too.
    package mutating func endConfirmed(_ side: StreamSide) -> [Action] {
        guard case .joined(var pair) = state, pair[side].inflow == .ended else { return [] }
        pair[side].inflow = .confirmed
        state = .joined(pair)
        // One who has left wants no more of it.
        return pair[side.other].isGone ? ended(side) : [.shutWriting(side.other)]
    }

    /// `failure`: it was not possible, so what was written there may be lost.
    package mutating func writingShut(_ side: StreamSide, _ failure: Failure?) -> [Action] {
        guard case .joined(let pair) = state else { return [] }
        // An app that has left wants no more of it; a device that has left lacks it.
        if let failure, pair[side].party == .device { return lost(side.other, failure) }
        return ended(side.other)
    }

    private mutating func ended(_ side: StreamSide) -> [Action] {
        guard case .joined(var pair) = state, pair[side].inflow == .confirmed else { return [] }
        pair[side].inflow = .shut
        state = .joined(pair)
        return settled(side)
    }

    /// What comes from there goes nowhere any more.
    mutating func lost(_ side: StreamSide, _ failure: Failure) -> [Action] {
        guard case .joined(var pair) = state, !pair[side].inflow.isSettled else { return [] }
        let wasOpen = pair[side].inflow == .open
        pair[side].inflow = .lost
        pair[side].failure = pair[side].failure ?? failure
        state = .joined(pair)
        // Its writes fail from now on. TCP has no such word: there, it waits until all of ours is delivered.
        let mayBeTold = wasOpen && pair[side].party != .device
        return (mayBeTold ? [.shutReading(side)] : []) + settled(side)
    }

    private mutating func settled(_ side: StreamSide) -> [Action] {
        guard case .joined(let pair) = state, pair.first.inflow.isSettled, pair.second.inflow.isSettled else {
            return []
        }
        let isLost = pair.first.inflow == .lost || pair.second.inflow == .lost
        let why = pair[side].failure ?? pair[side.other].failure ?? Failure(.streamCut, "the stream was cut")
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
        // A reset overtakes what is under way: not before all of it is delivered.
        case (true, false): pair[side].party == .device ? .closeDelivered(side) : .close(side)
        }
    }

    // MARK: What breaks

    /// Both links end now, and neither side takes it for the end of the bytes.
    package mutating func cut(_ failure: Failure, at side: StreamSide = .first) -> [Action] {
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

    /// The connection is broken, or nothing answers there any more. `failure` as it is called in the middle of a stream.
    package mutating func broke(_ side: StreamSide, _ failure: Failure) -> [Action] {
        switch state {
        case .waiting(let end):
            return cut(failure.code == .streamCut ? Failure(end.party.lost, failure.reason) : failure, at: side)
        case .refused: return []
        case .joined(var pair):
            guard pair[side].inflow != .open else { return cut(failure, at: side) }
            pair[side].failure = pair[side].failure ?? failure
            state = .joined(pair)
            // Its bytes had come in order: they go on to where they are meant for.
            return [.cut(side)]
        case .over: return [.cut(side)]
        }
    }

    /// Nothing comes from there or goes there any more.
    package mutating func closed(_ side: StreamSide) -> [Action] {
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
                // We had shut our side, so the end of its bytes closed the connection. Whether that end was meant is not
                // known of an app in any case.
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
                // What it has not taken it does not want, unless more comes.
                actions += readingResumed(side.other, in: &pair)
                state = .joined(pair)
                // Where its end was being said, nobody is left to say so of.
                return actions + ended(side.other)
            }
        case .over: return []
        }
    }
}
