// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffTrust

// Shows N14.
@Suite struct PathsTests {
    @Test(arguments: [
        // Ignoring the slash, this is the first pattern; literally, it is the last but one, which excludes it.
        ("/wwdc/news/", true), ("/wwdc/news", false), ("/videos/wwdc/2015/1", true), ("/videos/wwdc/2014/1", false),
        ("/videos/wwdc/2015/", true), ("/Videos/wwdc/2015/1", false), ("/videos/wwdc/2015/private/1", false),
        ("/201", true), ("/2011", false), ("/videos/wwdc/2015/1?a=b#c", true), ("/", false),
    ])
    func firstPathThatMatchesDecides(path: String, opens: Bool) throws {
        let file = try SiteAssociation(
            paths: #"["/wwdc/news/", "NOT /videos/wwdc/2015/private/*", "/videos/wwdc/2015/*", "/20?", "NOT *", "*"]"#)
        #expect(try file.opens(path) == opens)
    }

    @Test func notIsANoOnlyBeforeABlank() throws {
        let file = try SiteAssociation(paths: #"["NOT /a", "NOT/b", "*"]"#)
        guard case .refused(.excluded(let match)) = try file.links("/a") else {
            Issue.record("NOT was not heard")
            return
        }
        #expect(match.place == "applinks.details[0].paths[0]")
        #expect(try file.opens("/b"))
    }

    @Test func pathsKnowNoVariablesAndNoOtherParts() throws {
        let file = try SiteAssociation(paths: #"["/$(digit)"]"#)
        #expect(try !file.opens("/1"))
        #expect(try file.opens("/$(digit)?x#y"))
    }

    @Test func pathsOfAnotherTypeAreRefused() throws {
        for paths in [#""*""#, #"[7]"#, "{}"] {
            guard case .refused(.entryUnusable) = try SiteAssociation(paths: paths).links("/") else {
                Issue.record("\(paths) were taken")
                continue
            }
        }
    }
}

// Shows N13, N14.
@Suite struct TextPatternTests {
    @Test(arguments: [
        ("*", "/", true), ("/*", "/", true), ("/*", "/a/b", true), ("/?", "/", false), ("/?", "/a", true),
        ("/?", "/ab", false), ("/?*", "/", false), ("/?*", "/a", true), ("/?*", "/abc", true), ("/*?", "/", false),
        ("/*?", "/abc", true), ("/a*b*c", "/abc", true), ("/a*b*c", "/aXbYbZc", true), ("/a*b*c", "/acb", false),
        ("/*a", "/aaa", true), ("/*ab", "/aab", true), ("/*ab", "/aba", false), ("/**", "/x", true),
        ("/a", "/a", true), ("/a", "/ab", false), ("/ab", "/a", false), ("", "/", false),
        ("/*/edit", "/a/b/edit", true),
        ("/*/edit", "/edit", false), ("/*.html", "/a.html.html", true), ("/*??", "/a", false), ("/*??", "/ab", true),
    ])
    func wildcardsMatchAsDocumented(pattern: String, path: String, matches: Bool) throws {
        #expect(try SiteAssociation(paths: #"["\#(pattern)"]"#).opens(path) == matches)
        #expect(try SiteAssociation(components: #"[{"/": "\#(pattern)"}]"#).opens(path) == matches)
        // Through the matcher for variables.
        #expect(
            try SiteAssociation(components: #"[{"/": "$(e)\#(pattern)"}]"#, variables: #"{"e": [""]}"#).opens(path)
                == matches)
    }

    /// Compares both matchers with a third, which tries every way.
    @Test func everyShortPatternMatchesAsByTryingAllWays() throws {
        func matches(_ pattern: Substring, _ text: Substring) -> Bool {
            guard let first = pattern.first else { return text.isEmpty }
            let rest = pattern.dropFirst()
            switch first {
            case "*": return matches(rest, text) || (!text.isEmpty && matches(pattern, text.dropFirst()))
            case "?": return !text.isEmpty && matches(rest, text.dropFirst())
            default: return text.first == first && matches(rest, text.dropFirst())
            }
        }
        func words(_ letters: [String], _ count: Int) -> [String] {
            (0..<count).reduce([""]) { all, _ in all + letters.flatMap { letter in all.map { letter + $0 } } }
        }
        let texts = Set(words(["a", "b"], 4)).map { "/" + $0 }
        for pattern in Set(words(["a", "b", "*", "?"], 4)).map({ "/" + $0 }) {
            let file = try SiteAssociation(paths: #"["\#(pattern)"]"#)
            for text in texts {
                #expect(try file.opens(text) == matches(pattern[...], text[...]), "\(pattern) on \(text)")
            }
        }
    }

    @Test func hostilePatternIsRefused() throws {
        let text = "/" + String(repeating: "a", count: 8000)
        let stars = "/" + String(repeating: "*a", count: 2000) + "b"
        let variables = #"{"v": ["a", "aa", "*", "?a", "a*"]}"#
        let nested = "/" + String(repeating: "$(v)", count: 200) + "b"
        for file in [
            try SiteAssociation(paths: #"["\#(stars)"]"#),
            try SiteAssociation(components: #"[{"/": "\#(nested)"}]"#, variables: variables),
        ] {
            let verdict = try file.links(text)
            #expect(verdict == .refused(.tooCostly))
        }
    }

    @Test func workIsBoundedOverAllComponents() throws {
        let lines = (0..<3000).map { #"{"/": "*\#($0)b"}"# }.joined(separator: ",")
        let file = try SiteAssociation(components: "[\(lines)]")
        #expect(try file.links("/" + String(repeating: "x", count: 12_000)) == .refused(.tooCostly))
        #expect(try file.opens("/2999b"))
    }

    @Test func fileOfManyComponentsIsWithinTheBound() throws {
        let lines = (0..<5000).map { #"{"/": "/item\#($0)/*"}"# }.joined(separator: ",")
        let file = try SiteAssociation(components: "[\(lines)]")
        #expect(try file.opens("/item4999/x"))
        #expect(try file.links("/other") == .refused(.noMatch))
    }
}
