// SPDX-License-Identifier: Apache-2.0

/// An address that an app may get for its own site: ASCII, no user, no port, no `..`. Others stay with the browser,
/// because parsers disagree about them.
package struct WebURL: Hashable, Sendable, CustomStringConvertible {
    package let text: String
    package let host: WebHost
    /// Begins with a slash; percent-encoded.
    package let path: Substring
    package let query: Substring
    package let fragment: Substring

    package init(_ text: String) throws(WebURLRejection) {
        guard text.utf8.count <= Limits.urlBytes else { throw .tooLong }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .blankOrControlCharacter }
        guard WebPageURL.isAllowed(text), let colon = text.firstIndex(of: ":"),
            text[colon...].hasPrefix("://")
        else { throw .scheme }
        let behind = text[text.index(colon, offsetBy: 3)...]
        let authority = behind.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let pathAndQuery = behind[authority.endIndex...].prefix { $0 != "#" }
        let path = pathAndQuery.prefix { $0 != "?" }
        host = try Self.host(authority)
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { throw .notASCII }
        // Browsers treat it as a slash.
        guard !path.utf8.contains(UInt8(ascii: "\\")) else { throw .backslash }
        guard !path.split(separator: "/").contains(where: Self.climbs) else { throw .dotSegment }
        self.text = text
        self.path = path.isEmpty ? "/" : path
        query = pathAndQuery[path.endIndex...].dropFirst()
        fragment = behind[pathAndQuery.endIndex...].dropFirst()
    }

    package var description: String { text }

    /// Nil unless it is a browsed page that an app may continue.
    package static func offeredHost(of page: String?, _ type: ActivityType) -> WebHost? {
        guard type == .browsingWeb, let page else { return nil }
        return try? WebURL(page).host
    }

    private static func host(_ authority: Substring) throws(WebURLRejection) -> WebHost {
        guard !authority.utf8.contains(UInt8(ascii: "@")) else { throw .userInfo }
        guard !authority.utf8.contains(UInt8(ascii: "\\")) else { throw .backslash }
        guard !authority.utf8.starts(with: "[".utf8) else { throw .host(.address) }
        guard !authority.utf8.contains(UInt8(ascii: ":")) else { throw .port }
        do throws(HostRejection) {
            return try WebHost(String(authority))
        } catch {
            throw .host(error)
        }
    }

    /// Percent-encoded or not.
    private static func climbs(_ segment: Substring) -> Bool {
        guard segment.utf8.count <= 6 else { return false }
        let plain = segment.lowercased().replacing("%2e", with: ".")
        return plain == "." || plain == ".."
    }
}

package enum WebURLRejection: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLong
    case scheme
    case blankOrControlCharacter
    case userInfo
    case port
    case backslash
    case notASCII
    case dotSegment
    case host(HostRejection)

    package var description: String {
        switch self {
        case .tooLong: "the address is longer than \(Limits.urlBytes) bytes"
        case .scheme: "the address is neither http:// nor https://"
        case .blankOrControlCharacter: "the address contains a space or a control character"
        case .userInfo: "the address contains a user name or a password"
        case .port: "the address names a port; a site's file is valid only for the default port"
        case .backslash: "the address contains a backslash, which browsers treat as a slash"
        case .notASCII: "the address contains non-ASCII characters that are not percent-encoded"
        case .dotSegment: "the path of the address contains . or .. as a folder"
        case .host(let rejection): "\(rejection)"
        }
    }
}
