// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The address of a page that may go from browser to browser: http or https, without a user's name or password, and
/// nothing in it that two readers could read in two ways.
package struct PageAddress: Hashable, Sendable {
    /// Byte for byte as it was given.
    package let url: String
    /// Nil where no app could be asked for: an address of a machine, a port, a name without a dot.
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

    /// No blanks, no controls, and no backslash, which some readers take for a slash.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value > 0x20, scalar.value != 0x7F, scalar != "\\" else { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate: return false
        default: return true
        }
    }
}

extension String {
    /// As much of its beginning as fits, whole characters.
    func fitting(bytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var room = limit
        let kept = prefix { character in
            room -= character.utf8.count
            return room >= 0
        }
        return String(kept)
    }
}
