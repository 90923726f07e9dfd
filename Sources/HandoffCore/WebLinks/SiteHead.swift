// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

package struct SiteHead: Hashable, Sendable {
    package enum Verdict: Hashable, Sendable {
        case takeFile
        case unchanged
    }

    package var status: Int
    package var contentType: String?
    package var contentEncoding: String?
    /// In bytes, if the site sent it.
    package var contentLength: Int?
    package var etag: String?

    package init(
        status: Int, contentType: String? = nil, contentEncoding: String? = nil, contentLength: Int? = nil,
        etag: String? = nil
    ) {
        self.status = status
        self.contentType = contentType
        self.contentEncoding = contentEncoding
        self.contentLength = contentLength
        self.etag = etag
    }

    /// `asked` is the ETag in the request.
    package func verdict(askedWith asked: String?) throws(SiteFailure) -> Verdict {
        switch status {
        case 200: break
        case 304:
            guard asked != nil else { throw SiteFailure(.malformed, "it answered 304 to a request without an ETag") }
            return .unchanged
        case 300..<400: throw SiteFailure(.redirected, "it redirects (\(status)), which is not followed")
        case 408, 425, 429, 500..<600: throw SiteFailure(.inTrouble, "it answered \(status)")
        case 201..<300, 400..<500: throw SiteFailure(.absent, "it has no such file (\(status))")
        default: throw SiteFailure(.malformed, "it answered \(status)")
        }
        if let encoding = contentEncoding?.lowercased(), !encoding.isEmpty, encoding != "identity" {
            throw SiteFailure(.encoded, "it sends the file compressed, although that was not requested")
        }
        if let length = contentLength, length > Limits.associationBytes { throw SiteFailure.fileTooLarge }
        return .takeFile
    }
}

extension SiteFailure {
    package static let fileTooLarge = SiteFailure(
        .tooLarge, "its file is larger than \(Limits.associationBytes / 1024) KiB")
}
