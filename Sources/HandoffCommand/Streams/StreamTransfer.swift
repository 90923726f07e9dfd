// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// Moves the bytes of one stream, on a separate thread.
struct StreamTransfer: Sendable {
    let ticket: StreamTicket
    let locations: Locations
    let events: StreamEvents
    let moved = ByteCounter()

    private var stream: StreamID { ticket.stream }

    func receive(into sink: StreamSink) {
        start { attached in
            events.post(.attached(stream, attached, byteCount: nil))
            try attached.socket.forEachPiece {
                try sink.write($0)
                moved.add($0.count)
            }
            events.post(.inputEnded(stream, byteCount: UInt64(moved.value)))
        }
    }

    func send(_ source: StreamSource) {
        start { attached in
            let source = try source.open()
            events.post(.attached(stream, attached, byteCount: source.byteCount))
            guard try send(source, through: attached.socket) else { return events.post(.notTaken(stream)) }
            events.post(.sent(stream, byteCount: UInt64(moved.value)))
            // The receiver ends its own direction after it received everything. Its bytes are ignored.
            var ignored: UInt64 = 0
            attached.socket.forEachPiece { ignored += UInt64($0.count) }
            events.post(.inputEnded(stream, byteCount: ignored))
        }
    }

    private func start(_ body: @escaping @Sendable (AttachedStream) throws -> Void) {
        DetachedThread.start {
            do {
                try body(AttachedStream(try StreamSocket.attach(ticket.token, to: locations)))
            } catch {
                events.post(.failed(stream, CommandFailure(endOfStream: error)))
            }
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
            moved.add(count)
        }
    }
}

extension StreamSocket {
    /// Until the bytes end for any reason.
    fileprivate func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        let buffer = UnsafeMutableRawBufferPointer.allocateForStream()
        defer { buffer.deallocate() }
        while case .moved(let count) = read(into: buffer, until: nil) {
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }
}
