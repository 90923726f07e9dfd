// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffClient
import HandoffWire
import Testing

@testable import Handoff

/// Bytes in both directions, with threads and with tasks, and their ends.
@Suite struct ContinuationStreamTests {
    private func opened() async throws -> (StreamingApp, AppStreams, StreamingApp.OtherApp) {
        let app = try await StreamingApp()
        let (streams, other) = try await app.open()
        try streams.input.open()
        try streams.output.open()
        return (app, streams, other)
    }

    // Shows C03.
    @Test(arguments: [0, 1, 4096, 1 << 20]) func threadsThatWaitHaveEveryByteBothWays(_ count: Int) async throws {
        let (app, streams, other) = try await opened()
        let (sent, answered) = (noise(count), noise(count, seed: 2))
        async let received = other.endpoint.receive()
        async let writing: Void = blocking {
            try streams.output.writeAll(sent, inPiecesOf: 30_000)
            try streams.output.close()
        }
        async let reading = blocking { try streams.input.readAll(inPiecesOf: 1234) }
        try await other.endpoint.send(answered)
        other.end(after: count)
        #expect(try await received == sent)
        try await writing
        #expect(try await reading == answered)
        #expect(try streams.input.streamStatus == .atEnd)
        #expect(try streams.output.streamStatus == .closed)
        let end = try await other.endOfApp()
        #expect(end.stream == other.stream)
        #expect(end.byteCount == UInt64(count))
        #expect(end.failure == nil)
        withExtendedLifetime(app) {}
    }

    // Shows C03.
    @Test(arguments: [0, 1, 1 << 20]) func tasksHaveEveryByteBothWays(_ count: Int) async throws {
        let (app, streams, other) = try await opened()
        let (sent, answered) = (noise(count), noise(count, seed: 2))
        async let received = other.endpoint.receive()
        async let writing: Void = {
            try await streams.output.write(sent)
            try streams.output.close()
        }()
        async let reading = {
            var data = Data()
            for try await chunk in try streams.input.chunks(ofAtMost: 10_000) {
                #expect((1...10_000).contains(chunk.count))
                data += chunk
            }
            return data
        }()
        try await other.endpoint.send(answered)
        other.end(after: count)
        #expect(try await received == sent)
        try await writing
        #expect(try await reading == Data(answered))
        withExtendedLifetime(app) {}
    }

    // Shows C05.
    @Test(arguments: [true, false]) func eachDirectionEndsIndependently(outputFirst: Bool) async throws {
        let (app, streams, other) = try await opened()
        if outputFirst {
            try streams.output.close()
            #expect(try await other.endpoint.receive() == [])
            try other.endpoint.sendNow([1, 2, 3])
            other.end(after: 3)
            #expect(try await blocking { try streams.input.readAll() } == [1, 2, 3])
        } else {
            other.end(after: 0)
            #expect(try await blocking { try streams.input.readAll() } == [])
            try streams.output.writeAll([4, 5])
            #expect(try await other.endpoint.receive(2) == [4, 5])
            try streams.output.close()
            #expect(try await other.endpoint.receive() == [])
        }
        withExtendedLifetime(app) {}
    }

    @Test func aClosedInputLeavesTheOutputOpen() async throws {
        let (app, streams, other) = try await opened()
        try streams.input.close()
        #expect(try streams.input.streamStatus == .closed)
        // Unread bytes do no harm, even after everything is closed.
        try other.endpoint.sendNow([1, 2, 3])
        try streams.output.writeAll([7])
        #expect(try await other.endpoint.receive(1) == [7])
        try streams.output.close()
        #expect(try await other.endpoint.receive() == [])
        #expect(try await other.endOfApp().byteCount == 1)
        withExtendedLifetime(app) {}
    }

    // A released stream need not be closed.
    @Test func streamsThatGoAreClosed() async throws {
        let (app, streams, other) = try await opened()
        try streams.output.writeAll([1, 2])
        streams.dropOutput()
        #expect(try await other.endOfApp().byteCount == 2)
        #expect(try await other.endpoint.receive() == [1, 2])
        streams.dropInput()
        // The descriptor is closed with the last of them.
        await #expect(throws: StreamEndpoint.Cut.self) { while true { try await other.endpoint.send([0]) } }
        withExtendedLifetime(app) {}
    }

