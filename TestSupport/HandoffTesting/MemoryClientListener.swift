// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// Frames are encoded and decoded, and arrive in order after `latency`.
package final class MemoryClientListener: ClientListener {
    package weak var handler: (any ClientListenerHandler)?

    private let time: VirtualTime
    package var latency: Duration
    private var isListening = false
    /// What arrived before `accept`; nil after it.
    private var held: [() -> Void]? = []
    private var links: [MemoryClientLink] = []
    private var streams: [MemoryWire] = []
    private var lastProcess: Int32 = 1000
    package var startFailure: Failure?

    package init(time: VirtualTime, latency: Duration = .microseconds(20)) {
        self.time = time
        self.latency = latency
    }

    package func start() throws {
        if let startFailure { throw startFailure }
        isListening = true
    }

    package func accept() {
        let arrived = held ?? []
        held = nil
        for event in arrived { event() }
    }

    fileprivate func arrive(_ event: @escaping () -> Void) {
        if held == nil { event() } else { held?.append(event) }
    }

    /// As a crash of the daemon does.
    package func stop() {
        isListening = false
        for link in links { link.endedByDaemon() }
        links = []
        let failure = Failure(.streamCut, "the daemon ended")
        for stream in streams {
            stream.second.owner = nil
            stream.second.cut(failure)
        }
        streams = []
    }

    /// On a separate connection.
    package func attach(_ token: StreamToken, processID: Int32) -> TestStream {
        streams.removeAll { $0.isOver }
        let wire = MemoryWire(time: time) { [latency] in latency }
        let stream = TestStream(end: wire.first, processID: processID)
        guard isListening, let bytes = try? LocalFrame(.streams(.attachStream(token)), request: 1).encoded() else {
            wire.broke("no daemon is there")
            return stream
        }
        streams.append(wire)
        time.schedule(after: latency) { [weak self] in
            self?.arrive {
                guard !wire.second.isOver, let handler = self?.handler,
                    let frame = try? LocalFrame(encoded: bytes), case .streams(.attachStream(let token)) = frame.message
                else { return }
                let link = MemoryStreamLink(wire.second, .app(answer: frame.request))
                handler.streamAttached(token, by: processID, on: link)
            }
        }
        return stream
    }

    /// Without a listening daemon, the client is closed from the start.
    package func connect(executable: String? = nil) -> TestClient {
        lastProcess += 1
        let link = MemoryClientLink(processID: lastProcess, executable: executable, time: time, latency: latency)
        let client = TestClient(link: link)
        link.client = client
        guard isListening else {
            link.endedByDaemon()
            return client
        }
        links.append(link)
        link.listener = self
        time.schedule(after: latency) { [weak self] in
            self?.arrive {
                guard !link.isEnded else { return }
                self?.handler?.clientAccepted(link)
            }
        }
        return client
    }

    fileprivate func closed(_ link: MemoryClientLink, failure: Failure?) {
        guard links.contains(where: { $0 === link }) else { return }
        links.removeAll { $0 === link }
        handler?.clientClosed(link, failure: failure)
    }
}

final class MemoryClientLink: ClientLink {
    let processID: Int32
    let program: RunningProgram?
    private let time: VirtualTime
    private let latency: Duration
    weak var client: TestClient?
    fileprivate weak var listener: MemoryClientListener?
    private(set) var isEnded = false
    private(set) var isBehind = false

    init(processID: Int32, executable: String?, time: VirtualTime, latency: Duration) {
        self.processID = processID
        // In memory, the path alone identifies a program.
        program = executable.map { RunningProgram(path: $0, device: 0, inode: 0) }
        self.time = time
        self.latency = latency
    }

    func readsSlowly(_ isBehind: Bool) {
        self.isBehind = isBehind
        if !isBehind { listener?.handler?.clientCaughtUp(self) }
    }

    // MARK: The daemon's end

    func send(_ frame: LocalFrame) {
        guard !isEnded else { return }
        guard let bytes = try? frame.encoded(), bytes.count <= Limits.frameBytes else {
            // A request may wait for this answer.
            if frame.answer != 0 {
                send(LocalFrame(.failure(Failure(.limitReached, "it is more than a frame")), answer: frame.answer))
            }
            return
        }
        time.schedule(after: latency) { [weak self] in
            guard let self, let frame = try? LocalFrame(encoded: bytes) else { return }
            client?.frameArrived(frame)
        }
    }

    func close() {
        guard !isEnded else { return }
        isEnded = true
        // Earlier frames arrive first.
        time.schedule(after: latency) { [weak self] in
            guard let self else { return }
            client?.connectionEnded()
            listener?.closed(self, failure: nil)
        }
    }

    func endedByDaemon() {
        isEnded = true
        time.schedule(after: latency) { [weak self] in self?.client?.connectionEnded() }
    }

    // MARK: The client's end

    func sendToDaemon(_ bytes: [UInt8]) {
        guard !isEnded else { return }
        time.schedule(after: latency) { [weak self] in
            self?.listener?.arrive { self?.received(bytes) }
        }
    }

    private func received(_ bytes: [UInt8]) {
        guard !isEnded else { return }
        do throws(WireError) {
            guard bytes.count <= Limits.frameBytes else {
                throw WireError(.frameTooLarge, "a frame of \(bytes.count) bytes")
            }
            listener?.handler?.frameReceived(try LocalFrame(encoded: bytes), on: self)
        } catch {
            if let frame = LocalFrame(unreadable: bytes, because: error), frame.request != 0 {
                listener?.handler?.frameReceived(frame, on: self)
                return
            }
            isEnded = true
            client?.connectionEnded()
            listener?.closed(self, failure: Failure(.malformed, "\(error)"))
        }
    }

    func attach(_ token: StreamToken) -> TestStream? { listener?.attach(token, processID: processID) }

    func closeFromClient() {
        guard !isEnded else { return }
        time.schedule(after: latency) { [weak self] in
            guard let self, !isEnded else { return }
            isEnded = true
            listener?.closed(self, failure: nil)
        }
    }
}
