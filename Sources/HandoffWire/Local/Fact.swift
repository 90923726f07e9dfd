// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf

/// Part of a report. Commands show unknown facts by name.
package struct Fact: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        case count(Int64)
        /// To the microsecond.
        case duration(Duration)
        case time(WallTime)
        case text(DisplayText)
    }

    /// ASCII letters and digits, first a small letter; a key in the command's JSON.
    package let name: String
    package let value: Value

    /// Nil: invalid name.
    package init?(_ name: String, _ value: Value) {
        guard name.utf8.count <= Limits.factNameBytes, let first = name.utf8.first, first.isSmallLetter,
            name.utf8.allSatisfy({ $0.isSmallLetter || $0.isLargeLetter || $0.isDigit })
        else { return nil }
        self.name = name
        self.value = value
    }

    package init(_ name: StaticString, _ value: Value) {
        guard let fact = Fact("\(name)", value) else { preconditionFailure("\(name) is not the name of a fact") }
        self = fact
    }
}

extension UInt8 {
    fileprivate var isSmallLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    fileprivate var isLargeLetter: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension PBFact {
    init(_ fact: Fact) {
        self.init()
        name = fact.name
        switch fact.value {
        case .count(let count): value = .count(count)
        case .duration(let duration): value = .durationUs(duration.wholeMicroseconds)
        case .time(let time): value = .timeMs(time.milliseconds)
        case .text(let text): value = .text(text.text)
        }
    }
}

extension Fact {
    /// Nil: a kind from a newer version.
    fileprivate init?(_ message: PBFact) {
        let value: Value
        switch message.value {
        case .count(let count)?: value = .count(count)
        case .durationUs(let duration)?: value = .duration(.microseconds(duration))
        case .timeMs(let time)?: value = .time(WallTime(milliseconds: time))
        case .text(let text)?: value = .text(.name(text))
        case nil: return nil
        }
        self.init(message.name, value)
    }
}

extension [Fact] {
    var wire: [PBFact] { prefix(Limits.facts).map(PBFact.init) }

    init(_ messages: [PBFact]) { self = messages.prefix(Limits.facts).compactMap(Fact.init) }
}
