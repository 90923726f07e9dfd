// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffNet
import HandoffSystem
import Logging
import NIOCore
import NIOPosix

/// Reports SIGTERM and SIGINT on the loop. The signal handler, which may do very little, writes a byte into a pipe that
/// the loop reads. Started programs get the default handlers.
enum StopSignals {
    /// The pipe's writing end. Set once, before the handlers.
    nonisolated(unsafe) private static var pipe: Int32 = -1

    /// The result succeeds on the loop, at the first signal.
    static func trap(on loop: any EventLoop) throws -> EventLoopFuture<Void> {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else {
            throw StartError("cannot create a pipe for signals: \(String(cString: strerror(errno)))")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        pipe = ends[1]
        let signalled = loop.makePromise(of: Void.self)
        _ = NIOPipeBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Reader(signalled))
                }
            }
            .takingOwnershipOfDescriptor(input: ends[0])
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        for number in [SIGTERM, SIGINT] {
            signal(number) { _ in
                var byte: UInt8 = 0
                write(StopSignals.pipe, &byte, 1)
            }
            sigaddset(&unblocked, number)
        }
        // The parent may have blocked them.
        pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
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

/// Why the daemon cannot start, for causes without a more specific error.
struct StartError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Reports to the service manager, on the daemon's loop.
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
