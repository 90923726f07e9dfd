// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
import HandoffDaemon
internal import HandoffWire

extension FuzzedParser {
    /// Names, texts and values.
    static let words = [value, typedNames, displayText, addresses]

    private static let value = FuzzedParser("value") { bytes in
        // Each value has one encoding, but a NaN differs from itself.
        try roundTrip(bytes, parse: { try Value(encoded: $0) }, write: { try $0.encoded() })
    }

    /// The first byte selects the kind; the rest is the text.
    private static let typedNames = FuzzedParser("names") { bytes in
        guard let kind = bytes.first else { return .refused }
        let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
        switch kind % 6 {
        case 0: return try roundTrip(text, parse: { try ActivityType($0) }, write: \.name)
        case 1:
            let verdict = try roundTrip(text, parse: { try BundleID($0) }, write: \.name)
            // It becomes the name of a folder.
            let climbs = text.contains("/") || text.contains("\0") || text.hasPrefix(".") || text.utf8.count > 250
            try promise(verdict == .refused || !climbs, "a bundle identifier that is a path: \(text)")
            return verdict
        case 2: return try roundTrip(text, parse: { try TeamID($0) }, write: \.name)
        case 3: return try roundTrip(text, parse: { try DeviceID(text: $0) }, write: \.description)
        case 4: return try roundTrip(text, parse: { try AccountID(hex: $0) }, write: \.hex)
        default:
            guard WebPageURL.isAllowed(text) else { return .refused }
            try promise(text.lowercased().hasPrefix("http"), "a web page of another scheme: \(text)")
            return .taken
        }
    }

    /// The first byte is the limit; the rest is the text.
    private static let displayText = FuzzedParser("display-text") { bytes in
        let limit = Int(bytes.first ?? 0) + 1
        let shown = DisplayText(cleaning: String(decoding: bytes.dropFirst(), as: UTF8.self), limit: limit)
        try promise(shown.text.count <= limit, "\(shown.text.count) characters where \(limit) are allowed")
        for scalar in shown.text.unicodeScalars {
            switch scalar {
            case "\u{200C}", "\u{200D}": continue
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                throw BrokenPromise("the control character \(scalar.value) is shown")
            case "\u{61C}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                throw BrokenPromise("the direction character \(scalar.value) is shown")
            default: continue
            }
        }
        // The next device cleans it again.
        try promise(DisplayText(cleaning: shown.text, limit: limit) == shown, "\(shown) is not clean yet")
        return .taken
    }

    private static let addresses = FuzzedParser("addresses") { bytes in
        try roundTrip(bytes, parse: { try KnownAddresses(encoded: $0) }, write: { $0.encoded() })
    }
}
