// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

struct CandidateURL {
    struct Comparison: Hashable, Sendable {
        var caseSensitive = true
        /// False: decoded first.
        var percentEncoded = true
    }

    enum Decoding: Int, CaseIterable {
        case none
        /// Keeps slashes, backslashes and control characters encoded: an encoded slash does not separate folders.
        case exceptSeparators
        /// As by Apple's checker, with U+FFFD for bytes that are not UTF-8.
        case everything
    }

    /// Parts that are not UTF-8 after decoding are nil and match nothing. A class, shared by all components.
    final class Form {
        let comparison: Comparison
        let path: CandidatePath?
        let query: [UInt8]?
        let fragment: [UInt8]?
        let items: [ExactText: [[UInt8]?]]
        /// Decoding replaced nothing.
        let isFaithful: Bool

        init(_ url: WebURL, _ comparison: Comparison, _ decoding: Decoding) {
            var isFaithful = true
            func text(_ part: Substring) -> String? {
                guard let bytes = decoding.bytes(of: part) else { return comparison.folded(String(part)) }
                if let text = String(validating: bytes, as: UTF8.self) { return comparison.folded(text) }
                isFaithful = false
                return decoding == .everything ? comparison.folded(String(decoding: bytes, as: UTF8.self)) : nil
            }
            self.comparison = comparison
            path = text(url.path).map { CandidatePath($0) }
            query = text(url.query).map { Array($0.utf8) }
            fragment = text(url.fragment).map { Array($0.utf8) }
            var items: [ExactText: [[UInt8]?]] = [:]
            for item in url.query.split(separator: "&") {
                let name = item.prefix { $0 != "=" }
                guard let key = text(name) else { continue }
                items[ExactText(key), default: []].append(
                    text(item[name.endIndex...].dropFirst()).map { Array($0.utf8) })
            }
            self.items = items
            self.isFaithful = isFaithful
        }
    }

    private let url: WebURL
    private let isEncoded: Bool
    private var forms: [Form?]

    init(_ url: WebURL) {
        self.url = url
        isEncoded = url.text.utf8.contains(UInt8(ascii: "%"))
        forms = Array(repeating: nil, count: 2 * Decoding.allCases.count)
    }

    mutating func form(_ comparison: Comparison) -> Form {
        form(comparison, comparison.percentEncoded ? .none : .exceptSeparators)
    }

    /// Nil if decoding everything changes nothing.
    mutating func decodedForm(_ comparison: Comparison) -> Form? {
        isEncoded ? form(comparison, .everything) : nil
    }

    private mutating func form(_ comparison: Comparison, _ decoding: Decoding) -> Form {
        let index = 2 * decoding.rawValue + (comparison.caseSensitive ? 1 : 0)
        if let form = forms[index] { return form }
        let form = Form(url, comparison, decoding)
        forms[index] = form
        return form
    }
}

extension CandidateURL.Comparison {
    fileprivate func folded(_ text: String) -> String { caseSensitive ? text : text.caseFolded }
}

extension CandidateURL.Decoding {
    /// Nil: unchanged.
    fileprivate func bytes(of part: Substring) -> [UInt8]? {
        guard self != .none, part.utf8.contains(UInt8(ascii: "%")) else { return nil }
        let bytes = Array(part.utf8)
        var decoded: [UInt8] = []
        var at = 0
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.count, let high = Self.digit(bytes[at + 1]),
                let low = Self.digit(bytes[at + 2]), !leaves(high << 4 | low)
            else {
                decoded.append(bytes[at])
                at += 1
                continue
            }
            decoded.append(high << 4 | low)
            at += 3
        }
        return decoded
    }

    private func leaves(_ byte: UInt8) -> Bool {
        guard self == .exceptSeparators else { return false }
        return byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
