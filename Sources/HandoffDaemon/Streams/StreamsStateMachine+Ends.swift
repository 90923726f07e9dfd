// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

extension StreamsStateMachine {
    mutating func said(_ end: StreamEnd, by client: ClientID) -> [Action] {
        guard let index = index(of: end.stream), streams[index].client == client else { return [] }
        if end.failure != nil {
            return self.end(at: index, Failure(.streamCut, "the app abandoned the stream")) + nextAsks()
        }
        guard case .joined(var joined) = streams[index].state else {
            return self.end(at: index, Failure(.malformed, "the app ended its data before the stream was established"))
        }
        let verdict = joined.announced(end.byteCount)
        streams[index].state = .joined(joined)
        return follow(verdict, at: index)
    }

    mutating func bytesEnded(_ link: Link, after byteCount: UInt64, at now: Instant) -> [Action] {
        guard let index = index(of: link), case .joined(var joined) = streams[index].state else { return [] }
        if link == joined.far {
            let isNew = joined.farEnded()
            streams[index].state = .joined(joined)
            let end = StreamEnd(stream: streams[index].id, byteCount: byteCount)
            return isNew ? [.tell(streams[index].client, end), .confirm(link)] : []
        }
        // The daemon's own bytes need no announcement.
        let verdict =
            streams[index].client == .daemon
            ? joined.nearEnded() : joined.nearEnded(byteCount, until: now.advanced(by: limits.word))
        streams[index].state = .joined(joined)
        return follow(verdict, at: index)
    }

    private mutating func follow(_ verdict: JoinedStream<Link>.Verdict, at index: Int) -> [Action] {
        switch verdict {
        case .nothing: return []
        case .confirm:
            guard case .joined(let joined) = streams[index].state else { return [] }
            return [.confirm(joined.near)]
        case .cut(let failure): return end(at: index, failure)
        }
    }

    /// Nil: both directions had ended in order.
    mutating func closed(_ link: Link, _ failure: Failure?) -> [Action] {
        early.removeAll { $0.link == link }
        guard let index = index(of: link) else { return [] }
        switch streams[index].state {
        case .joined(var joined):
            joined.closed(link)
            streams[index].state = .joined(joined)
            if let failure { return end(at: index, Failure(.streamCut, failure.reason)) }
            if joined.hasEnded { streams.remove(at: index) }
            return []
        case .settingUp(.attached(link), _):
            // Closed, so it must not be refused.
            guard case .settingUp(_, let far) = streams[index].state else { return [] }
            streams[index].state = .settingUp(.unasked, far)
            return end(at: index, Failure(.appGone, "the app released the stream"))
        case .settingUp:
            return farFailed(
                at: index, Failure(.streamCut, failure?.reason ?? "the other device released the stream"))
        }
    }

    /// Cuts the app's streams, except those that only have bytes under way.
    mutating func clientClosed(_ client: ClientID) -> [Action] {
        end(Failure(.appGone, "the app quit")) { stream in
            guard stream.client == client else { return false }
            guard case .joined(let joined) = stream.state else { return true }
            return !joined.isDoneForApp
        }
    }

    /// Joined streams have their own connections.
    mutating func sessionClosed(_ device: DeviceID) -> [Action] {
        end(Failure(.deviceLost, "the connection to the other device ended")) { stream in
            guard stream.pass.device == device, case .settingUp(_, let far) = stream.state else { return false }
            switch far {
            case .turn, .asked: return true
            case .awaited, .dialling, .attached, .failed: return false
            }
        }
    }

    mutating func revoked(_ failure: Failure, _ isMeant: (ClientID, StreamPass) -> Bool) -> [Action] {
        end(failure) { isMeant($0.client, $0.pass) }
    }

    mutating func deadlineReached(at now: Instant) -> [Action] {
        var actions: [Action] = []
        for index in streams.indices.reversed() {
            switch streams[index].state {
            case .joined(let joined):
                guard let deadline = joined.deadline, deadline <= now else { continue }
                let why = "the app's data ended without confirming that it was complete"
                actions += end(at: index, Failure(.streamCut, why))
            case .settingUp(let near, let far):
                if let deadline = near.deadline, deadline <= now {
                    actions += end(at: index, Failure(.appTimedOut, "the app did not attach to the stream in time"))
                } else if let deadline = far.deadline, deadline <= now {
                    actions += farTimedOut(at: index, far)
                }
            }
        }
        return actions + nextAsks()
    }

    private mutating func farTimedOut(at index: Int, _ far: Far) -> [Action] {
        guard case .awaited = far else {
            return end(at: index, Failure(.limitReached, "too many streams are being opened with that device"))
        }
        let failure = Failure(.connectionUnavailable, "the other device did not connect for the stream in time")
        return farFailed(at: index, failure)
    }

    // MARK: The end

    private mutating func end(_ failure: Failure, where isMeant: (Stream) -> Bool) -> [Action] {
        var actions: [Action] = []
        for index in streams.indices.reversed() where isMeant(streams[index]) {
            actions += end(at: index, failure)
        }
        return actions + nextAsks()
    }

    /// The only way a stream ends early. Notifies the waiting parties.
    mutating func end(at index: Int, _ failure: Failure) -> [Action] {
        let stream = streams.remove(at: index)
        switch stream.state {
        case .joined(let joined):
            let open = joined.isNearClosed ? joined.far : joined.near
            return [.tell(stream.client, StreamEnd(stream: stream.id, byteCount: 0, failure: failure))]
                + (joined.hasEnded ? [] : [.cut(open, failure)])
        case .settingUp(let near, let far):
            var actions: [Action] = []
            switch far {
            case .turn, .asked: actions += [.fail(stream.id, failure)] + refuseUnannounced()
            case .attached(let link, isDialled: true): actions.append(.cut(link, failure))
            case .attached(let link, isDialled: false): actions.append(.refuse(link, failure))
            // A removed device is notified of the removal on its session, and of nothing else.
            case .dialling(let token) where failure.code != .deviceRemoved:
                actions.append(.tellDevice(stream.pass.device, token, failure))
            case .awaited, .dialling, .failed: break
            }
            if case .attached(let link) = near { actions.append(.refuse(link, failure)) }
            return actions
        }
    }

    private func index(of link: Link) -> Int? {
        streams.firstIndex { stream in
            switch stream.state {
            case .joined(let joined): joined.near == link || joined.far == link
            case .settingUp(.attached(link), _), .settingUp(_, .attached(link, _)): true
            case .settingUp: false
            }
        }
    }
}
