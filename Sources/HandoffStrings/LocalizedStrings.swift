// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package struct LocalizedStrings: Sendable {
    package let language: Language
    private let texts: [String]

    package init(_ language: Language) {
        self.language = language
        texts = language.texts
    }

    package subscript(_ word: Word) -> String { texts[word.rawValue] }

    /// Replaces `$1`, `$2`, except inside a value.
    package func callAsFunction(_ word: Word, _ values: String...) -> String {
        var said = ""
        var rest = self[word][...]
        while let sign = rest.firstIndex(of: "$") {
            said += rest[..<sign]
            let after = rest.index(after: sign)
            guard after < rest.endIndex, let place = rest[after].wholeNumberValue, values.indices.contains(place - 1)
            else {
                said.append("$")
                rest = rest[after...]
                continue
            }
            let value = values[place - 1]
            said += value.isWrittenFromRightToLeft ? value.isolated : value
            rest = rest[rest.index(after: after)...]
        }
        return said + rest
    }
}

extension LocalizedStrings {
    /// The future is shown as now.
    package func age(of time: WallTime, at now: WallTime) -> String {
        let seconds = max(0, time.duration(to: now).components.seconds)
        return switch seconds {
        case ..<60: self[.justNow]
        case ..<3600: self(.minutesAgo, "\(seconds / 60)")
        case ..<86_400: self(.hoursAgo, "\(seconds / 3600)")
        case ..<172_800: self[.oneDayAgo]
        default: self(.daysAgo, "\(seconds / 86_400)")
        }
    }
}

extension Language {
    /// For `preferred`.
    package static let variables = ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"]

    /// Chooses like gettext, so that these strings match GTK's: the first known language of `LANGUAGE`, unless the
    /// locale is C, which has no languages; else the locale's; else English.
    package static func preferred(in environment: [String: String]) -> Language {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        guard locale != "C", locale != "POSIX", !locale.hasPrefix("C.") else { return .english }
        let wanted = (environment["LANGUAGE"] ?? "").split(separator: ":").map(String.init) + [locale]
        return wanted.lazy.compactMap(named).first ?? .english
    }

    /// `de_AT.UTF-8`, `de`. Chinese is written in simplified characters: `zh_CN`, `zh_Hans`, `zh`.
    private static func named(_ locale: String) -> Language? {
        let parts = locale.lowercased().prefix { $0 != "." && $0 != "@" }.split { $0 == "_" || $0 == "-" }
        guard let code = parts.first else { return nil }
        guard code == "zh" else { return Language(rawValue: String(code)) }
        let isTraditional = parts.dropFirst().contains { ["hant", "tw", "hk", "mo"].contains($0) }
        return isTraditional && !parts.contains("hans") ? nil : .chinese
    }
}
