// SPDX-License-Identifier: Apache-2.0

internal import CCurl
internal import HandoffSiteWords

/// What a site says to one request, as libcurl hands it over: no more than was asked for is kept.
final class SiteConversation {
    /// Of one line of a head, bytes; what is longer is cut there.
    static let lineBytes = 1024

    private enum Course: Equatable {
        case beforeHead
        case head
        case body
    }

    private let order: SiteOrder
    private var course = Course.beforeHead
    private var bytesLeft: Int
    /// What has come of the answer.
    private var head = SiteReport.Answer(status: 0)
    private var file: [UInt8] = []
    /// Why it was ended from here.
    private(set) var problem: SiteReport?
    /// The request went out; before, there was no connection.
    private(set) var isAsked = false
    /// All that is wanted is here.
    private(set) var isOver = false

    init(_ order: SiteOrder) {
        self.order = order
        bytesLeft = Int(order.answerBytes)
    }

    private func end(_ problem: SiteReport.Problem, _ reason: String) -> Bool {
        if self.problem == nil { self.problem = .failed(problem, reason: reason) }
        return false
    }

    // MARK: What libcurl tells. False: it shall go no further.

    func sent() { isAsked = true }

    /// Whatever it means.
    func came(bytes: Int) {
        bytesLeft -= bytes
        if bytesLeft < 0 { _ = end(.answerTooLarge, "its answer is too large") }
    }

    func mayGoOn() -> Bool { problem == nil && !isOver }

    /// A line of a head, with its end. There may be several heads before the one that counts; what comes after the body
    /// is nobody's.
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

    /// Of a field that is there more than once the first counts.
    private func take(_ name: String, _ value: String) -> Bool {
        switch name {
        case "content-type" where head.contentType == nil: head.contentType = value
        case "content-encoding" where head.contentEncoding == nil: head.contentEncoding = value
        case "etag" where head.etag == nil: head.etag = value
        case "content-length" where head.contentLength == nil: head.contentLength = value
        case "content-length" where head.contentLength != value:
            return end(.malformed, "it names two lengths of one answer")
        default: break
        }
        return true
    }

    private func headIsWhole() -> Bool {
        guard course == .head else { return true }
        // Something on the way, and the answer after it. Nobody asked for another protocol (101).
        if head.status != 101, (100..<200).contains(head.status) {
            course = .beforeHead
            return true
        }
        course = .body
        // The body of all else is not the file.
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

    /// As far as it came; nil: no head was whole.
    var answer: SiteReport.Answer? {
        guard course == .body else { return nil }
        var answer = head
        answer.body = file
        return answer
    }
}
