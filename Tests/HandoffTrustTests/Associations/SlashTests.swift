// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffTrust

/// Slashes at the ends of paths and patterns, which Apple's checker ignores: docs/decisions/0032.
// Shows N13, N14.
@Suite struct SlashTests {
    /// An independent matcher that tries every way.
    private static func matches(_ pattern: Substring, _ text: Substring) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        switch first {
        case "*": return matches(rest, text) || (!text.isEmpty && matches(pattern, text.dropFirst()))
        case "?": return !text.isEmpty && matches(rest, text.dropFirst())
        default: return text.first == first && matches(rest, text.dropFirst())
        }
    }

    private static func isSame(_ pattern: String, _ path: String) -> Bool {
        if matches(pattern[...], path[...]) { return true }
        return !pattern.hasPrefix("/") && path != "/" && matches(pattern[...], path.dropFirst())
    }

    private static func isSameButForSlashes(_ pattern: String, _ path: String) -> Bool {
        var path = path
        while path.count > 1, path.last == "/" { path.removeLast() }
        var pattern = pattern
        while pattern.hasPrefix("//") { pattern.removeFirst() }
        var folder = pattern
        while folder.last == "*" { folder.removeLast() }
        let isFolder = folder.last == "/"
        while folder.last == "/" { folder.removeLast() }
        return isSame(pattern, path) || isFolder && !folder.isEmpty && isSame(folder, path)
    }

    private static func words(_ letters: [String], _ count: Int) -> Set<String> {
        Set((0..<count).reduce([""]) { all, _ in all + letters.flatMap { letter in all.map { letter + $0 } } })
    }

    @Test(arguments: [false, true])
    func everyShortPatternIsReadAsTheRuleIsWritten(hasVariable: Bool) throws {
        let paths = Self.words(["a", "/"], 4).map { "/" + $0 }
        for pattern in Self.words(["a", "/", "*", "?"], 4) where !pattern.isEmpty {
            // The variable selects the other matcher.
            let line = #"{"/": "\#(hasVariable ? pattern.replacing("a", with: "$(a)") : pattern)"}"#
            let no = line.replacing("\"}", with: "\", \"exclude\": true}")
            func file(_ components: String) throws -> SiteAssociation {
                try SiteAssociation(components: "[\(components)]", variables: #"{"a": ["a"]}"#)
            }
            let (granted, guarded, excluded) = try (
                file(line), file(line + #", {"exclude": true}"#), file(no + ", {}")
            )
            for path in paths {
                let (isSame, isAlike) = (Self.isSame(pattern, path), Self.isSameButForSlashes(pattern, path))
                #expect(try granted.opens(path) == (isSame || isAlike), "\(pattern) on \(path)")
                #expect(try guarded.opens(path) == (isSame && isAlike), "\(pattern) on \(path), before a no")
                #expect(try excluded.opens(path) != (isSame || isAlike), "not \(pattern) on \(path)")
            }
        }
    }

    @Test func matchButForSlashYieldsToLaterExclusion() throws {
        let first = #"{"/": "/help/*", "comment": "first"}, {"/": "/help/", "comment": "second"}"#
        let file = try SiteAssociation(components: "[\(first)]")
        guard case .approved(let match) = try file.links("/help") else {
            Issue.record("a slash kept the app from its page")
            return
        }
        #expect(match.comment == "first")
        let late = try SiteAssociation(components: #"[\#(first), {"/": "/help", "exclude": true}, {"/": "*"}]"#)
        guard case .refused(.excluded(let no)) = try late.links("/help") else {
            Issue.record("the file says no to the address as it is written")
            return
        }
        #expect(no.place.hasSuffix("components[2]"))
        #expect(try late.opens("/help/a"))
        #expect(try late.opens("/help/"))
        // Allowed literally before it is excluded.
        #expect(
            try SiteAssociation(components: #"[\#(first), {"/": "/help"}, {"/": "*", "exclude": true}]"#).opens("/help")
        )
    }

    @Test func slashesWithinAVariableAreItsOwn() throws {
        let file = try SiteAssociation(
            components: #"[{"/": "/$(folder)"}, {"/": "/$(lang)/*"}]"#, variables: #"{"folder": ["one/", "two/*"]}"#)
        for path in ["/one/", "/two/", "/two/a", "/de", "/de/", "/de/a"] { #expect(try file.opens(path), "\(path)") }
        for path in ["/one", "/two"] { #expect(try !file.opens(path), "\(path)") }
    }

    /// One pattern shared by very many components. `…` is repeated.
    @Test(arguments: [
        (#""/": "/*…b""#, "a"), (#""/": "b…""#, "*"), (#""/": "…b""#, "/"), (#""/": "b…""#, "/"),
        (#""/": "b…/*""#, "$(digit)"), (#""?": "?*…b""#, "a*"), (#""?": {"…": "?"}"#, "a"),
        (#""?": {…"z": "?"}"#, #""c": "", "#), (##""#": "?…b""##, "*?"),
    ])
    func defaultOfManyComponentsIsBounded(defaults: String, again: String) throws {
        let text = (0..<80_000 / again.utf8.count).map { again.replacing("c", with: "\($0)") }.joined()
        let lines = Array(repeating: "{}", count: 8000).joined(separator: ",")
        let file = try SiteAssociation(components: "[\(lines)]", defaults: "{\(defaults.replacing("…", with: text))}")
        let verdict = try file.links("/a/?b=c#aaaaaaaaaaaaaaaaaaa")
        #expect(verdict == .refused(.tooCostly))
    }

    @Test(.timeLimit(.minutes(1))) func thousandsThatMatchButForASlashAreRead() throws {
        let lines = Array(repeating: #"{"/":"/*/"}"#, count: 8000).joined(separator: ",")
        let file = try SiteAssociation(components: "[\(lines)]")
        #expect(try file.opens("/a"))
    }
}
