// SPDX-License-Identifier: Apache-2.0

internal import HandoffTrust
internal import HandoffWire

/// How long the largest permitted site file takes to parse and to query. For the programs of `Benchmarks`.
public struct SiteFileReading {
    /// From bytes to components.
    public let parse: Duration
    /// A URL that only the last component matches.
    public let match: Duration

    /// A file of 128 KiB with 10,000 components.
    public static func measure() throws -> SiteFileReading {
        let count = 10_000
        let app = try AppIdentifier("NOTES12345.com.example.notes")
        // Short, to fit so many.
        let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz")
        func path(_ number: Int) -> String {
            "/\(digits[number / 36 / 36])\(digits[number / 36 % 36])\(digits[number % 36])"
        }
        let components = (0..<count).map { #"{"/":"\#(path($0))"}"# }.joined(separator: ",")
        var file = Array(
            #"{"applinks":{"details":[{"appIDs":["\#(app)"],"components":[\#(components)]}]}}"#.utf8)
        file += repeatElement(UInt8(ascii: " "), count: max(0, Limits.associationBytes - file.count))

        let clock = ContinuousClock()
        var association: SiteAssociation?
        let parse = try clock.measure { association = try SiteAssociation(json: file) }
        let url = try WebURL("https://example.com\(path(count - 1))")
        var verdict: AssociationVerdict?
        let match = clock.measure { verdict = association?.verdict(for: app, service: .appLinks, url: url) }
        guard case .approved(let found)? = verdict, found.place.hasSuffix("[\(count - 1)]") else {
            preconditionFailure("the last component did not match: \(String(describing: verdict))")
        }
        return SiteFileReading(parse: parse, match: match)
    }
}
