// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// A parser of untrusted bytes, with its promises.
///
/// No input crashes it. An accepted value can be written and read again, with the same result.
public struct FuzzedParser: Sendable {
    package enum Verdict: Hashable, Sendable {
        case taken
        /// With a named error, as for most inputs.
        case refused
    }

    /// Also the name of its folders in `Fuzz/Corpus` and `Fuzz/Kept`.
    package let name: String
    /// Throws `BrokenPromise`.
    package let check: @Sendable ([UInt8]) throws -> Verdict

    init(_ name: String, check: @escaping @Sendable ([UInt8]) throws -> Verdict) {
        self.name = name
        self.check = check
    }

    package static let all =
        words + frames + documents + sending + sessions + trust + bundles + entries + teams + apps + associations
        + sites + browser + bus + icons + programs
}

package struct BrokenPromise: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}

func promise(_ isKept: Bool, _ sentence: @autoclosure () -> String) throws(BrokenPromise) {
    guard isKept else { throw BrokenPromise(sentence()) }
}

/// A value with a NaN differs from itself, so `anew` creates `first` again. A dictionary compared with itself is equal
/// without comparing its contents.
func isSame<Value: Equatable>(_ first: Value, _ second: Value, anew: @autoclosure () throws -> Value) -> Bool {
    if first == second { return true }
    guard let another = try? anew() else { return false }
    return another != first
}

/// Checks that a written value is read back unchanged, and has one encoding. `parse` throws for rejected input.
func roundTrip<Form: Equatable, Raw: Equatable>(
    _ raw: Raw, parse: (Raw) throws -> Form, write: (Form) throws -> Raw
) throws -> FuzzedParser.Verdict {
    guard let value = try? parse(raw) else { return .refused }
    guard let written = try? write(value) else {
        throw BrokenPromise("a value that was read cannot be written: \(value)")
    }
    guard let again = try? parse(written) else {
        throw BrokenPromise("a value that was written cannot be read: \(value)")
    }
    try promise(isSame(value, again, anew: try parse(raw)), "\(value) was read back as \(again)")
    guard let twice = try? write(again) else {
        throw BrokenPromise("a value that was read back cannot be written: \(again)")
    }
    try promise(isSame(written, twice, anew: try write(value)), "\(value) has two encodings: \(written) and \(twice)")
    return .taken
}

// MARK: For `Fuzz/`, which is a separate package

extension FuzzedParser {
    public static var names: [String] { all.map(\.name) }

    /// The parser that this environment variable names.
    public static func named(by variable: String) -> FuzzedParser? {
        all.first { $0.name == environment(variable) }
    }

    /// Traps on a broken promise, as libFuzzer requires.
    public func run(_ bytes: [UInt8]) {
        do { _ = try check(bytes) } catch { fatalError("\(name): \(error)") }
    }
}

extension FuzzedParser {
    /// Files of the state directory for sent and received activities.
    static let sending = [
        FuzzedParser("stored-send") { bytes in
            if case .activity(let sent)? = try? StoredSend(encoded: bytes).content {
                try promise(!sent.state.supportsStreams, "it has streams")
                try promise(try sent.byteCount() <= Limits.sentActivityBytes, "it is over the limit")
            }
            return try roundTrip(bytes, parse: { try StoredSend(encoded: $0) }, write: { try $0.encoded() })
        }
    ]
}
