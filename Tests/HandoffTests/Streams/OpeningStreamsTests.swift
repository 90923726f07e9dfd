// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffClient
import HandoffWire
import Testing

@testable import Handoff

@Suite struct OpeningStreamsTests {
    private func code(_ error: (any Error)?) -> CocoaError.Code? { (error as? CocoaError)?.code }

    // Shows A33, C02.
    @Test func streamsArriveConnectedAndNotOpen() async throws {
        let app = try await StreamingApp()
        let (streams, other) = try await app.open()
        #expect(streams.error == nil)
        let (input, output) = (try streams.input, try streams.output)
        #expect(input.streamStatus == .notOpen)
        #expect(output.streamStatus == .notOpen)
        #expect(!input.hasBytesAvailable)
        #expect(!output.hasSpaceAvailable)
        var byte: UInt8 = 1
        #expect(input.read(&byte, maxLength: 1) == -1)
        #expect(output.write(&byte, maxLength: 1) == -1)
        input.open()
        output.open()
        #expect(input.streamStatus == .open)
        #expect(output.streamStatus == .open)
        #expect(output.hasSpaceAvailable)
        _ = other
    }

    // Shows A34.
    @Test func theAsyncFormGivesTheSame() async throws {
        let app = try await StreamingApp()
        let activity = app.activity
        async let sent = { try await app.accept() }()
        let (input, output) = try await activity.continuationStreams()
        let other = try await sent
        try await output.write(Data("a question".utf8))
        output.close()
        #expect(try await other.endpoint.receive() == Array("a question".utf8))
        try other.endpoint.sendNow(Array("an answer".utf8))
        other.end(after: 9)
        var answer = Data()
        for try await chunk in input.chunks { answer += chunk }
        #expect(answer == Data("an answer".utf8))
    }

