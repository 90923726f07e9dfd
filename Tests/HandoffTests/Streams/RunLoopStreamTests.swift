// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffClient
import HandoffWire
import Testing

@testable import Handoff

/// Delegates on a run loop, as in apps written for Apple's systems.
@Suite struct RunLoopStreamTests {
    private let mode = RunLoop.Mode("com.example.streams")

    /// Records its events and their modes and threads. Reads and writes as in Apple's documentation.
    private final class Delegate: NSObject, StreamDelegate {
        var events: [Stream.Event] = []
        var modes: Set<String?> = []
        var received: [UInt8] = []
        var rest: ArraySlice<UInt8> = []
        var isDone = false
        private let thread = Thread.current

        func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
            #expect(Thread.current === thread)
            events.append(eventCode)
            modes.insert(RunLoop.current.currentMode?.rawValue)
            switch (eventCode, aStream) {
            case (.hasBytesAvailable, let input as InputStream):
                var buffer = [UInt8](repeating: 0, count: 1000)
                let count = input.read(&buffer, maxLength: buffer.count)
                if count > 0 { received += buffer[..<count] }
            case (.hasSpaceAvailable, let output as OutputStream):
                guard !rest.isEmpty else { return output.close() }
                let count = rest.withUnsafeBufferPointer { output.write($0.baseAddress!, maxLength: $0.count) }
                if count > 0 { rest = rest.dropFirst(count) }
                isDone = rest.isEmpty
            case (.endEncountered, _), (.errorOccurred, _):
                isDone = true
            default: break
            }
        }
    }

    /// Runs the run loop until the condition holds or nothing happens for a long time.
    private func run(_ mode: RunLoop.Mode, until isDone: () -> Bool) {
        while !isDone(), RunLoop.current.run(mode: mode, before: Date(timeIntervalSinceNow: 30)) {}
    }

    private func opened() async throws -> (StreamingApp, AppStreams, StreamingApp.OtherApp) {
        let app = try await StreamingApp()
        let (streams, other) = try await app.open()
        return (app, streams, other)
    }

    // Shows C03, C05.
    @Test func eventsComeInOrderAndInTheirMode() async throws {
        let (app, streams, other) = try await opened()
        let mode = mode
        async let told = blocking { () -> ([UInt], Set<String?>, [UInt8]) in
            let (input, delegate) = (try streams.input, Delegate())
            input.delegate = delegate
            input.schedule(in: .current, forMode: mode)
            input.open()
            // Not in another mode, in which there is nothing to wait for.
            #expect(!RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 30)))
            #expect(delegate.events.isEmpty)
            run(mode) { delegate.isDone }
            input.close()
            // A closed stream is on no run loop.
            #expect(!RunLoop.current.run(mode: mode, before: Date(timeIntervalSinceNow: 30)))
            return (delegate.events.map(\.rawValue), delegate.modes, delegate.received)
        }
        let bytes = noise(1 << 20)
        try await other.endpoint.send(bytes)
        other.end(after: bytes.count)
        let (events, modes, received) = try await told
        #expect(received == bytes)
        #expect(modes == [mode.rawValue])
        #expect(events.first == Stream.Event.openCompleted.rawValue)
        #expect(events.last == Stream.Event.endEncountered.rawValue)
        #expect(Set(events.dropFirst().dropLast()) == [Stream.Event.hasBytesAvailable.rawValue])
        withExtendedLifetime(app) {}
    }

    // Shows C03.
    @Test func roomIsToldUntilAllIsWritten() async throws {
        let (app, streams, other) = try await opened()
        let bytes = noise(1 << 20)
        async let told = blocking { () -> [UInt] in
            let (output, delegate) = (try streams.output, Delegate())
            delegate.rest = bytes[...]
            output.delegate = delegate
            output.schedule(in: .current, forMode: .default)
            output.open()
            run(.default) { delegate.isDone }
            output.close()
            return delegate.events.map(\.rawValue)
        }
        #expect(try await other.endpoint.receive() == bytes)
        let events = try await told
        #expect(events.first == Stream.Event.openCompleted.rawValue)
        #expect(Set(events.dropFirst()) == [Stream.Event.hasSpaceAvailable.rawValue])
        #expect(try await other.endOfApp().byteCount == UInt64(bytes.count))
        withExtendedLifetime(app) {}
    }

    // Shows C05.
    @Test func aCutIsReportedToBoth() async throws {
        let (app, streams, other) = try await opened()
        let ready = Mailbox<Bool>()
        async let told = blocking { () -> ([UInt], [UInt]) in
            let (input, output) = (try streams.input, try streams.output)
            let (reader, writer) = (Delegate(), Delegate())
            writer.rest = moreThanFits[...]
            input.delegate = reader
            output.delegate = writer
            for stream in [input, output] {
                stream.schedule(in: .current, forMode: .default)
                stream.open()
            }
            ready.post(true)
            run(.default) { reader.isDone && writer.isDone }
            return (reader.events.map(\.rawValue), writer.events.map(\.rawValue))
        }
        _ = try await ready.next()
        _ = try await other.endpoint.receive(1000)
        app.laptop.daemon.send(
            .streams(.streamEnded(StreamEnd(stream: other.stream, byteCount: 0, failure: Failure(.streamCut, "cut")))))
        let (reader, writer) = try await told
        #expect(reader == [Stream.Event.openCompleted.rawValue, Stream.Event.errorOccurred.rawValue])
        #expect(writer.last == Stream.Event.errorOccurred.rawValue)
    }

    @Test func anEventIsReportedOnceUntilTheBytesAreRead() async throws {
        final class Lazy: NSObject, StreamDelegate {
            var count = 0
            func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
                if eventCode == .hasBytesAvailable { count += 1 }
            }
        }
        let (app, streams, other) = try await opened()
        try other.endpoint.sendNow([1, 2])
        let counts = try await blocking { () -> [Int] in
            let (input, delegate) = (try streams.input, Lazy())
            input.delegate = delegate
            input.schedule(in: .current, forMode: .default)
            input.open()
            run(.default) { delegate.count == 1 }
            // Turns without events: the bytes are known.
            let turned = RunLoopTurns()
            for _ in 0..<3 { turned.turn() }
            let before = delegate.count
            var byte: UInt8 = 0
            _ = input.read(&byte, maxLength: 1)
            run(.default) { delegate.count == 2 }
            return [before, delegate.count]
        }
        #expect(counts == [1, 2])
        withExtendedLifetime(app) {}
    }

    @Test func lateRunLoopAndDelegateReceivePendingEvents() async throws {
        let (app, streams, other) = try await opened()
        try other.endpoint.sendNow([1, 2])
        let mode = mode
        let events = try await blocking { () -> [UInt] in
            let (input, delegate) = (try streams.input, Delegate())
            input.schedule(in: .current, forMode: mode)
            input.schedule(in: .current, forMode: mode)
            input.remove(from: .current, forMode: mode)
            #expect(!RunLoop.current.run(mode: mode, before: Date(timeIntervalSinceNow: 30)))
            // Opened on no run loop; a delegate and a run loop that are added later receive the pending events.
            input.open()
            input.schedule(in: .current, forMode: .default)
            for _ in 0..<3 { RunLoopTurns().turn() }
            input.delegate = delegate
            run(.default) { delegate.received == [1, 2] }
            input.remove(from: .current, forMode: .default)
            input.delegate = nil
            #expect(input.delegate == nil)
            return delegate.events.map(\.rawValue)
        }
        #expect(events == [Stream.Event.openCompleted.rawValue, Stream.Event.hasBytesAvailable.rawValue])
        withExtendedLifetime(app) {}
    }

    @Test func aStreamThatGoesLeavesItsRunLoop() async throws {
        let (app, streams, other) = try await opened()
        let isLeft = try await blocking { () -> Bool in
            try streams.input.schedule(in: .current, forMode: .default)
            try streams.input.open()
            streams.dropInput()
            // The caller of the completion handler may still hold a reference, which then ends on that thread.
            return ends(before: Date(timeIntervalSinceNow: 30))
        }
        #expect(isLeft)
        withExtendedLifetime((app, other)) {}
    }

    @Test func aRunLoopThatWaitsForAStreamEndsWhenAnotherThreadClosesIt() async throws {
        let (app, streams, other) = try await opened()
        let hasEnded = try await blocking { () -> Bool in
            try streams.input.schedule(in: .current, forMode: .default)
            try streams.input.open()
            let closing = Timer(timeInterval: 0.01, repeats: false) { _ in onThread { try? streams.input.close() } }
            RunLoop.current.add(closing, forMode: .default)
            return ends(before: Date(timeIntervalSinceNow: 30))
        }
        #expect(hasEnded)
        withExtendedLifetime((app, other)) {}
    }

    /// Whether the current run loop runs out of things to wait for.
    private func ends(before deadline: Date) -> Bool {
        while RunLoop.current.run(mode: .default, before: deadline) { if deadline < Date() { return false } }
        return true
    }

    /// A turn of the current run loop that ends without an event.
    private struct RunLoopTurns {
        func turn() { _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01)) }
    }
}
