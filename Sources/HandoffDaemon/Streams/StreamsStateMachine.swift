// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// This device's streams, from the request to the end.
///
/// A stream's two sides attach in either order. The near side is the local app, which attaches with a token from the
/// same process. The far side is the other device: the device that opened the session dials, with the origin's token.
/// Each token is valid once, for ten seconds, and for one purpose. A failure of the far side is kept until the app
/// attaches.
///
///     receiver:  turn -> asked --agreed--> [near, far] --both--> joined -> gone
///     origin:            asked --agreed--> [near, far] --both--> joined -> gone
struct StreamsStateMachine<Link: Equatable>: ~Copyable {
    typealias Action = StreamAction<Link>

    enum Near {
        /// Can transition to: awaited.
        case unasked
        /// Can transition to: attached.
        case awaited(StreamEntry, until: Instant)
        /// Can transition to: joined, with the far side.
        case attached(Link)
    }

    enum Far {
        /// Too many requests to the device are open. Can transition to: asked.
        case turn(until: Instant)
        /// The other device, or at the origin the app, has not answered. Can transition to: awaited, dialling.
        case asked
        /// The other device dials. Can transition to: attached, failed.
        case awaited(StreamToken, until: Instant)
        /// Can transition to: attached, failed.
        case dialling(StreamToken)
        /// Can transition to: joined, with the near side; failed.
        case attached(Link, isDialled: Bool)
        /// The app is notified when it attaches.
        case failed(Failure)
    }

    enum State {
        case settingUp(Near, Far)
        case joined(JoinedStream<Link>)
    }

    struct Stream {
        let id: StreamID
        let client: ClientID
        let pass: StreamPass
        var state: State
    }

    let limits: StreamLimits
    /// In the order of opening. A few hundred at most: a linear search is faster than a table.
    var streams: [Stream] = []
    /// Connections that precede the answer that announces them, because a busy session is read late.
    var early: [EarlyLink] = []

    struct EarlyLink {
        let link: Link
        let hello: StreamHello
        let device: DeviceID

        func mayBe(for stream: Stream) -> Bool { stream.pass.isFor(hello.activity, hello.continuation, of: device) }
    }

    init(limits: StreamLimits = StreamLimits()) { self.limits = limits }

    var count: Int { streams.count }
    func isConnecting(to device: DeviceID) -> Bool { streams.contains { $0.pass.device == device } }
    var setUps: Int { streams.count { $0.isSettingUp } }

    func client(of id: StreamID) -> ClientID? { index(of: id).map { streams[$0].client } }

    var nextDeadline: Instant? {
        var next: Instant?
        for stream in streams { next = next.earlier(stream.deadline) }
        return next
    }

    // MARK: Requests

    /// At the receiver, for an app.
    mutating func opened(_ id: StreamID, by client: ClientID, for pass: StreamPass, at now: Instant) -> [Action] {
        opened(id, by: client, near: .unasked, for: pass, at: now)
    }

    /// At the receiver for the daemon; `end` is the near side.
    mutating func opened(_ id: StreamID, endingIn end: Link, for pass: StreamPass, at now: Instant) -> [Action] {
        opened(id, by: .daemon, near: .attached(end), for: pass, at: now)
    }

    private mutating func opened(
        _ id: StreamID, by client: ClientID, near: Near, for pass: StreamPass, at now: Instant
    ) -> [Action] {
        if let failure = obstacle(to: client, pass.device) { return [.fail(id, failure)] }
        let state = State.settingUp(near, .turn(until: now.advanced(by: limits.turn)))
        streams.append(Stream(id: id, client: client, pass: pass, state: state))
        return nextAsks()
    }

    /// At the origin, ending in the daemon. `agreed` follows.
    mutating func wanted(_ id: StreamID, endingIn end: Link, for pass: StreamPass) -> [Action] {
        if let failure = obstacle(to: .daemon, pass.device) { return [.fail(id, failure)] }
        streams.append(Stream(id: id, client: .daemon, pass: pass, state: .settingUp(.attached(end), .asked)))
        return []
    }

