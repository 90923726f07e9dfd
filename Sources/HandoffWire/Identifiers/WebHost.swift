// SPDX-License-Identifier: Apache-2.0

/// ASCII in lower case, at least two labels, no address, no port, no trailing dot.
package struct WebHost: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let name: String

    package init(_ text: String) throws(HostRejection) {
        guard !text.isEmpty else { throw .empty }
        name = try Self.checked(text)
    }

    package init(wire text: String) throws(WireError) {
        do throws(HostRejection) {
            try self.init(text)
        } catch {
            throw WireError(.badIdentifier, "\(error)")
        }
    }

    package var description: String { name }
    package static func < (left: Self, right: Self) -> Bool { left.name < right.name }

    /// False for `parent` itself.
    package func isBelow(_ parent: WebHost) -> Bool {
        name.utf8.count > parent.name.utf8.count + 1 && name.hasSuffix("." + parent.name)
    }

    private static func checked(_ text: String) throws(HostRejection) -> String {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { throw .notASCII }
        guard text.utf8.count <= Limits.hostBytes else { throw .tooLong }
        guard text.utf8.last != UInt8(ascii: ".") else { throw .dotAtTheEnd }
        guard !text.utf8.contains(UInt8(ascii: ":")) else { throw .address }
        let name = text.lowercased()
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        for label in labels {
            guard (1...Limits.hostLabelBytes).contains(label.count), label.allSatisfy(isLabelCharacter),
                label.first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-")
            else { throw .badLabel }
        }
        // Otherwise it could be a spelling of an IPv4 address.
        guard let first = labels.last?.first, !isDigit(first) else { throw .address }
        guard labels.count > 1 else { throw .oneLabel }
        return name
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLabelCharacter(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
    }
}

package enum HostRejection: Error, Hashable, Sendable, CustomStringConvertible, CaseIterable {
    case empty
    case tooLong
    case notASCII
    case dotAtTheEnd
    case address
    case badLabel
    case oneLabel

    package var description: String {
        switch self {
        case .empty: "the host is missing"
        case .tooLong: "the host is longer than \(Limits.hostBytes) bytes"
        case .notASCII:
            "the host is not in ASCII; write each such label in its ASCII form, which begins with xn-- (a browser's "
                + "address bar gives it when it is copied)"
        case .dotAtTheEnd: "the host ends with a dot"
        case .address: "the host is an IP address, or ends like an IP address; it must be a name"
        case .badLabel:
            "a label of the host is not 1 to \(Limits.hostLabelBytes) letters, digits and dashes between dots"
        case .oneLabel: "the host contains no dot"
        }
    }
}
