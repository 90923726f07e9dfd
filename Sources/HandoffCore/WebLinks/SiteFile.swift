// SPDX-License-Identifier: Apache-2.0

/// An `apple-app-site-association` as a site sent it. Nobody has read it yet: it may be anything.
package struct SiteFile: Hashable, Sendable {
    package enum Form: String, Sendable, CaseIterable {
        case json
        /// CMS, with the file within.
        case signed
    }

    /// What the site called it.
    package enum Label: String, Sendable, CaseIterable {
        case right
        case missing
        /// Another type, or not what the bytes look like.
        case wrong
    }

    /// At most `Limits.associationBytes`.
    package let bytes: [UInt8]
    package let form: Form
    package let label: Label
    /// To ask with next time, as it came.
    package let etag: String?

    package init(bytes: [UInt8], form: Form, label: Label, etag: String?) {
        self.bytes = bytes
        self.form = form
        self.label = label
        self.etag = etag
    }

    /// The type that the site gave counts where it is one of the two; else the first bytes say which it is.
    package init(bytes: [UInt8], contentType: String?, etag: String?) {
        // A sequence in DER or BER of any useful length; never the start of JSON.
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

    /// Visible ASCII, so that it can stand in a head and in a line.
    static func isUsable(etag: String) -> Bool {
        (1...SiteLimits.etagBytes).contains(etag.utf8.count) && etag.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
