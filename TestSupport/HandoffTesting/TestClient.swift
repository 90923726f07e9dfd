// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Sends at once, and receives as the test lets time pass.
package final class TestClient {
    private let link: MemoryClientLink
    private var lastRequest: UInt64 = 0
    private var isClosing = false

    package private(set) var sent: [LocalFrame] = []
    package private(set) var received: [LocalFrame] = []
    package private(set) var isClosed = false
    /// Called after the frame was added to `received`.
    package var onFrame: ((LocalFrame) -> Void)?
    package var onClose: (() -> Void)?

    init(link: MemoryClientLink) { self.link = link }

    package var processID: Int32 { link.processID }

    /// The daemon should postpone frames that can wait.
    package func readsSlowly(_ isBehind: Bool) { link.readsSlowly(isBehind) }

    package func send(_ frame: LocalFrame) {
        guard !isClosed, !isClosing, let bytes = try? frame.encoded() else { return }
        sent.append(frame)
        link.sendToDaemon(bytes)
    }

    /// Requests no answer.
    package func send(_ message: LocalMessage) { send(LocalFrame(message)) }

    /// Returns the request's number; see `answers`.
    @discardableResult
    package func request(_ message: LocalMessage) -> UInt64 {
        lastRequest += 1
        send(LocalFrame(message, request: lastRequest))
        return lastRequest
    }

    @discardableResult
    package func hello(_ hello: LocalHello) -> UInt64 { request(.hello(hello)) }

    package func answer(_ request: UInt64, _ message: LocalMessage) { send(LocalFrame(message, answer: request)) }

    package func sendRaw(_ bytes: [UInt8]) { link.sendToDaemon(bytes) }

    /// Nil if there was never a daemon.
    package func attach(_ token: StreamToken) -> TestStream? { link.attach(token) }

    package func finish(_ stream: TestStream, _ id: StreamID) {
        send(.streams(.streamEnded(StreamEnd(stream: id, byteCount: stream.sentCount + UInt64(stream.unsent)))))
        stream.shut()
    }

    package func close() {
        guard !isClosed, !isClosing else { return }
        isClosing = true
        link.closeFromClient()
    }

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
