// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// An object in JSON, else one line each.
struct ShownFacts: Encodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let facts: [Fact]

    init?(_ facts: [Fact]) {
        guard !facts.isEmpty else { return nil }
        self.facts = facts
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Name.self)
        for fact in facts {
            let name = Name(stringValue: fact.name)
            switch fact.value {
            case .count(let count): try object.encode(count, forKey: name)
            case .duration(let duration): try object.encode(duration.milliseconds, forKey: name)
            case .time(let time): try object.encode(time.iso8601, forKey: name)
            case .text(let text): try object.encode(text.text, forKey: name)
            }
        }
    }

    /// `streams open 3`
    var lines: [String] {
        facts.map { fact in
            let name = fact.name.words(joinedBy: " ")
            return switch fact.value {
            case .count(let count): "\(name) \(count)"
            case .duration(let duration): "\(name) \(duration.inBrief)"
            case .time(let time): "\(name) \(time.local)"
            case .text(let text): "\(name) \(text.text)"
            }
        }
    }
}

extension String {
    /// Splits camel case: `willSave` to `will-save`.
    func words(joinedBy separator: String) -> String {
        reduce(into: "") { $0 += $1.isUppercase ? separator + $1.lowercased() : String($1) }
    }
}
