// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import HandoffNet

/// Shows X08: the limits and the end of a connection.
@Suite struct FrameConnectionTests {
    /// A connection on an embedded channel, and the events of its owner.
    private final class Line {
        let channel = EmbeddedChannel()
        private let counter = ReadCounter()
        var reads: Int { counter.reads }
        /// Answers each frame with itself.
        var answers = false
        var cost = TimeAmount.zero
        private var now = NIODeadline.uptimeNanoseconds(0)
        private(set) var connection: FrameConnection<LocalFrame>!
        private(set) var frames: [LocalFrame] = []
        private(set) var ends: [Failure?] = []

        init(queuedBytes: Int = 4 * 1024 * 1024, unreadBytes: Int = 256 * 1024) throws {
            var rules = FrameConnection<LocalFrame>.Rules(sending: .local, receiving: .local, lost: .appGone)
            rules.queuedBytes = queuedBytes
            rules.unreadBytes = unreadBytes
            connection = FrameConnection(
                channel: channel, rules: rules, now: { [unowned self] in now },
                log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                received: { [unowned self] frame in
                    frames.append(frame)
                    now = now + cost
                    if answers { connection.send(frame) }
                }, ended: { [unowned self] in ends.append($0) })
            try channel.pipeline.syncOperations.addHandler(counter)
            try channel.pipeline.syncOperations.addHandler(connection)
            try channel.connect(to: SocketAddress(unixDomainSocketPath: "/x")).wait()
        }

        func receive(_ frames: LocalFrame...) throws {
            for frame in frames {
                try channel.writeInbound(
                    ByteBuffer(bytes: FrameHeader.framed(frame.encoded(), limit: Limits.frameBytes)))
            }
        }

        func run() { channel.embeddedEventLoop.run() }
    }

    private final class ReadCounter: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        private(set) var reads = 0

