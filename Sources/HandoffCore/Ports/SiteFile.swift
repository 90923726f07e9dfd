// SPDX-License-Identifier: Apache-2.0

import HandoffWire

/// An unchecked `apple-app-site-association`.
package struct SiteFile: Hashable, Sendable {
    package enum Form: String, Sendable, CaseIterable {
        case json
        /// A CMS message with the file.
        case signed
    }

    package enum Label: String, Sendable, CaseIterable {
        case right
        case missing
        /// Another type, or contradicts the bytes.
        case wrong
    }

    /// At most `Limits.associationBytes`.
    package let bytes: [UInt8]
    package let form: Form
    package let label: Label
    package let etag: String?

    package init(bytes: [UInt8], form: Form, label: Label, etag: String?) {
        self.bytes = bytes
        self.form = form
        self.label = label
        self.etag = etag
    }

    /// By a known content type, otherwise by the first bytes.
    package init(bytes: [UInt8], contentType: String?, etag: String?) {
        // A DER or BER sequence of plausible length; JSON never starts like this.
        let looksSigned = bytes.count > 1 && bytes[0] == 0x30 && bytes[1] >= 0x80
        let type = contentType?.prefix { $0 != ";" }.split(separator: " ").joined().lowercased()
        let (form, label): (Form, Label) =
            switch type {
            case "application/json": (.json, looksSigned ? .wrong : .right)
            case "application/pkcs7-mime": (.signed, looksSigned ? .right : .wrong)
            case nil, "": (looksSigned ? .signed : .json, .missing)
            default: (looksSigned ? .signed : .json, .wrong)
            }
        self.init(bytes: bytes, form: form, label: label, etag: etag.flatMap { Self.isUsable(etag: $0) ? $0 : nil })
    }

    /// Visible ASCII, which fits into an HTTP header and a line.
    package static func isUsable(etag: String) -> Bool {
        (1...SiteLimits.etagBytes).contains(etag.utf8.count) && etag.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

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
