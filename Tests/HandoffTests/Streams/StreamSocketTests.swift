// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffClient
import HandoffWire
import Testing

@Suite struct StreamSocketTests {
    private let token: StreamToken = {
        var generator = SystemRandomNumberGenerator()
        return .random(using: &generator)
    }()

    private func failure(_ body: @escaping @Sendable () throws -> Void) async -> Failure? {
        do {
            try await blocking(body)
            return nil
        } catch {
            return error as? Failure
        }
    }

    @Test func bytesFollowTheAnswerAtOnce() async throws {
        let laptop = try Laptop()
        let (token, locations) = (token, laptop.locations)
        async let read = blocking {
            let socket = try StreamSocket.attach(token, to: locations, timeout: .seconds(30))
            var buffer = [UInt8](repeating: 0, count: 16)
            var text: [UInt8] = []
            while case .moved(let count) = buffer.withUnsafeMutableBytes({ socket.read(into: $0, until: nil) }) {
                text += buffer[..<count]
            }
            _ = Array("thanks".utf8).withUnsafeBytes { socket.writeAll($0, until: nil) }
            socket.endWriting()
            return String(decoding: text, as: UTF8.self)
        }
        let endpoint = try await laptop.daemon.attached.next()
        #expect(endpoint.token == token)
        // In one piece with the answer: no byte of the stream may be taken for it.
        try endpoint.answer(.done(accepted: true), and: Array("a drawing of some size".utf8))
        endpoint.endWriting()
        #expect(try await read == "a drawing of some size")
        #expect(try await endpoint.receive() == Array("thanks".utf8))
    }

    @Test func aRefusalIsThrown() async throws {
        let laptop = try Laptop()
        let (token, locations) = (token, laptop.locations)
        async let failure = failure { _ = try StreamSocket.attach(token, to: locations, timeout: .seconds(30)) }
        try await laptop.daemon.attached.next().answer(.failure(Failure(.noStreams, "nobody takes them")))
        #expect(await failure == Failure(.noStreams, ""))
    }

    @Test func aDaemonThatDoesNotAnswerIsGivenUp() async throws {
        let laptop = try Laptop()
        let (token, locations) = (token, laptop.locations)
        async let failure = failure { _ = try StreamSocket.attach(token, to: locations, timeout: .milliseconds(200)) }
        let endpoint = try await laptop.daemon.attached.next()
        #expect(await failure == Failure(.connectionUnavailable, ""))
        withExtendedLifetime(endpoint) {}
    }

    @Test func aDaemonThatIsGoneOrSpeaksOtherwiseIsAnError() async throws {
        let nowhere = try Laptop(startingDaemon: false)
        let (token, locations) = (token, nowhere.locations)
        #expect(
            await failure { _ = try StreamSocket.attach(token, to: locations) } == Failure(.connectionUnavailable, ""))

        let laptop = try Laptop()
        let here = laptop.locations
        async let first = failure { _ = try StreamSocket.attach(token, to: here) }
        try await laptop.daemon.attached.next().sendNow([0xff, 0xff, 0xff, 0xff, 1, 2, 3])
        #expect(await first == Failure(.malformed, ""))
        async let second = failure { _ = try StreamSocket.attach(token, to: here) }
        try await laptop.daemon.attached.next().answer(.status(.status(DaemonStatus())))
        #expect(await second == Failure(.malformed, ""))
        async let third = failure { _ = try StreamSocket.attach(token, to: here) }
        try await laptop.daemon.attached.next().cut()
        #expect(await third == Failure(.connectionUnavailable, ""))
    }

    @Test func eachDirectionEndsIndependently() async throws {
        let (descriptor, endpoint) = StreamEndpoint.pair()
        let socket = StreamSocket(adopting: descriptor)
        socket.endWriting()
        #expect(try await endpoint.receive() == [])
        try endpoint.sendNow([1, 2, 3])
        var buffer = [UInt8](repeating: 0, count: 8)
        #expect(buffer.withUnsafeMutableBytes { socket.read(into: $0) } == .moved(3))
        #expect(buffer.withUnsafeMutableBytes { socket.read(into: $0) } == .wouldBlock)
        let mayRead = socket.isReady(for: .reading)
        #expect(!mayRead)
        #expect(buffer.withUnsafeMutableBytes { socket.read(into: $0, until: .now + .milliseconds(1)) } == .wouldBlock)
        endpoint.endWriting()
        let hasEnded = socket.wait(for: .reading)
        #expect(hasEnded)
        #expect(buffer.withUnsafeMutableBytes { socket.read(into: $0) } == .ended)
        #expect(buffer.withUnsafeBytes { socket.write($0) } == .ended)
    }

    @Test func aReaderThatStopsHoldsTheWriterBack() throws {
        let (descriptor, endpoint) = StreamEndpoint.pair()
        let socket = StreamSocket(adopting: descriptor)
        let block = [UInt8](repeating: 7, count: 1 << 20)
        #expect(block.withUnsafeBytes { socket.writeAll($0, until: .now + .milliseconds(10)) } == .wouldBlock)
        let mayWrite = socket.isReady(for: .writing)
        #expect(!mayWrite)
        endpoint.cut()
        #expect(block.withUnsafeBytes { socket.writeAll($0, until: nil) } == .ended)
    }
}

@Suite struct StreamArrivalTests {
    private let stream: StreamID = {
        var generator = SystemRandomNumberGenerator()
        return .random(using: &generator)
    }()

    @Test(arguments: [true, false]) func theEndIsBothTheBytesAndTheWord(wordFirst: Bool) {
        var arrival = StreamArrival()
        arrival.received(3)
        arrival.received(4)
        let word = StreamEnd(stream: stream, byteCount: 7)
        if wordFirst { arrival.wordCame(word) } else { arrival.bytesEnded() }
        #expect(arrival.ending == nil)
        #expect(arrival.isWaitingForWord == !wordFirst)
        if wordFirst { arrival.bytesEnded() } else { arrival.wordCame(word) }
        #expect(arrival.ending == .complete)
        // Later messages do not change it.
        arrival.wordLost()
        arrival.wordCame(StreamEnd(stream: stream, byteCount: 8))
        #expect(arrival.ending == .complete)
    }

    @Test func anotherCountIsACut() {
        for count in [6, 8] as [UInt64] {
            var arrival = StreamArrival()
            arrival.received(7)
            arrival.wordCame(StreamEnd(stream: stream, byteCount: count))
            arrival.bytesEnded()
            #expect(arrival.ending == .cut(Failure(.streamCut, "")))
        }
    }

    @Test func aFailureIsACutDespiteCompleteBytes() {
        var arrival = StreamArrival()
        arrival.received(7)
        arrival.wordCame(StreamEnd(stream: stream, byteCount: 7, failure: Failure(.deviceLost, "the device is gone")))
        #expect(arrival.ending == .cut(Failure(.deviceLost, "")))
        arrival.bytesEnded()
        #expect(arrival.ending == .cut(Failure(.deviceLost, "")))
    }

    @Test func withoutTheWordItIsACut() {
        var arrival = StreamArrival()
        arrival.bytesEnded()
        #expect(arrival.ending == nil)
        arrival.wordLost()
        #expect(arrival.ending == .cut(Failure(.streamCut, "")))
        #expect(!arrival.isWaitingForWord)
    }
}