    // MARK: Cuts

    private func expectCut(_ streams: AppStreams, code: CocoaError.Code = .userActivityHandoffFailed) async throws {
        await #expect(throws: CocoaError.self) { try await blocking { _ = try streams.input.readAll() } }
        #expect(try streams.input.streamStatus == .error)
        #expect((try streams.input.streamError as? CocoaError)?.code == code)
    }

    // Shows C05.
    @Test func anUnannouncedEndIsACut() async throws {
        let (app, streams, other) = try await opened()
        try other.endpoint.sendNow([1, 2, 3])
        other.endpoint.endWriting()
        try await expectCut(streams)
        // The other direction is then useless too, once its own thread has been notified.
        #expect(try await soon { try streams.output.streamStatus == .error })
        withExtendedLifetime(app) {}
    }

    // Shows C05.
    @Test(arguments: [2, 4]) func anotherCountIsACut(_ said: Int) async throws {
        let (app, streams, other) = try await opened()
        try other.endpoint.sendNow([1, 2, 3])
        other.end(after: said)
        try await expectCut(streams)
        withExtendedLifetime(app) {}
    }

    // Shows C05.
    @Test func aCutWakesWhoReadsAndWhoWrites() async throws {
        let (app, streams, other) = try await opened()
        async let reading = blocking { try? streams.input.readAll() }
        async let writing = blocking { try? streams.output.writeAll(moreThanFits, inPiecesOf: 1 << 20) }
        // It writes until it is held back.
        _ = try await other.endpoint.receive(1000)
        let failure = Failure(.deviceLost, "the other device is gone")
        app.laptop.daemon.send(.streams(.streamEnded(StreamEnd(stream: other.stream, byteCount: 0, failure: failure))))
        #expect(try await reading == nil)
        #expect(try await writing == nil)
        #expect(try streams.input.streamError?.localizedDescription.contains("the other device is gone") == true)
        #expect(try streams.output.streamError?.localizedDescription.contains("the other device is gone") == true)
        var byte: UInt8 = 1
        #expect(try streams.output.write(&byte, maxLength: 1) == -1)
        #expect(try !streams.output.hasSpaceAvailable)
    }

    // Shows C05.
    @Test func aCutEndsTasksThatWait() async throws {
        let (app, streams, other) = try await opened()
        let reading = Task { for try await _ in try streams.input.chunks {} }
        let writing = Task { try await streams.output.write(moreThanFits) }
        _ = try await other.endpoint.receive(1000)
        let failure = Failure(.streamCut, "the stream was interrupted")
        app.laptop.daemon.send(.streams(.streamEnded(StreamEnd(stream: other.stream, byteCount: 0, failure: failure))))
        await #expect(throws: CocoaError.self) { try await reading.value }
        await #expect(throws: CocoaError.self) { try await writing.value }
    }

    // Shows C05.
    @Test func aDaemonThatIsKilledCutsBoth() async throws {
        let (app, streams, other) = try await opened()
        try other.endpoint.sendNow([1])
        async let reading = blocking { try? streams.input.readAll() }
        app.laptop.daemon.kill()
        other.endpoint.cut()
        #expect(try await reading == nil)
        #expect(try streams.input.streamStatus == .error)
        await #expect(throws: CocoaError.self) { try await streams.output.write(noise(1 << 20)) }
    }

    @Test func announcedBytesAreDeliveredAfterTheDaemonIsGone() async throws {
        let (app, streams, other) = try await opened()
        try other.endpoint.sendNow([1, 2, 3])
        other.end(after: 3)
        try await app.laptop.caughtUp()
        app.laptop.daemon.kill()
        #expect(try await blocking { try streams.input.readAll() } == [1, 2, 3])
    }