    /// At the origin. The app may attach from now on.
    mutating func wanted(
        _ id: StreamID, of client: ClientID, entry: StreamEntry, for pass: StreamPass, at now: Instant
    ) -> [Action] {
        if let failure = obstacle(to: client, pass.device) { return [.fail(id, failure)] }
        let near = Near.awaited(entry, until: now.advanced(by: limits.token))
        streams.append(Stream(id: id, client: client, pass: pass, state: .settingUp(near, .asked)))
        return [.askClient(client, StreamTicket(stream: id, token: entry.token), pass)]
    }

    /// `token`: for the two devices. `entry`: for the app, if it has none.
    mutating func agreed(
        _ id: StreamID, token: StreamToken, way: StreamWay, entry: StreamEntry? = nil, at now: Instant
    ) -> [Action] {
        guard let index = index(of: id), case .settingUp(var near, .asked) = streams[index].state else { return [] }
        let pass = streams[index].pass
        let until = now.advanced(by: limits.token)
        var granted = token
        if case .unasked = near, let entry {
            granted = entry.token
            near = .awaited(entry, until: until)
        }
        var actions: [Action] = [.grant(id, granted)]
        switch way {
        case .dial:
            streams[index].state = .settingUp(near, .dialling(token))
            let hello = StreamHello(token: token, activity: pass.activity, continuation: pass.continuation)
            actions.append(.dial(id, pass.device, hello))
        case .awaitDial:
            streams[index].state = .settingUp(near, .awaited(token, until: until))
            if let arrived = early.firstIndex(where: { $0.hello.token == token && $0.mayBe(for: streams[index]) }) {
                let first = early.remove(at: arrived)
                actions += offered(first.hello, by: first.device, link: first.link, at: now)
            }
        }
        return actions + refuseUnannounced() + nextAsks()
    }

    mutating func refused(_ id: StreamID, _ failure: Failure) -> [Action] {
        guard let index = index(of: id), case .settingUp(_, .asked) = streams[index].state else { return [] }
        return end(at: index, failure) + nextAsks()
    }

    mutating func nextAsks() -> [Action] {
        var actions: [Action] = []
        for index in streams.indices {
            guard case .settingUp(let near, .turn) = streams[index].state else { continue }
            let pass = streams[index].pass
            guard streams.count(where: { $0.pass.device == pass.device && $0.isAsked }) < limits.asksPerDevice else {
                continue
            }
            streams[index].state = .settingUp(near, .asked)
            actions.append(.askDevice(streams[index].id, pass))
        }
        return actions
    }

    private func obstacle(to client: ClientID, _ device: DeviceID) -> Failure? {
        let own = streams.filter { $0.client == client }
        if own.count(where: { $0.isSettingUp }) >= limits.setUpsPerClient {
            return Failure(.limitReached, "one app may open at most \(limits.setUpsPerClient) streams at the same time")
        }
        if own.count >= limits.streamsPerClient {
            return Failure(.limitReached, "one app may have at most \(limits.streamsPerClient) streams at a time")
        }
        if streams.count(where: { $0.isSettingUp && $0.pass.device == device }) >= limits.setUpsPerDevice {
            return Failure(
                .limitReached,
                "at most \(limits.setUpsPerDevice) streams may be opened with one device at the same time")
        }
        if streams.count >= limits.streams {
            return Failure(.limitReached, "a device may have at most \(limits.streams) streams at a time")
        }
        return nil
    }

    // MARK: The two sides attach

    private static var unknownToken: Failure {
        Failure(.notAllowed, "the stream token is not valid: it was used, has expired, or belongs to another stream")
    }

    mutating func attached(
        _ token: StreamToken, by processID: Int32, link: Link, at now: Instant
    ) -> [Action] {
        let entry = StreamEntry(token: token, processID: processID)
        let found = streams.firstIndex { stream in
            guard case .settingUp(.awaited(let awaited, let until), _) = stream.state else { return false }
            return awaited == entry && until > now
        }
        guard let index = found, case .settingUp(_, let far) = streams[index].state else {
            return [.refuse(link, Self.unknownToken)]
        }
        streams[index].state = .settingUp(.attached(link), far)
        return proceed(at: index)
    }

