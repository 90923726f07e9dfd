// SPDX-License-Identifier: Apache-2.0

/// A parser of bytes that came from somebody else, with what it promises about any bytes at all.
///
/// No bytes crash it. What it takes, it gives back: written again and read again it is the same value.
public struct FuzzedParser: Sendable {
    package enum Verdict: Hashable, Sendable {
        case taken
        /// By a named error, as most bytes should be.
        case refused
    }

    /// As its folders are called in `Fuzz/Corpus` and `Fuzz/Kept`.
    package let name: String
    /// Throws `BrokenPromise`.
    package let check: @Sendable ([UInt8]) throws -> Verdict

    init(_ name: String, check: @escaping @Sendable ([UInt8]) throws -> Verdict) {
        self.name = name
        self.check = check
    }

    package static let all =
        words + frames + documents + sending + sessions + trust + bundles + entries + teams + apps + associations
        + sites + browser + bus
}

/// What a parser promises and did not keep.
package struct BrokenPromise: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}

func promise(_ isKept: Bool, _ sentence: @autoclosure () -> String) throws(BrokenPromise) {
    guard isKept else { throw BrokenPromise(sentence()) }
}

/// What holds a NaN differs from itself. `anew` makes `first` once more: a dictionary that is compared with itself is the
/// same without a look at what is in it.
func isSame<Value: Equatable>(_ first: Value, _ second: Value, anew: @autoclosure () throws -> Value) -> Bool {
    if first == second { return true }
    guard let another = try? anew() else { return false }
    return another != first
}

/// Holds a parser of `Form` to what is read being what is written, and to one encoding. `parse` throws what it refuses
/// with.
func roundTrip<Form: Equatable, Raw: Equatable>(
    _ raw: Raw, parse: (Raw) throws -> Form, write: (Form) throws -> Raw
) throws -> FuzzedParser.Verdict {
    guard let value = try? parse(raw) else { return .refused }
    guard let written = try? write(value) else { throw BrokenPromise("what was read cannot be written: \(value)") }
    guard let again = try? parse(written) else { throw BrokenPromise("what was written cannot be read: \(value)") }
    try promise(isSame(value, again, anew: try parse(raw)), "\(value) came back as \(again)")
    guard let twice = try? write(again) else { throw BrokenPromise("what came back cannot be written: \(again)") }
    try promise(isSame(written, twice, anew: try write(value)), "\(value) has two encodings: \(written) and \(twice)")
    return .taken
}

// MARK: For `Fuzz/`, which is a package of its own

extension FuzzedParser {
    public static var names: [String] { all.map(\.name) }

    /// The one whose name this environment variable holds.
    public static func named(by variable: String) -> FuzzedParser? {
        all.first { $0.name == environment(variable) }
    }

    /// Traps on a broken promise: that is how libFuzzer hears of it.
    public func run(_ bytes: [UInt8]) {
        do { _ = try check(bytes) } catch { fatalError("\(name): \(error)") }
    }
}
