// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffNet
import HandoffSystem
import Logging
import NIOCore
import NIOPosix

enum StopSignals {
    /// The result succeeds on the loop, at the first SIGTERM or SIGINT.
    static func trap(on loop: any EventLoop) throws -> EventLoopFuture<Void> {
        let descriptor = try SignalPipe.open([SIGTERM, SIGINT])
        let signalled = loop.makePromise(of: Void.self)
        _ = NIOPipeBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Reader(signalled))
                }
            }
            .takingOwnershipOfDescriptor(input: descriptor)
        return signalled.futureResult
    }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let signalled: EventLoopPromise<Void>

        init(_ signalled: EventLoopPromise<Void>) { self.signalled = signalled }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { signalled.succeed() }
        /// The loop is shut down, perhaps without a signal.
        func handlerRemoved(context: ChannelHandlerContext) { signalled.fail(ChannelError.alreadyClosed) }
    }
}

struct SupervisorReports: Sendable {
    private let supervisor: Supervisor
    private let loop: any EventLoop
    private let log: Logger

    init(_ supervisor: Supervisor, on loop: any EventLoop, log: Logger) {
        self.supervisor = supervisor
        self.loop = loop
        self.log = log
    }

    /// From now on, the loop reports that it is alive, twice per watchdog interval.
    func ready() {
        tell("ready") { () throws(SystemError) in try supervisor.ready() }
        guard let watchdog = supervisor.watchdog else { return }
        let half = TimeAmount(watchdog / 2)
        loop.scheduleRepeatedTask(initialDelay: half, delay: half) { _ in
            tell("alive") { () throws(SystemError) in try supervisor.alive() }
        }
    }

    func stopping() { tell("stopping") { () throws(SystemError) in try supervisor.stopping() } }

    /// The daemon works even if a report fails.
    private func tell(_ what: String, _ say: () throws(SystemError) -> Void) {
        do throws(SystemError) {
            try say()
        } catch {
            log.warning(
                "The service manager could not be notified", metadata: ["what": "\(what)", "reason": "\(error)"])
        }
    }
}