        func read(context: ChannelHandlerContext) {
            reads += 1
            context.read()
        }
    }

    private let status = LocalFrame(.status(.getStatus), request: 7)

    @Test func aLongRequestToJoinIsRefusedByItsLength() throws {
        let channel = EmbeddedChannel()
        var ends: [Failure?] = []
        let connection = FrameConnection<EnrollMessage>(
            channel: channel, rules: .init(.enroll, own: .answerer, lost: .connectionUnavailable),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            received: { _ in Issue.record("a message was read") }, ended: { ends.append($0) })
        try channel.pipeline.syncOperations.addHandler(connection)
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/x")).wait()
        try channel.writeInbound(ByteBuffer(integer: UInt32(Limits.joinRequestBytes + 1)))
        channel.embeddedEventLoop.run()
        #expect(ends.map { $0?.code } == [.limitReached])
    }

    @Test func carriesFramesBothWays() throws {
        let line = try Line()
        try line.receive(status)
        #expect(line.frames == [status])
        line.connection.send(status)
        let sent = try #require(try line.channel.readOutbound(as: ByteBuffer.self))
        #expect(Array(sent.readableBytesView) == (try FrameHeader.framed(status.encoded(), limit: Limits.frameBytes)))
    }

    /// A status of a mebibyte, which exceeds a frame.
    private var endless: LocalMessage {
        var status = DaemonStatus()
        status.warnings = [String(repeating: "x", count: Limits.frameBytes)]
        return .status(.status(status))
    }

    @Test func answerThatDoesNotFitAFrameBecomesAFailure() throws {
        let line = try Line()
        line.connection.send(LocalFrame(endless, answer: 7))
        var sent = try #require(try line.channel.readOutbound(as: ByteBuffer.self))
        _ = sent.readInteger(as: UInt32.self)
        let frame = try LocalFrame(encoded: sent.readableBytesView)
        #expect(frame.answer == 7)
        #expect(frame.message == .failure(Failure(.limitReached, "")))
        // Also between devices.
        let peer = try #require(PeerFrame(.ping, answer: 9).replaced(by: Failure(.limitReached, "too long")))
        #expect(peer == PeerFrame(.failure(Failure(.limitReached, "too long")), answer: 9))
    }

    @Test func oversizedMessageWithoutRequestIsDropped() throws {
        let line = try Line()
        line.connection.send(LocalFrame(endless))
        #expect(try line.channel.readOutbound(as: ByteBuffer.self) == nil)
        line.connection.send(status)
        #expect(try line.channel.readOutbound(as: ByteBuffer.self) != nil)
        #expect(line.ends.isEmpty)
    }

    @Test func refusesALongFirstFrame() throws {
        let line = try Line()
        try line.channel.writeInbound(ByteBuffer(integer: UInt32(Limits.helloFrameBytes + 1)))
        line.run()
        #expect(line.ends == [Failure(.limitReached, "")])
        #expect(!line.channel.isActive)
    }

    @Test func takesALongFrameAfterTheFirst() throws {
        let line = try Line()
        try line.receive(status)
        try line.channel.writeInbound(ByteBuffer(integer: UInt32(Limits.helloFrameBytes + 1)))
        line.run()
        #expect(line.ends.isEmpty)
    }

    @Test func endsOnAMalformedMessage() throws {
        let line = try Line()
        try line.channel.writeInbound(ByteBuffer(bytes: [0, 0, 0, 2, 0xFF, 0xFF]))
        line.run()
        #expect(line.ends == [Failure(.malformed, "")])
    }

    @Test func saysThatTheLastFrameWasCut() throws {
        let line = try Line()
        try line.channel.writeInbound(ByteBuffer(bytes: [0, 0, 0, 9, 1]))
        try line.channel.close().wait()
        line.run()
        #expect(line.ends == [Failure(.appGone, "")])
    }

    // MARK: Peers that send much, and read nothing

    private func many(_ count: Int) throws -> ByteBuffer {
        let one = try FrameHeader.framed(status.encoded(), limit: Limits.frameBytes)
        return ByteBuffer(bytes: (0..<count).flatMap { _ in one })
    }

    /// Other connections run between two turns.
    @Test func takesAFewFramesInATurn() throws {
        let line = try Line()
        try line.channel.writeInbound(many(100))
        #expect(line.frames.count == 32)
        line.run()
        #expect(line.frames.count == 32)
        line.channel.embeddedEventLoop.advanceTime(by: .seconds(10))
        #expect(line.frames.count == 100)
    }

    /// 32 deltas of 128 offers each took 300 ms in one turn.
    @Test func aTurnTakesFewerExpensiveFrames() throws {
        for (cost, perTurn) in [(TimeAmount.milliseconds(9), 1), (.milliseconds(2), 3), (.microseconds(10), 32)] {
            let line = try Line()
            line.cost = cost
            try line.channel.writeInbound(many(100))
            #expect(line.frames.count == perTurn)
            // The pause is twice as long as the turn.
            let turn = cost * perTurn
            line.channel.embeddedEventLoop.advanceTime(by: max(turn * 2, .milliseconds(1)) - .nanoseconds(1))
            #expect(line.frames.count == perTurn)
            line.channel.embeddedEventLoop.advanceTime(by: .nanoseconds(1))
            #expect(line.frames.count == 2 * perTurn)
            line.channel.embeddedEventLoop.advanceTime(by: .seconds(100))
            #expect(line.frames.count == 100)
        }
        let rules = FrameConnection<LocalFrame>.Rules(sending: .local, receiving: .local, lost: .appGone)
        #expect(rules.turnTime == .milliseconds(5))
    }

    @Test func readsNoFurtherWhileFramesWaitForTheirTurn() throws {
        let line = try Line()
        try line.channel.writeInbound(many(40))
        let reads = line.reads
        line.channel.read()
        #expect(line.reads == reads)
        line.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(line.reads == reads + 1)
    }

    @Test func framesBeforeTheEndAreAllDelivered() throws {
        let line = try Line()
        try line.channel.writeInbound(many(100))
        try line.channel.close().wait()
        #expect(line.ends.isEmpty)
        for _ in 0..<4 { line.channel.embeddedEventLoop.advanceTime(by: .seconds(1)) }
        #expect(line.frames.count == 100)
        #expect(line.ends == [nil])
    }

    /// One write for the answers of a turn.
    @Test func answersOfATurnLeaveTogether() throws {
        let line = try Line()
        line.answers = true
        try line.channel.writeInbound(many(20))
        let sent = try #require(try line.channel.readOutbound(as: ByteBuffer.self))
        #expect(try line.channel.readOutbound(as: ByteBuffer.self) == nil)
        #expect(sent.readableBytes == (try many(20).readableBytes))
    }

    /// Shows X13.
    @Test func stopsReadingFromAPeerThatDoesNotRead() throws {
        let line = try Line(unreadBytes: 1000)
        line.answers = true
        line.channel.isWritable = false
        try line.channel.writeInbound(many(5000))
        for _ in 0..<200 { line.channel.embeddedEventLoop.advanceTime(by: .seconds(1)) }
        let answered = line.frames.count
        #expect(answered * (try many(1).readableBytes) < 1000 + 33 * (try many(1).readableBytes))
        #expect(line.ends.isEmpty)
        let reads = line.reads
        line.channel.read()
        #expect(line.reads == reads)
        line.channel.isWritable = true
        line.channel.pipeline.fireChannelWritabilityChanged()
        for _ in 0..<200 { line.channel.embeddedEventLoop.advanceTime(by: .seconds(1)) }
        #expect(line.frames.count == 5000)
        #expect(line.reads == reads + 1)
        var sent = 0
        while let bytes = try line.channel.readOutbound(as: ByteBuffer.self) { sent += bytes.readableBytes }
        #expect(sent == (try many(5000).readableBytes))
    }

    @Test func endsInGoodOrderWithoutAFailure() throws {
        let line = try Line()
        try line.receive(status)
        try line.channel.close().wait()
        line.run()
        #expect(line.ends == [nil])
    }

    @Test func tellsTheEndOnceAndNotFromWithinACall() throws {
        let line = try Line()
        line.connection.cut(Failure(.cancelled, "enough"))
        #expect(line.ends.isEmpty)
        line.run()
        line.connection.close()
        line.connection.cut(nil)
        line.run()
        #expect(line.ends == [Failure(.cancelled, "")])
    }

    @Test func sendsWhatWasQueuedBeforeItCloses() throws {
        let line = try Line()
        line.connection.send(status)
        line.connection.close()
        line.connection.send(status)
        line.run()
        #expect(try line.channel.readOutbound(as: ByteBuffer.self) != nil)
        #expect(try line.channel.readOutbound(as: ByteBuffer.self)?.readableBytes ?? 0 == 0)
        #expect(line.ends == [nil])
    }

    @Test func deliversNothingAfterItsOwnerClosed() throws {
        let line = try Line()
        line.connection.close()
        try? line.receive(status)
        #expect(line.frames.isEmpty)
    }
}
