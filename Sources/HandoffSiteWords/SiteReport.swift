// SPDX-License-Identifier: Apache-2.0

/// What the program that asks web sites has to say, once.
package enum SiteReport: Hashable, Sendable {
    /// What a site answered. The daemon judges it.
    case answered(Answer)
    case failed(Problem, reason: String)

    /// As it came: nobody has looked at it but for its length.
    package struct Answer: Hashable, Sendable {
        package var status: UInt32
        package var contentType: String?
        package var contentEncoding: String?
        /// What the site said, in digits or not.
        package var contentLength: String?
        package var etag: String?
        /// Empty where the head says that no file comes.
        package var body: [UInt8]

        package init(
            status: UInt32, contentType: String? = nil, contentEncoding: String? = nil, contentLength: String? = nil,
            etag: String? = nil, body: [UInt8] = []
        ) {
            self.status = status
            self.contentType = contentType
            self.contentEncoding = contentEncoding
            self.contentLength = contentLength
            self.etag = etag
            self.body = body
        }
    }

    package enum Problem: UInt32, Sendable, CaseIterable {
        case nameUnknown = 1
        case privateAddress
        case unreachable
        case timedOut
        case badCertificate
        /// Cut off, or not HTTP.
        case malformed
        /// The file alone.
        case fileTooLarge
        /// With its head, and what stands between its pieces.
        case answerTooLarge
    }

    /// What may stand around the body, bytes. Longer heads of sites end here.
    package static let bytesAroundBody = 16 * 1024

    package var encoded: [UInt8] {
        var writer = WordWriter()
        switch self {
        case .answered(let answer):
            writer.put(0)
            writer.put(answer.status)
            for text in [answer.contentType, answer.contentEncoding, answer.contentLength, answer.etag] {
                writer.put(optional: text)
            }
            writer.put(answer.body)
        case .failed(let problem, let reason):
            writer.put(problem.rawValue)
            writer.put(text: reason)
        }
        return writer.bytes
    }

    /// nil: it is none, or of another version of Handoff.
    package init?(_ bytes: [UInt8]) {
        guard var reader = WordReader(bytes), let kind = reader.number() else { return nil }
        if kind == 0 {
            guard let status = reader.number(), let contentType = reader.optionalText(),
                let contentEncoding = reader.optionalText(), let contentLength = reader.optionalText(),
                let etag = reader.optionalText(), let body = reader.byteList()
            else { return nil }
            self = .answered(
                Answer(
                    status: status, contentType: contentType, contentEncoding: contentEncoding,
                    contentLength: contentLength, etag: etag, body: body))
        } else {
            guard let problem = Problem(rawValue: kind), let reason = reader.text() else { return nil }
            self = .failed(problem, reason: reason)
        }
        guard reader.isAtEnd else { return nil }
    }
}
