// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import HandoffNet

/// Shows X08: what a connection takes and how it ends.
@Suite struct FrameConnectionTests {
    /// A connection on an embedded channel, and what its owner was told.
    private final class Line {
        let channel = EmbeddedChannel()
        private(set) var connection: FrameConnection<LocalFrame>!
        private(set) var frames: [LocalFrame] = []
        private(set) var ends: [Failure?] = []

        init(queuedBytes: Int = 4 * 1024 * 1024) throws {
            var rules = FrameConnection<LocalFrame>.Rules(lost: .appGone)
            rules.queuedBytes = queuedBytes
            connection = FrameConnection(
                channel: channel, rules: rules, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                received: { [unowned self] in frames.append($0) }, ended: { [unowned self] in ends.append($0) })
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

    private let status = LocalFrame(.status(.getStatus), request: 7)

    @Test func carriesFramesBothWays() throws {
        let line = try Line()
        try line.receive(status)
        #expect(line.frames == [status])
        line.connection.send(status)
        let sent = try #require(try line.channel.readOutbound(as: ByteBuffer.self))
        #expect(Array(sent.readableBytesView) == (try FrameHeader.framed(status.encoded(), limit: Limits.frameBytes)))
    }

    /// A status of a mebibyte: more than a frame.
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
        // Between devices too.
        let peer = try #require(PeerFrame(.ping, answer: 9).replaced(by: Failure(.limitReached, "too long")))
        #expect(peer == PeerFrame(.failure(Failure(.limitReached, "too long")), answer: 9))
    }

    @Test func whatNobodyWaitsForIsDroppedIfItDoesNotFit() throws {
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

    @Test func endsOnBytesThatAreNoMessage() throws {
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
