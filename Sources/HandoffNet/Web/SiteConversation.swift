// SPDX-License-Identifier: Apache-2.0

internal import AsyncHTTPClient
internal import HandoffCore
internal import HandoffWire
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL

/// What a site says to one request, on the loop: its head is judged before its body is taken, and no more of that than a
/// file may have.
final class SiteConversation: HTTPClientResponseDelegate {
    typealias Response = SiteAnswer

    private struct Course {
        /// The request went out; before, there was no connection.
        var isAsked = false
        var head: SiteHead?
        var body: [UInt8] = []
    }

    private let etag: String?
    private let course: NIOLoopBoundBox<Course>

    init(_ fetch: SiteFetch, on loop: any EventLoop) {
        etag = fetch.etag
        course = NIOLoopBoundBox(Course(), eventLoop: loop)
    }

    var isAsked: Bool { course.value.isAsked }

    func didSendRequestHead(task: HTTPClient.Task<SiteAnswer>, _ head: HTTPRequestHead) {
        course.value.isAsked = true
    }

    func didReceiveHead(task: HTTPClient.Task<SiteAnswer>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        let head = SiteHead(head)
        course.value.head = head
        return task.eventLoop.makeCompletedFuture { _ = try head.verdict(askedWith: etag) }
    }

    func didReceiveBodyPart(task: HTTPClient.Task<SiteAnswer>, _ piece: ByteBuffer) -> EventLoopFuture<Void> {
        guard course.value.body.count + piece.readableBytes <= Limits.associationBytes else {
            return task.eventLoop.makeFailedFuture(SiteFailure.fileTooLarge)
        }
        course.value.body.append(contentsOf: piece.readableBytesView)
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<SiteAnswer>) throws -> SiteAnswer {
        guard let head = course.value.head else { throw SiteFailure.hungUp }
        switch try head.verdict(askedWith: etag) {
        case .unchanged: return .unchanged
        case .takeFile:
            return .file(SiteFile(bytes: course.value.body, contentType: head.contentType, etag: head.etag))
        }
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
        case let error as HTTPClientError where error == .remoteConnectionClosed: self = .hungUp
        case HTTPParserError.invalidEOFState: self = .hungUp
        case is HTTPParserError: self.init(.malformed, "it does not speak HTTP")
        case NIOSSLError.uncleanShutdown: self.init(.malformed, "its answer was cut off")
        case is NIOSSLExtraError: self.init(.badCertificate, "its certificate is for another host")
        case NIOSSLError.handshakeFailed(let cause) where "\(cause)".contains("CERTIFICATE_VERIFY_FAILED"):
            self.init(.badCertificate, "its certificate is expired, or of nobody whom this device trusts")
        case NIOSSLError.failedToLoadCertificate:
            self.init(.unreachable, "the roots that this device trusts cannot be read")
        default:
            let reason = Failure(.connectionUnavailable, explaining: error).reason
            self.init(.unreachable, "it cannot be reached: \(reason)")
        }
    }
}
