// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// Two ends, and an ordered pipe in each direction.
final class MemoryConnection {
    private enum Parcel {
        case opened
        case bytes([UInt8])
        case closed(Failure?)
    }

    private final class Pipe {
        var parcels: [(due: Instant, parcel: Parcel)] = []
        var lastDue: Instant = .zero
    }

    let purpose: ConnectionPurpose
    let hub: MemoryNetwork
    private(set) var dialled: MemoryLink!
    private(set) var accepted: MemoryLink!
    private let toAcceptor = Pipe()
    private let toDialler = Pipe()
    /// Nothing passes, and neither end is notified.
    private var isCut = false

    let preference: LinkPreference

    init(
        hub: MemoryNetwork, purpose: ConnectionPurpose, dialler: MemoryNode, acceptor: MemoryNode,
        preference: LinkPreference
    ) {
        self.hub = hub
        self.purpose = purpose
        self.preference = preference
        dialled = MemoryLink(connection: self, node: dialler, other: acceptor, isDialled: true)
        accepted = MemoryLink(connection: self, node: acceptor, other: dialler, isDialled: false)
    }

    func involves(_ node: MemoryNode) -> Bool { dialled.node === node || accepted.node === node }
    func joins(_ one: String, _ other: String) -> Bool {
        Set([dialled.node.host, accepted.node.host]) == [one, other]
    }

    // MARK: Calls from the ends

    func open() { push(.opened, from: dialled) }

    func send(_ bytes: [UInt8], from end: MemoryLink) {
        guard !end.isClosed else { return }
        hub.bytesSent[end.node.host, default: 0] += bytes.count
        let receiver = end.isDialled ? accepted.node : dialled.node
        if isCut, let successor = hub.node(at: receiver.host), successor !== receiver {
            // Its kernel does not know the connection.
            ended(end, failure: Failure(.connectionUnavailable, "the connection was reset"))
        } else if hub.happens(hub.linkLoss) {
            reset()
        } else {
            push(.bytes(bytes), from: end)
        }
    }

    /// Earlier frames still arrive. Both ends are notified later.
    func close(_ end: MemoryLink, failure: Failure? = nil) {
        guard !end.isClosed else { return }
        push(.closed(nil), from: end)
        ended(end, failure: failure)
    }

    func close(by node: MemoryNode) { close(dialled.node === node ? dialled : accepted) }

    // MARK: Failures

    func reset() {
        guard !isCut else { return }
        toAcceptor.parcels = []
        toDialler.parcels = []
        let failure = Failure(.connectionUnavailable, "the connection was reset")
        ended(dialled, failure: failure)
        ended(accepted, failure: failure)
    }

    /// The host is gone; its end is not notified.
    func abandon(by node: MemoryNode, silently: Bool) {
        let end: MemoryLink = dialled.node === node ? dialled : accepted
        if silently {
            isCut = true
            // An unfinished handshake is dropped without a notification.
            let other: MemoryLink = end.isDialled ? accepted : dialled
            if !other.isAnnounced { other.isClosed = true }
        } else {
            push(.closed(Failure(.connectionUnavailable, "the connection was reset")), from: end)
        }
        end.isClosed = true
        retireIfOver()
    }

    func cut() { isCut = true }

    func resume() {
        pump(to: accepted)
        pump(to: dialled)
    }

    // MARK: Pipes

    private func push(_ parcel: Parcel, from end: MemoryLink) {
        let receiver: MemoryLink = end.isDialled ? accepted : dialled
        let pipe = pipe(to: receiver)
        let due = hub.time.now.advanced(by: hub.drawLatency(dialled.node.host, accepted.node.host))
        // Keeps the order of sending.
        pipe.lastDue = max(due, pipe.lastDue)
        pipe.parcels.append((pipe.lastDue, parcel))
        hub.time.schedule(after: hub.time.now.duration(to: pipe.lastDue)) { [weak self] in
            self?.pump(to: receiver)
        }
    }

    private func pump(to receiver: MemoryLink) {
        let pipe = pipe(to: receiver)
        while let next = pipe.parcels.first, next.due <= hub.time.now {
            guard !isCut, !hub.areApart(dialled.node.host, accepted.node.host) else { return }
            pipe.parcels.removeFirst()
            deliver(next.parcel, to: receiver)
        }
    }

    private func pipe(to receiver: MemoryLink) -> Pipe { receiver.isDialled ? toDialler : toAcceptor }

    private func deliver(_ parcel: Parcel, to receiver: MemoryLink) {
        guard !receiver.isClosed else { return }
        switch parcel {
        case .opened: receiver.opened()
        case .bytes(let bytes):
            hub.framesDelivered += 1
            receiver.received(bytes)
        case .closed(let failure): ended(receiver, failure: failure)
        }
    }

    /// Notifies later, never from within the call that caused it.
    private func ended(_ end: MemoryLink, failure: Failure?) {
        guard !end.isClosed else { return }
        end.isClosed = true
        hub.time.schedule(after: .zero) { [self] in
            end.told(failure)
            retireIfOver()
        }
    }

    private func retireIfOver() {
        guard dialled.isClosed, accepted.isClosed else { return }
        hub.connections.removeAll { $0 === self }
    }
}
