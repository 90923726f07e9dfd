// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// On a separate thread.
struct IncomingStream: Sendable {
    let ticket: StreamTicket
    let sink: StreamSink
    let locations: Locations
    let received = ByteCounter()
    let events: StreamEvents

    func start() { DetachedThread.start { run() } }

    private func run() {
        let stream = ticket.stream
        do {
            let attached = AttachedStream(try StreamSocket.attach(ticket.token, to: locations))
            events.post(.attached(stream, attached, byteCount: nil))
            try receive(from: attached.socket)
            events.post(.inputEnded(stream, byteCount: UInt64(received.value)))
        } catch {
            events.post(.failed(stream, CommandFailure(endOfStream: error)))
        }
    }

    private func receive(from socket: borrowing StreamSocket) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocateForStream()
        defer { buffer.deallocate() }
        while case .moved(let count) = socket.read(into: buffer, until: nil) {
            try sink.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            received.add(count)
        }
    }
}
