// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// A program at the other end of the daemon's socket, driven by a test. What it sends is on its way at once; what it
/// gets is there after the test let time pass.
package final class TestClient {
    private let link: MemoryClientLink
    private var lastRequest: UInt64 = 0
    private var isClosing = false

    package private(set) var sent: [LocalFrame] = []
    package private(set) var received: [LocalFrame] = []
    package private(set) var isClosed = false
    /// Called with each frame, after it was added to `received`.
    package var onFrame: ((LocalFrame) -> Void)?
    package var onClose: (() -> Void)?

    init(link: MemoryClientLink) { self.link = link }

    package var processID: Int32 { link.processID }

    /// While it does so, the daemon is to keep what can be kept.
    package func readsSlowly(_ isBehind: Bool) { link.readsSlowly(isBehind) }

    package func send(_ frame: LocalFrame) {
        guard !isClosed, !isClosing, let bytes = try? frame.encoded() else { return }
        sent.append(frame)
        link.sendToDaemon(bytes)
    }

    /// A notice: asks for no answer.
    package func send(_ message: LocalMessage) { send(LocalFrame(message)) }

    /// The request's number; see `answers`.
    @discardableResult
    package func request(_ message: LocalMessage) -> UInt64 {
        lastRequest += 1
        send(LocalFrame(message, request: lastRequest))
        return lastRequest
    }

    @discardableResult
    package func hello(_ hello: LocalHello) -> UInt64 { request(.hello(hello)) }

    package func answer(_ request: UInt64, _ message: LocalMessage) { send(LocalFrame(message, answer: request)) }

    /// Bytes that may be no frame at all.
    package func sendRaw(_ bytes: [UInt8]) { link.sendToDaemon(bytes) }

    /// Another connection of the same process. Nil where there was never a daemon.
    package func attach(_ token: StreamToken) -> TestStream? { link.attach(token) }

    /// Says that the stream's bytes are all there, and ends them.
    package func finish(_ stream: TestStream, _ id: StreamID) {
        send(.streams(.streamEnded(StreamEnd(stream: id, byteCount: stream.sentCount + UInt64(stream.unsent)))))
        stream.shut()
    }

    package func close() {
        guard !isClosed, !isClosing else { return }
        isClosing = true
        link.closeFromClient()
    }

    /// All answers to a request so far.
    package func answers(to request: UInt64) -> [LocalMessage] {
        received.filter { $0.answer == request }.map(\.message)
    }

    package var messages: [LocalMessage] { received.map(\.message) }

    func frameArrived(_ frame: LocalFrame) {
        guard !isClosed, !isClosing else { return }
        received.append(frame)
        onFrame?(frame)
    }

    func connectionEnded() {
        guard !isClosed else { return }
        isClosed = true
        onClose?()
    }
}
