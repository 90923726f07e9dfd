// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Logging
internal import NIOCore

/// Without descriptors or memory for another connection, the listening socket stays readable, and the loop would spin.
///
/// NIO's `AcceptBackoffHandler` delays reads, but after a failed accept NIO still waits for the previous read (2.101).
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    static let length = TimeAmount.seconds(1)
    static let logInterval = TimeAmount.seconds(60)

    private let log: Logger
    private var nextLine = NIODeadline.uptimeNanoseconds(0)

    init(log: Logger) { self.log = log }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        if NIODeadline.now() >= nextLine {
            nextLine = .now() + Self.logInterval
            log.error("Connections must wait", metadata: ["reason": "\(error)"])
        }
        let channel = context.channel
        channel.setOption(.autoRead, value: false)
            .whenSuccess {
                channel.eventLoop.scheduleTask(in: Self.length) { channel.setOption(.autoRead, value: true) }
            }
    }
}
