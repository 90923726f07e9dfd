// SPDX-License-Identifier: Apache-2.0

extension Language {
    /// The variables that say which language a user reads; `preferred` wants their values.
    package static let variables = ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"]

    /// As gettext reads them, so that these words and those of GTK agree: the first language of `LANGUAGE` that is known,
    /// unless the locale is C, where there are no languages; else that of the locale. English for any other.
    package static func preferred(in environment: [String: String]) -> Language {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        guard locale != "C", locale != "POSIX", !locale.hasPrefix("C.") else { return .english }
        let wanted = (environment["LANGUAGE"] ?? "").split(separator: ":").map(String.init) + [locale]
        return wanted.lazy.compactMap(named).first ?? .english
    }

    /// `de_AT.UTF-8`, `de`.
    private static func named(_ locale: String) -> Language? {
        let code = locale.prefix { $0 != "_" && $0 != "." && $0 != "@" && $0 != "-" }
        return Language(rawValue: code.lowercased())
    }
}
