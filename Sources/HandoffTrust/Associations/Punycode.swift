// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// RFC 3492, encoding only. Lower case is its only IDNA mapping, because only error messages depend on it.
enum Punycode {
    /// `bücher.example` becomes `xn--bcher-kva.example`; nil if too long.
    static func host(_ text: String) -> String? {
        guard text.utf8.count <= Limits.hostBytes else { return nil }
        return text.lowercased().split(separator: ".", omittingEmptySubsequences: false)
            .map { $0.utf8.allSatisfy { $0 < 0x80 } ? String($0) : "xn--" + encoded($0.unicodeScalars.map(\.value)) }
            .joined(separator: ".")
    }

    /// Cannot overflow with at most 253 characters.
    private static func encoded(_ characters: [UInt32]) -> String {
        var output = String(String.UnicodeScalarView(characters.filter { $0 < 0x80 }.compactMap { Unicode.Scalar($0) }))
        let basic = output.utf8.count
        if basic > 0 { output += "-" }
        var (next, delta, bias, done) = (0x80, 0, 72, basic)
        for character in Set(characters.filter { $0 >= 0x80 }).sorted().map({ Int($0) }) {
            delta += (character - next) * (done + 1)
            next = character
            for other in characters.map({ Int($0) }) {
                if other < next { delta += 1 }
                guard other == next else { continue }
                output += digits(of: delta, bias)
                bias = adapted(delta, done + 1, isFirst: done == basic)
                (delta, done) = (0, done + 1)
            }
            (delta, next) = (delta + 1, next + 1)
        }
        return output
    }

    private static func digits(of number: Int, _ bias: Int) -> String {
        var (rest, text, place) = (number, "", 36)
        while true {
            let threshold = min(max(place - bias, 1), 26)
            guard rest >= threshold else { return text + letter(rest) }
            text += letter(threshold + (rest - threshold) % (36 - threshold))
            rest = (rest - threshold) / (36 - threshold)
            place += 36
        }
    }

    private static func letter(_ digit: Int) -> String { String(digit < 26 ? digit + 10 : digit - 26, radix: 36) }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var (delta, place) = (isFirst ? delta / 700 : delta / 2, 0)
        delta += delta / count
        while delta > 455 {
            delta /= 35
            place += 36
        }
        return place + 36 * delta / (delta + 38)
    }
}
