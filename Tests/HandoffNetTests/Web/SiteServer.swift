// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

final class SiteServer: Sendable {
    struct Reply: Sendable {
        var status = 200
        var headers: [String: String] = [:]
        var body: [UInt8] = []
        /// Hangs up after the body, regardless of the declared length.
        var isCutOff = false
    }

    struct Request: Sendable {
        let method: String
        let path: String
        let headers: [String: String]
    }

    private struct Memory {
        var connections = 0
        var requests: [Request] = []
    }

    private let memory = Mutex(Memory())
    private let replies: [String: Reply]
    private let identity: SiteAuthority.Identity?
    private let listener = Mutex<(any Channel)?>(nil)

    /// Paths without a reply are never answered. Without an identity, there is no TLS.
    init(_ identity: SiteAuthority.Identity?, replies: [String: Reply] = [:]) {
        self.identity = identity
        self.replies = replies
    }

    var requests: [Request] { memory.withLock { $0.requests } }
    var connections: Int { memory.withLock { $0.connections } }

    /// Returns the port, on 127.0.0.1.
    func start() async throws -> Int {
        let channel = try await SiteAuthority.Identity.listen(as: identity) { [self] channel in
            memory.withLock { $0.connections += 1 }
            try channel.pipeline.syncOperations.configureHTTPServerPipeline()
            try channel.pipeline.syncOperations.addHandler(RequestHandler(server: self))
        }
        listener.withLock { $0 = channel }
        return channel.localAddress?.port ?? 0
    }

    func stop() { listener.withLock { $0 }?.close(promise: nil) }

    private final class RequestHandler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let server: SiteServer

        init(server: SiteServer) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let head) = unwrapInboundIn(data) else { return }
            let headers = Dictionary(head.headers.map { ($0.name, $0.value) }) { $0 + ", " + $1 }
            server.memory.withLock {
                $0.requests.append(Request(method: head.method.rawValue, path: head.uri, headers: headers))
            }
            guard let reply = server.replies[head.uri] else { return }
            let response = HTTPResponseHead(
                version: .http1_1, status: HTTPResponseStatus(statusCode: reply.status),
                headers: HTTPHeaders(reply.headers.map { ($0.key, $0.value) }))
            context.write(wrapOutboundOut(.head(response)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: reply.body)))), promise: nil)
            if reply.isCutOff { return context.close(promise: nil) }
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }

        /// Clients may hang up at any time.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
