// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// A daemon's end of a connection that carries a stream: of an app on its socket, or to another device.
package final class MemoryStreamLink: StreamLink {
    /// How it came, and so what is said on it before its bytes.
    enum Kind {
        /// An app attached; `answer` is the number of its request.
        case app(answer: UInt64)
        case accepted
        /// The other side has said ready.
        case dialled
    }

    package weak var observer: (any StreamLinkObserver)?
    private let end: MemoryWireEnd
    private let kind: Kind
    /// Joined links hold each other until they are closed.
    private var partner: MemoryStreamLink?
    private var isJoined = false
    private var isClosed = false
    private var hasBytesEnded = false
    private var isEndConfirmed = false
    private var hasSentEnd = false
    private var count: UInt64 = 0
    /// What the partner had no room for.
    private var held: ArraySlice<UInt8> = []

    init(_ end: MemoryWireEnd, _ kind: Kind) {
        self.end = end
        self.kind = kind
        end.owner = self
    }

    /// More than the wires themselves hold: that is what a reader that stops costs a daemon.
    package var heldBytes: Int { held.count }

    package func refuse(_ failure: Failure) {
        guard !isJoined, !isClosed else { return }
        say(failure)
        // The frame is first; the end of the connection follows it.
        end.sendEnd()
        end.takesBytes = true
        closed(failure)
    }

    package func join(_ other: any StreamLink) {
        guard let other = other as? MemoryStreamLink, !isJoined, !isClosed, !other.isJoined, !other.isClosed else {
            let failure = Failure(.internal, "these links cannot be joined")
            cut(failure)
            other.cut(failure)
            return
        }
        for (link, partner) in [(self, other), (other, self)] {
            link.partner = partner
            link.isJoined = true
            link.say(nil)
            link.end.takesBytes = true
        }
    }

    package func confirmEnd() {
        guard hasBytesEnded, let partner, !partner.hasSentEnd, !partner.isClosed else { return }
        isEndConfirmed = true
        partner.hasSentEnd = true
        partner.end.sendEnd()
        partner.closeIfEnded()
        closeIfEnded()
    }

    package func cut(_ failure: Failure) {
        guard !isClosed else { return }
        end.cut(failure)
        let partner = partner
        closed(failure)
        partner?.cut(failure)
    }

    private func say(_ failure: Failure?) {
        do {
            switch kind {
            case .app(let answer):
                let message = failure.map { LocalMessage.failure($0) } ?? .done(accepted: true)
                end.sendFrame(try LocalFrame(message, answer: answer).encoded())
            case .accepted:
                let message = failure.map { StreamMessage.failure($0) }
                end.sendFrame(try (message ?? .ready(version: ProtocolVersion.stream.upperBound)).encoded())
            case .dialled: break
            }
        } catch {
            cut(Failure(.internal, "an answer could not be written: \(error)"))
        }
    }

    private func closeIfEnded() {
        if isEndConfirmed, hasSentEnd { closed(nil) }
    }

    private func closed(_ failure: Failure?) {
        guard !isClosed else { return }
        isClosed = true
        partner = nil
        held = []
        end.later { [self] in observer?.streamLinkClosed(self, failure: failure) }
    }

    /// All that the partner has room for.
    private func flush() {
        guard let partner, !isClosed else { return }
        held = held.dropFirst(partner.end.send(held))
        end.takesBytes = held.isEmpty
    }
}

extension MemoryStreamLink: MemoryWireOwner {
    func arrived(_ parcel: MemoryWire.Parcel, at end: MemoryWireEnd) {
        guard !isClosed else { return }
        switch parcel {
        case .frame: cut(Failure(.malformed, "a message where bytes are due"))
        case .bytes(let bytes):
            count += UInt64(bytes.count)
            held = bytes[...]
            flush()
        case .end:
            hasBytesEnded = true
            observer?.streamBytesEnded(on: self, after: count)
        case .cut(let failure):
            let partner = partner
            closed(failure)
            partner?.cut(failure)
        }
    }

    func roomMade(at end: MemoryWireEnd) { partner?.flush() }

    func bytesWait(at end: MemoryWireEnd) {
        guard !isJoined else { return }
        switch kind {
        // Its other side is a daemon that has said ready.
        case .dialled: break
        case .app, .accepted: cut(Failure(.malformed, "bytes came before the answer"))
        }
    }
}
