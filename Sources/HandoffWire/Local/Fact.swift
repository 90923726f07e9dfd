// SPDX-License-Identifier: Apache-2.0

/// What a report says beside what every version of it says: a name and a value. A command shows one that it has never heard
/// of by its name, so a new one is said where it is known, and touches nothing on its way to the user.
package struct Fact: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        case count(Int64)
        /// To the microsecond.
        case duration(Duration)
        case time(WallTime)
        case text(DisplayText)
    }

    /// ASCII letters and digits, the first a small letter: `stateBytes`. The JSON of the command has it so.
    package let name: String
    package let value: Value

    /// nil: that is no name.
    package init?(_ name: String, _ value: Value) {
        guard name.utf8.count <= Limits.factNameBytes, let first = name.utf8.first, first.isSmallLetter,
            name.utf8.allSatisfy({ $0.isSmallLetter || $0.isLargeLetter || $0.isDigit })
        else { return nil }
        self.name = name
        self.value = value
    }

    /// Of a name that stands in the source.
    package init(_ name: StaticString, _ value: Value) {
        guard let fact = Fact("\(name)", value) else { preconditionFailure("\(name) is no name of a fact") }
        self = fact
    }
}

extension UInt8 {
    fileprivate var isSmallLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    fileprivate var isLargeLetter: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
