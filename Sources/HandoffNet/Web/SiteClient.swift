// SPDX-License-Identifier: Apache-2.0

internal import AsyncHTTPClient
internal import Dispatch
internal import HandoffCore
internal import HandoffWire
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL

/// How async-http-client asks a site: one request over HTTPS to one address, on the loop, and nothing of its own accord:
/// no second attempt, no redirect, no compression, no proxy, no trace.
///
/// A client for each request, as the address of a name is part of its configuration.
enum SiteClient {
    /// The same on every device, in every version.
    static let userAgent = "Handoff"

    /// What clients end on. Dispatch's global queue, theirs otherwise, would wake an idle process from then on.
    private static let ending = DispatchQueue(label: "handoff.sites")

    /// There is no lookup but the one that gave `address`. `time` is for the connection, its handshake included.
    static func ask(
        _ fetch: SiteFetch, at address: SocketAddress, within time: Duration,
        in surroundings: SiteFetcher.Surroundings, on loop: any EventLoop, _ conversation: SiteConversation
    ) throws -> HTTPClient.Task<SiteAnswer> {
        let request = try HTTPClient.Request(fetch, port: surroundings.port)
        // What is no address in text would be looked up, like an interface that is gone.
        guard let address = NetworkAddress(address), address.socketAddress != nil else {
            throw SiteFailure(.unreachable, "it cannot be reached: there is no way to its address any more")
        }
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: try TLSConfiguration(roots: surroundings.roots), redirectConfiguration: .disallow,
            timeout: HTTPClient.Configuration.Timeout(connect: TimeAmount(time)), proxy: nil, decompression: .disabled)
        configuration.dnsOverride = [request.host: address.host]
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.tracing.tracer = nil
        configuration.http1_1ConnectionDebugInitializer = ByteBudget.limit
        let client = HTTPClient(eventLoopGroup: loop, configuration: configuration)
        let task = client.execute(request: request, delegate: conversation, eventLoop: .delegateAndChannel(on: loop))
        task.futureResult.whenComplete { _ in client.shutdown(queue: ending) { _ in } }
        return task
    }
}

extension HTTPClient.Request {
    fileprivate init(_ fetch: SiteFetch, port: Int) throws {
        let authority = port == 443 ? fetch.site.host.name : "\(fetch.site.host.name):\(port)"
        var headers: HTTPHeaders = [
            "Host": authority,
            "User-Agent": SiteClient.userAgent,
            "Accept": "application/json, application/pkcs7-mime",
            "Connection": "close",
        ]
        if let etag = fetch.etag { headers.add(name: "If-None-Match", value: etag) }
        try self.init(url: "https://\(authority)\(fetch.place.path)", headers: headers)
    }
}

extension TLSConfiguration {
    /// `roots` nil: the system's, which are read anew for each request, beside the loop. A few hundred of them in memory
    /// all week would serve nobody.
    fileprivate init(roots: [[UInt8]]?) throws {
        self = .makeClientConfiguration()
        minimumTLSVersion = .tlsv12
        shutdownTimeout = .seconds(1)
        if let roots {
            trustRoots = .certificates(try roots.map { try NIOSSLCertificate(bytes: $0, format: .der) })
        }
    }
}

/// So many bytes may come, whatever they mean.
private final class ByteBudget: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var left: Int

    private init(of bytes: Int) { left = bytes }

    /// Between TLS and HTTP. Where there is no TLS any more, the connection is closed already; a failure here is for a
    /// connection that the client would not know then.
    @Sendable static func limit(_ channel: any Channel) -> EventLoopFuture<Void> {
        let operations = channel.pipeline.syncOperations
        if let tls = try? operations.handler(type: NIOSSLClientHandler.self) {
            try? operations.addHandler(ByteBudget(of: SiteLimits.answerBytes), position: .after(tls))
        }
        return channel.eventLoop.makeSucceededVoidFuture()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        left -= unwrapInboundIn(data).readableBytes
        guard left >= 0 else { return context.fireErrorCaught(SiteFailure(.tooLarge, "its answer is too large")) }
        context.fireChannelRead(data)
    }
}
