// SPDX-License-Identifier: Apache-2.0

extension Duration {
    /// Parses a time in a setting or a command: `90s`, `30min`, `2h`, `1d`, and `0`. Nil for anything else, and for
    /// more than 10,000 of a unit.
    package init?(text: String) {
        let number = text.prefix { $0.isASCII && $0.isNumber }
        let seconds: Int64? =
            switch text.dropFirst(number.count) {
            case "s": 1
            case "m", "min": 60
            case "h": 3600
            case "d": 86400
            case "" where number == "0": 0
            default: nil
            }
        guard let seconds, let count = Int64(number), count <= 10000 else { return nil }
        self = .seconds(count * seconds)
    }
}