    mutating func offered(
        _ hello: StreamHello, by device: DeviceID, link: Link, at now: Instant
    ) -> [Action] {
        let found = streams.firstIndex { stream in
            guard case .settingUp(_, .awaited(let token, let until)) = stream.state else { return false }
            return token == hello.token && until > now
                && stream.pass.isFor(hello.activity, hello.continuation, of: device)
        }
        guard let index = found, case .settingUp(let near, _) = streams[index].state else {
            let arrived = EarlyLink(link: link, hello: hello, device: device)
            early.append(arrived)
            let others = early.count { $0.device == device && $0.hello.continuation == hello.continuation }
            if others <= streams.count(where: { $0.isAsked && arrived.mayBe(for: $0) }) { return [] }
            early.removeLast()
            return [.refuse(link, Self.unknownToken)]
        }
        streams[index].state = .settingUp(near, .attached(link, isDialled: false))
        return proceed(at: index)
    }

    /// No pending answer can announce them.
    mutating func refuseUnannounced() -> [Action] {
        let refused = early.filter { link in !streams.contains { $0.isAsked && link.mayBe(for: $0) } }
        early.removeAll { link in refused.contains { $0.link == link.link } }
        return refused.map { .refuse($0.link, Self.unknownToken) }
    }

    mutating func dialled(_ id: StreamID, _ result: Result<Link, Failure>) -> [Action] {
        guard let index = index(of: id), case .settingUp(let near, .dialling(let token)) = streams[index].state else {
            guard case .success(let link) = result else { return [] }
            return [.cut(link, Failure(.cancelled, "the stream is no longer wanted"))]
        }
        switch result {
        case .success(let link):
            streams[index].state = .settingUp(near, .attached(link, isDialled: true))
            return proceed(at: index)
        case .failure(let failure):
            let device = streams[index].pass.device
            let told = Failure(
                .connectionUnavailable, "the other device cannot connect for the stream: \(failure.reason)")
            return [.tellDevice(device, token, told)] + farFailed(at: index, failure)
        }
    }

    mutating func lost(_ token: StreamToken, by device: DeviceID, _ failure: Failure) -> [Action] {
        let found = streams.firstIndex { stream in
            guard case .settingUp(_, .awaited(token, _)) = stream.state else { return false }
            return stream.pass.device == device
        }
        return found.map { farFailed(at: $0, failure) } ?? []
    }

    mutating func farFailed(at index: Int, _ failure: Failure) -> [Action] {
        guard case .settingUp(let near, _) = streams[index].state else { return [] }
        streams[index].state = .settingUp(near, .failed(failure))
        return proceed(at: index)
    }

    private mutating func proceed(at index: Int) -> [Action] {
        switch streams[index].state {
        case .settingUp(.attached(let near), .attached(let far, _)):
            streams[index].state = .joined(JoinedStream(near: near, far: far))
            return [.join(near: near, far: far)]
        case .settingUp(.attached, .failed(let failure)): return end(at: index, failure)
        case .settingUp, .joined: return []
        }
    }

    func index(of id: StreamID) -> Int? { streams.firstIndex { $0.id == id } }
}

extension StreamsStateMachine.Stream {
    var isSettingUp: Bool {
        switch state {
        case .settingUp: true
        case .joined: false
        }
    }

    fileprivate var isAsked: Bool {
        switch state {
        case .settingUp(_, .asked): true
        case .settingUp, .joined: false
        }
    }

    var deadline: Instant? {
        switch state {
        case .joined(let joined): joined.deadline
        case .settingUp(let near, let far): near.deadline.earlier(far.deadline)
        }
    }
}

extension StreamsStateMachine.Near {
    var deadline: Instant? {
        switch self {
        case .awaited(_, let until): until
        case .unasked, .attached: nil
        }
    }
}

extension StreamsStateMachine.Far {
    var deadline: Instant? {
        switch self {
        case .turn(let until), .awaited(_, let until): until
        case .asked, .dialling, .attached, .failed: nil
        }
    }
}
