// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL

/// One request and its answer, on a connection of its own. Told once how it went; closed then.
final class SiteConversation: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    /// The same on every device, in every version.
    static let userAgent = "Handoff"

    private let fetch: SiteFetch
    private let port: Int
    private var settled: ((Result<SiteAnswer, SiteFailure>) -> Void)?
    private var head: SiteHead?
    private var body: [UInt8] = []

    init(_ fetch: SiteFetch, port: Int, settled: @escaping (Result<SiteAnswer, SiteFailure>) -> Void) {
        self.fetch = fetch
        self.port = port
        self.settled = settled
    }

    /// TLS keeps it until the certificate was found good.
    func channelActive(context: ChannelHandlerContext) {
        var headers: HTTPHeaders = [
            "Host": port == 443 ? fetch.site.host.name : "\(fetch.site.host.name):\(port)",
            "User-Agent": Self.userAgent,
            "Accept": "application/json, application/pkcs7-mime",
            "Connection": "close",
        ]
        if let etag = fetch.etag { headers.add(name: "If-None-Match", value: etag) }
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: fetch.place.path, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard settled != nil else { return }
        do throws(SiteFailure) {
            switch unwrapInboundIn(data) {
            case .head(let head): try headReceived(SiteHead(head), on: context)
            case .body(let piece): try pieceReceived(piece)
            case .end: settle(.success(.file(file)), on: context)
            }
        } catch {
            settle(.failure(error), on: context)
        }
    }

    private func headReceived(_ head: SiteHead, on context: ChannelHandlerContext) throws(SiteFailure) {
        switch try head.verdict(askedWith: fetch.etag) {
        case .takeFile: self.head = head
        case .unchanged: settle(.success(.unchanged), on: context)
        }
    }

    private func pieceReceived(_ piece: ByteBuffer) throws(SiteFailure) {
        guard body.count + piece.readableBytes <= Limits.associationBytes else { throw SiteFailure.fileTooLarge }
        body.append(contentsOf: piece.readableBytesView)
    }

    private var file: SiteFile { SiteFile(bytes: body, contentType: head?.contentType, etag: head?.etag) }

    private func settle(_ result: Result<SiteAnswer, SiteFailure>, on context: ChannelHandlerContext) {
        guard let settled else { return }
        self.settled = nil
        settled(result)
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        settle(.failure(SiteFailure(explaining: error)), on: context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        settle(.failure(.hungUp), on: context)
        context.fireChannelInactive()
    }
}

/// So many bytes may come, whatever they mean.
final class ByteBudget: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var left: Int

    init(of bytes: Int) { left = bytes }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        left -= unwrapInboundIn(data).readableBytes
        guard left >= 0 else { return context.fireErrorCaught(SiteFailure(.tooLarge, "its answer is too large")) }
        context.fireChannelRead(data)
    }
}

extension SiteHead {
    fileprivate init(_ head: HTTPResponseHead) {
        func value(_ name: String) -> String? { head.headers.first(name: name) }
        self.init(
            status: Int(head.status.code), contentType: value("Content-Type"),
            contentEncoding: value("Content-Encoding"), contentLength: value("Content-Length").flatMap(Int.init),
            etag: value("ETag"))
    }
}

extension SiteFailure {
    fileprivate static let hungUp = SiteFailure(.malformed, "it hung up before its whole answer was here")

    /// What broke a connection, in words for people.
    init(explaining error: any Error) {
        switch error {
        case let failure as SiteFailure: self = failure
        case HTTPParserError.invalidEOFState: self = .hungUp
        case is HTTPParserError: self.init(.malformed, "it does not speak HTTP")
        case NIOSSLError.uncleanShutdown: self.init(.malformed, "its answer was cut off")
        case is NIOSSLExtraError: self.init(.badCertificate, "its certificate is for another host")
        case NIOSSLError.handshakeFailed(let cause) where "\(cause)".contains("CERTIFICATE_VERIFY_FAILED"):
            self.init(.badCertificate, "its certificate is expired, or of nobody whom this device trusts")
        default:
            let reason = Failure(.connectionUnavailable, explaining: error).reason
            self.init(.unreachable, "it cannot be reached: \(reason)")
        }
    }
}
