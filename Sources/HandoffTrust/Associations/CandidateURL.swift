// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// An address in the forms that components ask for, each made when it is asked for first.
struct CandidateURL {
    /// How a component compares.
    struct Comparison: Hashable, Sendable {
        var caseSensitive = true
        /// As the address is written. Else decoded, but for slashes and control characters: what is encoded so is not a
        /// folder's end.
        var percentEncoded = true

        fileprivate var index: Int { (caseSensitive ? 1 : 0) + (percentEncoded ? 2 : 0) }
    }

    /// Parts that are no UTF-8 once decoded are nil, and match nothing. A class, for every component asks for one.
    final class Form {
        let comparison: Comparison
        let path: [UInt8]?
        let query: [UInt8]?
        let fragment: [UInt8]?
        /// Values by the names of query items; a name can be there more than once.
        let items: [String: [[UInt8]?]]

        init(_ url: WebURL, _ comparison: Comparison) {
            self.comparison = comparison
            path = comparison.text(url.path).map { Array($0.utf8) }
            query = comparison.text(url.query).map { Array($0.utf8) }
            fragment = comparison.text(url.fragment).map { Array($0.utf8) }
            var items: [String: [[UInt8]?]] = [:]
            for item in url.query.split(separator: "&") {
                let name = item.prefix { $0 != "=" }
                guard let key = comparison.text(name) else { continue }
                items[key, default: []].append(
                    comparison.text(item[name.endIndex...].dropFirst()).map { Array($0.utf8) })
            }
            self.items = items
        }
    }

    private let url: WebURL
    private var forms: [Form?] = [nil, nil, nil, nil]

    init(_ url: WebURL) { self.url = url }

    mutating func form(_ comparison: Comparison) -> Form {
        if let form = forms[comparison.index] { return form }
        let form = Form(url, comparison)
        forms[comparison.index] = form
        return form
    }
}

extension CandidateURL.Comparison {
    /// As texts are compared; nil for what is no UTF-8 once decoded.
    fileprivate func text(_ part: Substring) -> String? {
        guard let text = percentEncoded ? String(part) : Self.decoded(part) else { return nil }
        return caseSensitive ? text : text.lowercased()
    }

    private static func decoded(_ part: Substring) -> String? {
        guard part.utf8.contains(UInt8(ascii: "%")) else { return String(part) }
        let bytes = Array(part.utf8)
        var decoded: [UInt8] = []
        var at = 0
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.count, let high = digit(bytes[at + 1]),
                let low = digit(bytes[at + 2]), !staysEncoded(high << 4 | low)
            else {
                decoded.append(bytes[at])
                at += 1
                continue
            }
            decoded.append(high << 4 | low)
            at += 3
        }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func staysEncoded(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
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
