// SPDX-License-Identifier: Apache-2.0

internal import CCurl
internal import HandoffSiteMessages

/// Keeps only the requested parts of an answer.
final class SiteConversation {
    /// Longer lines of a head are truncated.
    static let lineBytes = 1024

    private enum Course: Equatable {
        case beforeHead
        case head
        case body
    }

    private let order: SiteOrder
    private var course = Course.beforeHead
    private var bytesLeft: Int
    private var head = SiteReport.Answer(status: 0)
    private var file: [UInt8] = []
    private(set) var problem: SiteReport?
    /// The connection works.
    private(set) var isAsked = false
    private(set) var isOver = false

    init(_ order: SiteOrder) {
        self.order = order
        bytesLeft = Int(order.answerBytes)
    }

    private func end(_ problem: SiteReport.Problem, _ reason: String) -> Bool {
        if self.problem == nil { self.problem = .failed(problem, reason: reason) }
        return false
    }

    // MARK: Events of libcurl. False ends the transfer.

    func sent() { isAsked = true }

    func came(bytes: Int) {
        bytesLeft -= bytes
        if bytesLeft < 0 { _ = end(.answerTooLarge, "its answer is too large") }
    }

    func mayGoOn() -> Bool { problem == nil && !isOver }

    /// A line of a head, with its end. Several heads may precede the final head.
    func line(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard course != .body else { return true }
        let line = String(decoding: bytes.prefix(Self.lineBytes).filter { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
        if line.isEmpty { return headIsWhole() }
        if line.hasPrefix("HTTP/") {
            let status = line.split(separator: " ").dropFirst().first.flatMap { UInt32($0) }
            guard let status else { return end(.malformed, "it does not speak HTTP") }
            head = SiteReport.Answer(status: status)
            course = .head
            return true
        }
        guard let colon = line.firstIndex(of: ":") else { return true }
        let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        return take(String(line[..<colon]).lowercased(), String(value.reversed().drop { $0 == " " }.reversed()))
    }

    /// Uses the first of several equal fields.
    private func take(_ name: String, _ value: String) -> Bool {
        switch name {
        case "content-type" where head.contentType == nil: head.contentType = value
        case "content-encoding" where head.contentEncoding == nil: head.contentEncoding = value
        case "etag" where head.etag == nil: head.etag = value
        case "content-length" where head.contentLength == nil: head.contentLength = value
        case "content-length" where head.contentLength != value:
            return end(.malformed, "it declares two lengths for one answer")
        default: break
        }
        return true
    }

    private func headIsWhole() -> Bool {
        guard course == .head else { return true }
        // An interim response. A protocol switch (101) was not requested.
        if head.status != 101, (100..<200).contains(head.status) {
            course = .beforeHead
            return true
        }
        course = .body
        // Other bodies are not the file.
        isOver = head.status != 200
        return !isOver
    }

    func body(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard file.count + bytes.count <= Int(order.fileBytes) else {
            return end(.fileTooLarge, "its file is larger than \(order.fileBytes / 1024) KiB")
        }
        file += bytes
        return true
    }

    /// Nil without a complete head.
    var answer: SiteReport.Answer? {
        guard course == .body else { return nil }
        var answer = head
        answer.body = file
        return answer
    }
}
