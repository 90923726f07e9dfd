// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffSystem
import NIOCore
import NIOPosix
import Testing

@testable import HandoffNet

@Suite(.timeLimit(.minutes(1))) struct LoopGateTests {
    let loop = MultiThreadedEventLoopGroup.singleton.next()

    @Test func callsRunInOrder() async throws {
        let gate = LoopGate(to: loop)
        let (numbers, calls) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<1000 { gate.pass { calls.yield(number) } }
        gate.pass { calls.finish() }
        #expect(await numbers.reduce(into: []) { $0.append($1) } == Array(0..<1000))
    }

    @Test func closedGateRunsNothing() async throws {
        let calls = Lock(0)
        let gate = LoopGate(to: loop)
        gate.pass { calls.withLock { $0 += 1 } }
        gate.close()
        gate.pass { calls.withLock { $0 += 1 } }
        gate.close()
        // After the gate's own task.
        try await loop.submit {}.get()
        #expect(calls.withLock { $0 } == 1)
    }

    /// As by a document: each job's outcome begins the next job, whose outcome is there before the loop is idle.
    @Test func loopReadsItsSocketsWhileThreadsKeepItBusy() async throws {
        let gate = LoopGate(to: loop)
        let hasRead = Lock(false)
        @Sendable func callAgain() { if !hasRead.withLock({ $0 }) { gate.pass(callAgain) } }
        let (input, output) = try Self.pipe()
        let channel = try await NIOPipeBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ReadFlag { hasRead.withLock { $0 = true } })
                }
            }
            .takingOwnershipOfDescriptor(input: input).get()
        gate.pass {
            callAgain()
            _ = write(output, [1], 1)
        }
        try await channel.closeFuture.get()
        close(output)
        #expect(hasRead.withLock { $0 })
    }

    private static func pipe() throws -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }
}

private final class ReadFlag: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let raise: () -> Void

    init(_ raise: @escaping () -> Void) { self.raise = raise }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        raise()
        context.close(promise: nil)
    }
}
