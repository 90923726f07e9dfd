// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffClient
import HandoffSystem
import HandoffWire

@testable import Handoff

/// An app that has continued an activity, and a daemon that is asked for streams. The test acts as the other app.
final class StreamingApp: Sendable {
    let laptop: Laptop
    let activity: NSUserActivity
    let continuation: ContinuationID

    init() async throws {
        laptop = try Laptop(bundle: "com.example.reader")
        let taker = Taker()
        laptop.center.receive(with: taker)
        _ = try await laptop.daemon.hellos.next()
        var generator = SystemRandomNumberGenerator()
        continuation = .random(using: &generator)
        let type = try ActivityType("com.example.reader.reading")
        _ = try await laptop.daemon.request(
            .continuation(.willContinue(continuation, type: type, originName: DisplayText(cleaning: "desktop"))))
        _ = try await laptop.daemon.request(
            .continuation(.continueActivity(continuation, ActivityState(type: type, supportsStreams: true))))
        activity = try await taker.activities.next()
    }

    /// The other app's end of a stream: its bytes and the messages about them.
    struct OtherApp: Sendable {
        let daemon: FakeDaemon
        let stream: StreamID
        let endpoint: StreamEndpoint

        /// Announces the end and ends: all sent bytes are complete.
        func end(after count: Int) {
            daemon.send(.streams(.streamEnded(StreamEnd(stream: stream, byteCount: UInt64(count)))))
            endpoint.endWriting()
        }

        /// The app's message about its own bytes.
        func endOfApp() async throws -> StreamEnd {
            let frame = try await daemon.frames.next()
            guard case .streams(.streamEnded(let end)) = frame.message else {
                throw FakeDaemon.Unexpected(frame: frame)
            }
            return end
        }
    }

    /// Answers the app's request with a ticket, and accepts the attach.
    func accept() async throws -> OtherApp {
        let frame = try await laptop.daemon.frames.next()
        guard frame.message == .streams(.openStream(continuation)) else { throw FakeDaemon.Unexpected(frame: frame) }
        var generator = SystemRandomNumberGenerator()
        let ticket = StreamTicket(stream: .random(using: &generator), token: .random(using: &generator))
        laptop.daemon.send(LocalFrame(.streams(.streamTicket(ticket)), answer: frame.request))
        let endpoint = try await laptop.daemon.attached.next()
        guard endpoint.token == ticket.token else { throw StreamEndpoint.Cut() }
        try endpoint.accept()
        return OtherApp(daemon: laptop.daemon, stream: ticket.stream, endpoint: endpoint)
    }

    /// Opens a stream of the app, and its other end.
    func open() async throws -> (AppStreams, OtherApp) {
        let came = Mailbox<AppStreams>()
        activity.getContinuationStreams { input, output, error in came.post(AppStreams(input, output, error)) }
        let other = try await accept()
        return (try await came.next(), other)
    }
}

private final class Taker: ContinuationHandler {
    let activities = Mailbox<NSUserActivity>()

    func willContinue(_ notice: ContinuationNotice, answer: @escaping @Sendable (WillContinueAnswer) -> Void) {
        answer(.hook(true))
    }

    func continueActivity(
        _ activity: NSUserActivity, of notice: ContinuationNotice, answer: @escaping @Sendable (Bool) -> Void
    ) {
        activities.post(activity)
        answer(true)
    }

    func didFail(_ notice: ContinuationNotice, error: CocoaError) {}
    func didUpdate(_ activity: NSUserActivity, done: @escaping @Sendable () -> Void) { done() }
}

/// The handler's arguments, on their way to the test. Unchecked: Foundation says that streams are not Sendable, but
/// these streams may be used on any thread, which the tests verify.
final class AppStreams: @unchecked Sendable {
    struct NoStreams: Error {}

    private let lock = Lock<Void>(())
    private var streams: (input: InputStream?, output: OutputStream?)
    let error: (any Error)?

    init(_ input: InputStream?, _ output: OutputStream?, _ error: (any Error)?) {
        streams = (input, output)
        self.error = error
    }

    var input: InputStream {
        get throws {
            guard let input = lock.withLock({ _ in Box(streams.input) }).value else { throw error ?? NoStreams() }
            return input
        }
    }

    var output: OutputStream {
        get throws {
            guard let output = lock.withLock({ _ in Box(streams.output) }).value else { throw error ?? NoStreams() }
            return output
        }
    }

    func dropInput() { lock.withLock { _ in streams.input = nil } }
    func dropOutput() { lock.withLock { _ in streams.output = nil } }

    private struct Box<Value>: @unchecked Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }
}

extension InputStream {
    /// Reads everything up to the end, blocking; throws the stream's error.
    func readAll(inPiecesOf size: Int = 4096) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: size)
        while true {
            let count = read(&buffer, maxLength: size)
            if count < 0 { throw streamError ?? AppStreams.NoStreams() }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }
}

extension OutputStream {
    /// Writes everything, blocking; throws the stream's error.
    func writeAll(_ bytes: [UInt8], inPiecesOf size: Int = 4096) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.prefix(size).withUnsafeBufferPointer { write($0.baseAddress!, maxLength: $0.count) }
            guard count > 0 else { throw streamError ?? AppStreams.NoStreams() }
            rest = rest.dropFirst(count)
        }
    }
}

/// More than a socket accepts without a reader.
let moreThanFits = [UInt8](repeating: 7, count: 8 << 20)

/// Bytes without short-range repetitions.
func noise(_ count: Int, seed: UInt8 = 1) -> [UInt8] {
    var state = UInt32(seed) &* 2_654_435_761 | 1
    return (0..<count).map { _ in
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
        return UInt8(truncatingIfNeeded: state)
    }
}