    // Shows A33, A34.
    @Test func onlyADeliveredActivityHasThem() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        activity.supportsContinuationStreams = true
        let answers = Mailbox<AppStreams>()
        activity.getContinuationStreams { answers.post(AppStreams($0, $1, $2)) }
        let error = try await answers.next().error
        #expect(code(error) == .featureUnsupported)
        #expect(error?.localizedDescription.contains("delivered") == true)
        do {
            _ = try await activity.continuationStreams()
            Issue.record("there are streams")
        } catch {
            #expect(code(error) == .featureUnsupported)
        }
        let isAsked = laptop.daemon.frames.waiting.contains { frame in
            if case .streams(.openStream) = frame.message { true } else { false }
        }
        #expect(!isAsked)
    }

    // Shows C01.
    @Test(arguments: [
        (Failure.Code.noStreams, CocoaError.Code.featureUnsupported), (.unimplemented, .featureUnsupported),
        (.appTimedOut, .userActivityRemoteApplicationTimedOut),
        (.connectionUnavailable, .userActivityConnectionUnavailable), (.activityGone, .userActivityHandoffFailed),
        (.appGone, .userActivityHandoffFailed), (.limitReached, .userActivityHandoffFailed),
    ]) func aRefusalIsReportedAtOnce(_ refused: Failure.Code, _ told: CocoaError.Code) async throws {
        let app = try await StreamingApp()
        let answers = Mailbox<AppStreams>()
        app.activity.getContinuationStreams { answers.post(AppStreams($0, $1, $2)) }
        let request = try await app.laptop.daemon.frames.next()
        app.laptop.daemon.send(LocalFrame(.failure(Failure(refused, "for that reason")), answer: request.request))
        let answer = try await answers.next()
        #expect(code(answer.error) == told)
        #expect(answer.error?.localizedDescription.contains("for that reason") == true)
        // The activity is unchanged, and streams may be requested again.
        let (streams, _) = try await app.open()
        #expect(streams.error == nil)
    }

    // Shows C01.
    @Test func aRefusedAttachIsTheHandlersError() async throws {
        let app = try await StreamingApp()
        let answers = Mailbox<AppStreams>()
        app.activity.getContinuationStreams { answers.post(AppStreams($0, $1, $2)) }
        let request = try await app.laptop.daemon.frames.next()
        var generator = SystemRandomNumberGenerator()
        let ticket = StreamTicket(stream: .random(using: &generator), token: .random(using: &generator))
        app.laptop.daemon.send(LocalFrame(.streams(.streamTicket(ticket)), answer: request.request))
        try await app.laptop.daemon.attached.next().answer(
            .failure(Failure(.appTimedOut, "the other app did not come")))
        #expect(code(try await answers.next().error) == .userActivityRemoteApplicationTimedOut)
    }

    // Shows C05.
    @Test func aKilledDaemonIsReportedToTheHandler() async throws {
        let app = try await StreamingApp()
        let answers = Mailbox<AppStreams>()
        app.activity.getContinuationStreams { answers.post(AppStreams($0, $1, $2)) }
        _ = try await app.laptop.daemon.frames.next()
        app.laptop.daemon.kill()
        #expect(code(try await answers.next().error) == .userActivityConnectionUnavailable)
        // Without a daemon, the error comes at once.
        app.activity.getContinuationStreams { answers.post(AppStreams($0, $1, $2)) }
        #expect(code(try await answers.next().error) == .userActivityConnectionUnavailable)
    }

    // Shows C03.
    @Test func severalStreamsOfOneActivityAreApart() async throws {
        let app = try await StreamingApp()
        var opened: [(AppStreams, StreamingApp.OtherApp)] = []
        for _ in 0..<8 { opened.append(try await app.open()) }
        for (index, (streams, other)) in opened.enumerated() {
            try other.endpoint.sendNow(noise(100, seed: UInt8(index + 1)))
            other.end(after: 100)
            try streams.input.open()
        }
        for (index, (streams, _)) in opened.enumerated() {
            #expect(try await blocking { try streams.input.readAll() } == noise(100, seed: UInt8(index + 1)))
        }
    }

    // MARK: The origin

    private final class Server: NSObject, NSUserActivityDelegate, Sendable {
        let received = Mailbox<AppStreams>()

        func userActivity(
            _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
        ) {
            received.post(AppStreams(inputStream, outputStream, nil))
        }
    }

    private func wanted(_ activity: NSUserActivity) -> StreamWanted {
        var generator = SystemRandomNumberGenerator()
        return StreamWanted(
            activity: activity.record.id, continuation: .random(using: &generator),
            ticket: StreamTicket(stream: .random(using: &generator), token: .random(using: &generator)),
            deviceName: DisplayText(cleaning: "desktop"))
    }

    // Shows D04, C02, C03.
    @Test func theDelegateIsGivenStreamsThatAreConnectedAndNotOpen() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        let server = Server()
        activity.delegate = server
        activity.supportsContinuationStreams = true
        let wanted = wanted(activity)
        #expect(try await laptop.daemon.request(.streams(.streamWanted(wanted))) == .done(accepted: true))
        let endpoint = try await laptop.daemon.attached.next()
        #expect(endpoint.token == wanted.ticket.token)
        #expect(server.received.waiting.isEmpty)
        try endpoint.accept()
        let streams = try await server.received.next()
        let (input, output) = (try streams.input, try streams.output)
        #expect(input.streamStatus == .notOpen)
        #expect(output.streamStatus == .notOpen)
        input.open()
        output.open()
        try endpoint.sendNow(Array("draw".utf8))
        laptop.daemon.send(.streams(.streamEnded(StreamEnd(stream: wanted.ticket.stream, byteCount: 4))))
        endpoint.endWriting()
        #expect(try await blocking { try streams.input.readAll() } == Array("draw".utf8))
        try output.writeAll(Array("a line".utf8))
        output.close()
        #expect(try await endpoint.receive() == Array("a line".utf8))
    }

    // Shows A21, C01, C04: with the daemon's own message for unsupported streams.
    @Test func appWithoutStreamsRefusesWithTheDaemonsMessage() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        let server = Server()
        #expect(try await refusal(of: activity, laptop) == Failure.streamsNotSupported.reason)
        activity.supportsContinuationStreams = true
        #expect(try await refusal(of: activity, laptop) == Failure.streamsNotSupported.reason)
        activity.delegate = server
        #expect(try await laptop.daemon.request(.streams(.streamWanted(wanted(activity)))) == .done(accepted: true))
        // The latest value applies, in both directions.
        activity.supportsContinuationStreams = false
        #expect(try await refusal(of: activity, laptop) == Failure.streamsNotSupported.reason)
        activity.invalidate()
        let answer = try await laptop.daemon.request(.streams(.streamWanted(wanted(activity))))
        #expect(answer == .failure(Failure(.activityGone, "")))
    }

    private func refusal(of activity: NSUserActivity, _ laptop: Laptop) async throws -> String {
        guard case .failure(let failure) = try await laptop.daemon.request(.streams(.streamWanted(wanted(activity))))
        else {
            return ""
        }
        #expect(failure.code == .noStreams)
        return failure.reason
    }

    // Shows D04.
    @Test func aDelegateWithoutTheMethodEndsThemAtOnce() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        let editor = Editor()
        activity.delegate = editor
        activity.supportsContinuationStreams = true
        let wanted = wanted(activity)
        #expect(try await laptop.daemon.request(.streams(.streamWanted(wanted))) == .done(accepted: true))
        let endpoint = try await laptop.daemon.attached.next()
        try endpoint.accept()
        #expect(try await endpoint.receive() == [])
    }
}
