// SPDX-License-Identifier: Apache-2.0

package import HandoffSystem
package import NIOCore
internal import NIOPosix

/// When the clock is set or the machine wakes up, the kernel cancels a timer of the wall clock.
package final class ClockWatch {
    private let loop: any EventLoop
    private let changed: () -> Void
    private var channel: (any Channel)?
    private var started = NIODeadline.distantPast
    private var isStopped = false

    /// A kernel that cancels each timer at once then costs little.
    static let pause = TimeAmount.seconds(1)

    /// `changed` is called on the loop.
    package init(on loop: any EventLoop, changed: @escaping () -> Void) {
        self.loop = loop
        self.changed = changed
    }

    package func start() throws(SystemError) {
        let timer = try ClockTimer.open()
        started = .now()
        let watch = NIOLoopBound(self, eventLoop: loop)
        NIOPipeBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Reader(watch.value))
                }
            }
            .takingOwnershipOfDescriptor(input: timer)
            .assumeIsolated().whenSuccess { channel in watch.value.channel = channel }
    }

    package func stop() {
        isStopped = true
        channel?.close(promise: nil)
        channel = nil
    }

    /// The cancelled timer cannot be read, which closes the channel.
    private func cancelled() {
        guard channel != nil else { return }
        channel = nil
        changed()
        if .now() - started >= Self.pause { restart() } else { restartLater() }
    }

    private func restartLater() {
        let watch = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(in: Self.pause) {
            guard !watch.value.isStopped else { return }
            watch.value.changed()
            watch.value.restart()
        }
    }

    private func restart() {
        do throws(SystemError) { try start() } catch { restartLater() }
    }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private weak var watch: ClockWatch?

        init(_ watch: ClockWatch) { self.watch = watch }

        func channelInactive(context: ChannelHandlerContext) { watch?.cancelled() }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
