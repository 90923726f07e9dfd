// SPDX-License-Identifier: Apache-2.0

extension Language {
    /// For `preferred`.
    package static let variables = ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"]

    /// As gettext chooses, so that these strings match GTK's: the first known language of `LANGUAGE`, unless the locale
    /// is C, which has no languages; else the locale's; else English.
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
