// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The strings of window, notifications, tray and search.
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
    /// A relative time. The future is shown as now.
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
