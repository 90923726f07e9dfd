// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// On a separate thread.
struct OutgoingStream: Sendable {
    let ticket: StreamTicket
    let source: StreamSource
    let locations: Locations
    let sent = ByteCounter()
    let events: StreamEvents

    func start() { DetachedThread.start { run() } }

    private func run() {
        let stream = ticket.stream
        do {
            let attached = AttachedStream(try StreamSocket.attach(ticket.token, to: locations))
            let source = try source.open()
            events.post(.attached(stream, attached, byteCount: source.byteCount))
            guard try send(source, through: attached.socket) else { return events.post(.notTaken(stream)) }
            events.post(.sent(stream, byteCount: UInt64(sent.value)))
            // The receiver ends its own direction after it received everything. Its bytes are ignored.
            events.post(.inputEnded(stream, byteCount: Self.drain(attached.socket)))
        } catch {
            events.post(.failed(stream, CommandFailure(endOfStream: error)))
        }
    }

    /// False if the receiver is gone.
    private func send(_ source: borrowing OpenSource, through socket: borrowing StreamSocket) throws -> Bool {
        let buffer = UnsafeMutableRawBufferPointer.allocateForStream()
        defer { buffer.deallocate() }
        while true {
            let count = try source.read(into: buffer)
            if count == 0 { return true }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            guard case .moved = socket.writeAll(bytes, until: nil) else { return false }
            sent.add(count)
        }
    }

    private static func drain(_ socket: borrowing StreamSocket) -> UInt64 {
        let buffer = UnsafeMutableRawBufferPointer.allocateForStream()
        defer { buffer.deallocate() }
        var sum: UInt64 = 0
        while case .moved(let count) = socket.read(into: buffer, until: nil) { sum += UInt64(count) }
        return sum
    }
}
