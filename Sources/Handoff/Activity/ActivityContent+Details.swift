// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffWire

extension ActivityContent {
    /// For a debugger, without passwords and values of `userInfo`.
    var details: [String] {
        var details: [String] = []
        if let userInfo, !userInfo.isEmpty {
            let keys = userInfo.keys.map { key in
                if case .string(let text) = key { "\(DisplayText(cleaning: text.text))" } else { "(not a text)" }
            }
            details.append("userInfo keys: [\(keys.sorted().joined(separator: ", "))]")
        }
        if let webpageURL { details.append("webpageURL: \(webpageURL.withoutPassword)") }
        if let referrerURL { details.append("referrerURL: \(referrerURL.withoutPassword)") }
        if let expirationDate { details.append("expirationDate: \(expirationDate)") }
        if let targetContentIdentifier {
            details.append("targetContentIdentifier: \(DisplayText(cleaning: targetContentIdentifier))")
        }
        if let persistentIdentifier {
            details.append("persistentIdentifier: \(DisplayText(cleaning: persistentIdentifier))")
        }
        let flags = [
            ("needsSave", needsSave), ("streams", supportsContinuationStreams), ("handoff", isEligibleForHandoff),
            ("search", isEligibleForSearch), ("public indexing", isEligibleForPublicIndexing),
            ("prediction", isEligibleForPrediction),
        ]
        details.append("flags: [\(flags.filter(\.1).map(\.0).joined(separator: ", "))]")
        return details
    }
}

extension URL {
    fileprivate var withoutPassword: String {
        guard password != nil, var parts = URLComponents(url: self, resolvingAgainstBaseURL: false) else {
            return absoluteString
        }
        parts.percentEncodedPassword = "***"
        return parts.string ?? "(with a password)"
    }
}

extension ObjectIdentifier {
    var hexadecimal: String { "0x" + String(UInt(bitPattern: self), radix: 16) }
}
