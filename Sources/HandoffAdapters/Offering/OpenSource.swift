// SPDX-License-Identifier: Apache-2.0

import HandoffWire

/// A player's medium, if it may continue elsewhere.
enum MediaSource: Hashable, Sendable {
    /// `http:` or `https:`, without user name and password, which never leave the device.
    case page(String)
    case file(AbsolutePath)

    /// Nil for other schemes, and for what is no URL at all.
    init?(url: String) {
        if let page = Self.page(url) {
            self = .page(page)
        } else if let file = try? FileURL(url), !file.namesFolder {
            self = .file(file.path)
        } else {
            return nil
        }
    }

    /// As `PageAddress`, without user name and password.
    static func page(_ url: String) -> String? {
        guard let scheme = url.firstRange(of: "://") else { return nil }
        let behind = url[scheme.upperBound...]
        let authority = behind.prefix { !"/?#".contains($0) }
        // Some parsers read it as a slash, and then a password as the host.
        guard !authority.contains("\\") else { return nil }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return PageAddress(String(url[..<scheme.upperBound] + host + behind[authority.endIndex...]))?.url
    }
}
