// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// Begins with the dialler's hello.
final class MemoryStreamConnection {
    let dialler: MemoryNode
    let acceptor: MemoryNode
    let wire: MemoryWire
    private let hub: MemoryNetwork
    private var porter: Porter?
    /// Since when nothing passes.
    private var apartSince: Instant?
    private var isSilent = false

    /// Calls `completion` once, with a failure before `deadline` at the latest.
    init(
        hub: MemoryNetwork, dialler: MemoryNode, acceptor: MemoryNode, hello: StreamHello, deadline: Instant,
        completion: @escaping (Result<any StreamLink, Failure>) -> Void
    ) {
        self.hub = hub
        self.dialler = dialler
        self.acceptor = acceptor
        wire = MemoryWire(time: hub.time) { [unowned hub] in hub.drawLatency(dialler.host, acceptor.host) }
        wire.line.passes = { [weak self] in self?.isWhole ?? false }
        wire.line.breaks = { [unowned hub] in hub.happens(hub.linkLoss) }
        porter = Porter(node: acceptor, caller: dialler.device, end: wire.second)
        let dial = StreamDial(end: wire.first, completion)
        // The schedule keeps it alive until it has answered.
        hub.time.schedule(after: hub.time.now.duration(to: deadline)) { dial.gaveUp() }
        dial.say(hello)
    }

    func involves(_ node: MemoryNode) -> Bool { dialler === node || acceptor === node }
    func joins(_ one: String, _ other: String) -> Bool { Set([dialler.host, acceptor.host]) == [one, other] }

    private var isWhole: Bool { !isSilent && !hub.areApart(dialler.host, acceptor.host) }

    /// The host is gone; its end is not notified.
    func abandon(by node: MemoryNode, silently: Bool) {
        let end = dialler === node ? wire.first : wire.second
        let failure = Failure(.connectionUnavailable, "the connection was reset")
        if silently {
            end.abandoned()
            fellSilent()
        } else {
            end.owner = nil
            end.cut(failure)
        }
    }

    func cut(by node: MemoryNode) {
        (dialler === node ? wire.first : wire.second).cut(Failure(.streamCut, "the daemon is stopping"))
    }

    /// Each end notices by its own timeout.
    func fellSilent() {
        isSilent = true
        watch()
    }

    func watch() {
        guard !isWhole, apartSince == nil else { return }
        let since = hub.time.now
        apartSince = since
        hub.time.schedule(after: hub.streamTimeout) { [weak self] in
            guard let self, apartSince == since else { return }
            wire.broke("the other device no longer answered")
        }
    }

    func resume() {
        guard isWhole else { return }
        apartSince = nil
        wire.resume()
    }
}

/// The acceptor's side, until the hello arrives.
private final class Porter: MemoryWireOwner {
    private let node: MemoryNode
    private let caller: DeviceID
    private let end: MemoryWireEnd

    init(node: MemoryNode, caller: DeviceID, end: MemoryWireEnd) {
        self.node = node
        self.caller = caller
        self.end = end
        end.owner = self
    }

    func arrived(_ parcel: MemoryWire.Parcel, at end: MemoryWireEnd) {
        guard node.isOn, case .frame(let bytes) = parcel else { return }
        guard case .hello(let hello)? = try? StreamMessage(encoded: bytes) else {
            end.cut(Failure(.malformed, "the first message of a stream must be a hello"))
            return
        }
        let link = MemoryStreamLink(end, .accepted)
        guard let handler = node.network.streamHandler else {
            return link.refuse(Failure(.unimplemented, "no streams here"))
        }
        // The device may have been removed since its handshake.
        guard node.network.admits(caller, for: .stream, with: nil) else {
            return link.refuse(Failure(.notAMember, "device \(caller.short) does not belong to this account"))
        }
        handler.streamOffered(hello, by: caller, on: link)
    }

    func roomMade(at end: MemoryWireEnd) {}
    func bytesWait(at end: MemoryWireEnd) { end.cut(Failure(.malformed, "bytes arrived before the hello")) }
}

/// The dialler's side, until the acceptor has answered.
private final class StreamDial: MemoryWireOwner {
    private let end: MemoryWireEnd
    private var completion: ((Result<any StreamLink, Failure>) -> Void)?

    init(end: MemoryWireEnd, _ completion: @escaping (Result<any StreamLink, Failure>) -> Void) {
        self.end = end
        self.completion = completion
        end.owner = self
    }

    func say(_ hello: StreamHello) {
        do {
            end.sendFrame(try StreamMessage.hello(hello).encoded())
        } catch {
            end.cut(Failure(.internal, "the hello could not be written: \(error)"))
        }
    }

    func gaveUp() {
        guard completion != nil else { return }
        end.cut(Failure(.cancelled, "no answer in time"))
        answer(.failure(Failure(.connectionUnavailable, "the other device did not answer for the stream in time")))
    }

    func arrived(_ parcel: MemoryWire.Parcel, at end: MemoryWireEnd) {
        switch parcel {
        case .frame(let bytes): arrived(try? StreamMessage(encoded: bytes))
        case .cut(let failure): answer(.failure(Failure(.connectionUnavailable, failure.reason)))
        case .bytes, .end: break
        }
    }

    private func arrived(_ message: StreamMessage?) {
        switch message {
        case .ready: answer(.success(MemoryStreamLink(end, .dialled)))
        case .failure(let failure):
            end.cut(failure)
            answer(.failure(failure))
        case .hello, nil:
            let failure = Failure(.malformed, "the other device sent an unexpected answer")
            end.cut(failure)
            answer(.failure(failure))
        }
    }

    private func answer(_ result: Result<any StreamLink, Failure>) {
        let completion = completion
        self.completion = nil
        completion?(result)
    }

    func roomMade(at end: MemoryWireEnd) {}
    func bytesWait(at end: MemoryWireEnd) {}
}
