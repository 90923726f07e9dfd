// SPDX-License-Identifier: Apache-2.0

package enum SiteReport: Hashable, Sendable {
    /// The daemon judges it.
    case answered(Answer)
    case failed(Problem, reason: String)

    /// As received; only the length was checked.
    package struct Answer: Hashable, Sendable {
        package var status: UInt32
        package var contentType: String?
        package var contentEncoding: String?
        /// May not be a number.
        package var contentLength: String?
        package var etag: String?
        /// Empty if the head announces no file.
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
        /// Without its head.
        case fileTooLarge
        /// With head and chunk headers.
        case answerTooLarge
    }

    /// The maximum around the body; longer heads are rejected.
    package static let bytesAroundBody = 16 * 1024

    package var encoded: [UInt8] {
        var writer = FieldWriter()
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

    /// Nil: not a report, or of another version.
    package init?(_ bytes: [UInt8]) {
        guard var reader = FieldReader(bytes), let kind = reader.number() else { return nil }
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
