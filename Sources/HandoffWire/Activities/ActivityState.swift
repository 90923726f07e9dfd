// SPDX-License-Identifier: Apache-2.0

/// Sent only after the receiver's user accepted.
package struct ActivityState: Hashable, Sendable {
    package var type: ActivityType
    /// Not safe for display.
    package var title: String?
    /// An encoded `Value` dictionary, or empty. Opaque to the daemons, except for files.
    package var userInfo: [UInt8]
    package var webpageURL: String?
    package var referrerURL: String?
    /// Seconds since 2001-01-01.
    package var expirationDate: Double?
    package var targetContentIdentifier: String?
    package var persistentIdentifier: String?
    package var keywords: [String]
    /// Nil: every key is required.
    package var requiredUserInfoKeys: [String]?
    package var supportsStreams: Bool
    package var isEligibleForSearch: Bool
    package var isEligibleForPublicIndexing: Bool
    package var isEligibleForPrediction: Bool
    /// An encoded `Value` dictionary, or empty.
    package var contentAttributes: [UInt8]

    package init(
        type: ActivityType, title: String? = nil, userInfo: [UInt8] = [], webpageURL: String? = nil,
        referrerURL: String? = nil, expirationDate: Double? = nil, targetContentIdentifier: String? = nil,
        persistentIdentifier: String? = nil, keywords: [String] = [], requiredUserInfoKeys: [String]? = nil,
        supportsStreams: Bool = false, isEligibleForSearch: Bool = false, isEligibleForPublicIndexing: Bool = false,
        isEligibleForPrediction: Bool = false, contentAttributes: [UInt8] = []
    ) {
        self.type = type
        self.title = title
        self.userInfo = userInfo
        self.webpageURL = webpageURL
        self.referrerURL = referrerURL
        self.expirationDate = expirationDate
        self.targetContentIdentifier = targetContentIdentifier
        self.persistentIdentifier = persistentIdentifier
        self.keywords = keywords
        self.requiredUserInfoKeys = requiredUserInfoKeys
        self.supportsStreams = supportsStreams
        self.isEligibleForSearch = isEligibleForSearch
        self.isEligibleForPublicIndexing = isEligibleForPublicIndexing
        self.isEligibleForPrediction = isEligibleForPrediction
        self.contentAttributes = contentAttributes
    }
}

package enum WebPageURL {
    package static func scheme(of url: String) -> String? {
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = url[..<colon]
        guard let first = scheme.unicodeScalars.first, first.isASCII, first.properties.isAlphabetic else { return nil }
        return scheme.lowercased()
    }

    package static func isAllowed(_ url: String) -> Bool {
        guard let scheme = scheme(of: url), url.utf8.count <= Limits.urlBytes else { return false }
        return scheme == "http" || scheme == "https"
    }
}

extension ActivityState {
    package func encoded() throws(WireError) -> [UInt8] { try PBActivityState(self).bytes() }
    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        try self.init(PBActivityState.decode(bytes))
    }
}