    @Test func wordsThatComeBeforeTheStreamCount() async throws {
        let app = try await StreamingApp()
        let came = Mailbox<AppStreams>()
        app.activity.getContinuationStreams { came.post(AppStreams($0, $1, $2)) }
        let daemon = app.laptop.daemon
        let request = try await daemon.frames.next()
        var generator = SystemRandomNumberGenerator()
        let ticket = StreamTicket(stream: .random(using: &generator), token: .random(using: &generator))
        daemon.send(LocalFrame(.streams(.streamTicket(ticket)), answer: request.request))
        let endpoint = try await daemon.attached.next()
        daemon.send(.streams(.streamEnded(StreamEnd(stream: ticket.stream, byteCount: 2))))
        try await app.laptop.caughtUp()
        try endpoint.answer(.done(accepted: true), and: [1, 2])
        endpoint.endWriting()
        let streams = try await came.next()
        try streams.input.open()
        #expect(try await blocking { try streams.input.readAll() } == [1, 2])
    }

    // MARK: From another thread

    @Test func closingCallsBackAThreadThatWaits() async throws {
        let (app, streams, other) = try await opened()
        // A second thread waits on another stream and is not affected.
        let (others, far) = try await app.open()
        try others.input.open()
        async let patient = blocking { try others.input.readAll() }
        async let reading = blocking { () -> Int in
            var byte: UInt8 = 0
            return try streams.input.read(&byte, maxLength: 1)
        }
        async let writing = blocking { try? streams.output.writeAll(moreThanFits, inPiecesOf: 1 << 20) }
        _ = try await other.endpoint.receive(1000)
        try streams.input.close()
        try streams.output.close()
        #expect(try await reading == -1)
        #expect(try await writing == nil)
        try far.endpoint.sendNow([9])
        far.end(after: 1)
        #expect(try await patient == [9])
    }

    @Test func aCancelledTaskDoesNotWait() async throws {
        let (app, streams, other) = try await opened()
        let reading = Task { for try await _ in try streams.input.chunks {} }
        let writing = Task { try await streams.output.write(moreThanFits) }
        _ = try await other.endpoint.receive(1000)
        reading.cancel()
        writing.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        await #expect(throws: CancellationError.self) { try await writing.value }
        // The stream is still usable.
        try other.endpoint.sendNow([5])
        other.end(after: 1)
        #expect(try await blocking { try streams.input.readAll() } == [5])
        withExtendedLifetime(app) {}
    }

    @Test func aReaderThatStopsHoldsTheWriterBack() async throws {
        let (app, streams, other) = try await opened()
        var sent = 0
        while try streams.output.hasSpaceAvailable {
            sent += try noise(1 << 16).withUnsafeBufferPointer {
                try streams.output.write($0.baseAddress!, maxLength: $0.count)
            }
        }
        #expect(sent < 4 << 20)
        #expect(try await other.endpoint.receive(sent).count == sent)
        #expect(try streams.output.hasSpaceAvailable)
        withExtendedLifetime(app) {}
    }

    @Test func badCallsAreAnsweredAsFoundationDoes() async throws {
        let (app, streams, other) = try await opened()
        let (input, output) = (try streams.input, try streams.output)
        var byte: UInt8 = 1
        #expect(output.write(&byte, maxLength: 0) == 0)
        #expect(output.write(&byte, maxLength: -1) == 0)
        #expect(input.read(&byte, maxLength: 0) == 0)
        #expect(input.read(&byte, maxLength: -1) == 0)
        #expect(input.property(forKey: .fileCurrentOffsetKey) == nil)
        #expect(!output.setProperty(nil, forKey: .dataWrittenToMemoryStreamKey))
        var buffer: UnsafeMutablePointer<UInt8>?
        var length = 0
        #expect(!input.getBuffer(&buffer, length: &length))
        input.open()
        input.close()
        input.close()
        input.open()
        #expect(input.streamStatus == .closed)
        #expect(input.read(&byte, maxLength: 1) == -1)
        output.close()
        #expect(output.write(&byte, maxLength: 1) == -1)
        await #expect(throws: CocoaError.self) { try await output.write([1]) }
        withExtendedLifetime((app, other)) {}
    }

    @Test func theAsyncFormsTakeOtherStreamsToo() async throws {
        let input = InputStream(data: Data(noise(1000)))
        let output = OutputStream.toMemory()
        for try await chunk in input.chunks(ofAtMost: 64) { try await output.write(chunk) }
        #expect(output.property(forKey: .dataWrittenToMemoryStreamKey) as? Data == Data(noise(1000)))
    }
}
