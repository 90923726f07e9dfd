// SPDX-License-Identifier: Apache-2.0

/// A page's URL for another device: http or https, without user, password, or characters that parsers interpret
/// differently.
package struct PageAddress: Hashable, Sendable {
    /// Unchanged, byte for byte.
    package let url: String
    /// Nil if no app can claim it: an IP address, a port, or a name without a dot.
    package let host: WebHost?

    package init?(_ url: String) {
        guard WebPageURL.isAllowed(url), url.unicodeScalars.allSatisfy(Self.isPlain) else { return nil }
        let bytes = url.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let rest = url[bytes.index(after: colon)...]
        guard rest.hasPrefix("//") else { return nil }
        let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.isEmpty, !authority.contains("@") else { return nil }
        self.url = url
        host = try? WebHost(String(authority))
    }

    /// Some parsers treat a backslash as a slash.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value > 0x20, scalar.value != 0x7F, scalar != "\\" else { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate: return false
        default: return true
        }
    }
}
