// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffTrust

// Shows N15: the part about the site's file.
@Suite struct ExplanationTests {
    private let file = """
        {"activitycontinuation": {"apps": ["\(Sites.photos)", "\(Sites.notes)"]},
         "applinks": {"details": [
          {"appIDs": ["\(Sites.photos)"], "components": [{"/": "*"}]},
          {"appIDs": ["\(Sites.notes)"], "components": [
           {"/": "/buy/*", "?": {"page": "?"}}, {"/": "/help/*", "?": {"page": "?"}, "#": "x"}, {"/": "/help/old/*",
            "exclude": true}, {"/": "/help/*"}]}]}}
        """

    private func explain(
        _ path: String, _ service: AssociationService = .appLinks, _ app: AppIdentifier = Sites.notes
    ) throws -> AssociationExplanation {
        try SiteAssociation(file).explanation(
            for: app, service: service, url: try WebURL("https://example.com\(path)"))
    }

    @Test func everyComponentSaysWhatStoppedIt() throws {
        let explanation = try explain("/help/new?page=12")
        #expect(explanation.verdict.isApproved)
        #expect(
            explanation.steps.map(\.description) == [
                "applinks.details[0]: is about other apps",
                "applinks.details[1].components[0]: path /buy/*, query item page=?: the path does not match",
                "applinks.details[1].components[1]: path /help/*, query item page=?, fragment x: "
                    + "the fragment does not match",
                "applinks.details[1].components[2]: path /help/old/*: the path does not match",
                "applinks.details[1].components[3]: path /help/*: matches",
            ])
        #expect(explanation.stepsLeftOut == 0)
    }

    @Test func queryItemThatStoppedAComponentIsNamed() throws {
        let steps = try explain("/help/new?page=12#x").steps
        #expect(steps[2].finding.hasSuffix("the query item page does not match"))
    }

    @Test func noIsExplainedToo() throws {
        let excluded = try explain("/help/old/1")
        #expect(!excluded.verdict.isApproved)
        #expect(excluded.steps.last?.finding == "path /help/old/*: matches, and excludes the address")
        #expect(
            excluded.verdict.description
                == "no: applinks.details[1].components[2] (path /help/old/*) excludes the address")
        let nobody = try explain("/help/", .appLinks, Sites.impostor)
        #expect(nobody.verdict.description == "no: the file does not name the app under applinks")
        #expect(nobody.steps.allSatisfy { $0.finding == "is about other apps" })
    }

    @Test func looseMatchesAreExplained() throws {
        let file = try SiteAssociation(
            #"""
            {"applinks": {"details": [{"paths": ["*"]}, {"appIDs": ["\#(Sites.notes)"], "components": [
             {"/": "/a/*"}, {"/": "/a/b", "percentEncoded": false}, {"/": "/c", "exclude": true}, {"/": "/a%2F*"}]}]}}
            """#)
        func findings(_ path: String) throws -> [String] {
            file.explanation(for: Sites.notes, service: .appLinks, url: try WebURL("https://example.com\(path)"))
                .steps.map(\.finding)
        }
        #expect(
            try findings("/a") == [
                "names no app", "path /a/*: matches but for a slash, and applies unless a later one excludes it",
                "path /a/b: the path does not match", "path /c: the path does not match",
                "path /a%2F*: the path does not match",
            ])
        #expect(
            try findings("/a%2Fb").suffix(3) == [
                "path /a/b: matches but for what is encoded, and applies unless a later one excludes it",
                "path /c: the path does not match", "path /a%2F*: matches",
            ])
        #expect(try findings("/c/").last == "path /c: matches but for a slash, and excludes it")
    }

    @Test func namesOfAppsInThePlaceAreCleaned() throws {
        let file = try SiteAssociation(
            #"{"applinks": {"details": {"a\u202e\nb": {"paths": 7}, "\#(Sites.notes)": {"paths": 7}}}}"#)
        let explanation = file.explanation(
            for: Sites.notes, service: .appLinks, url: try WebURL("https://example.com/"))
        #expect(
            explanation.steps.map(\.description) == [
                #"applinks.details["a b"]: is about other apps"#,
                #"applinks.details["\#(Sites.notes)"]: cannot be used: "#
                    + #"applinks.details["\#(Sites.notes)"].paths is a number, not a list"#,
            ])
    }

    @Test func appsOfHandoffAreExplained() throws {
        #expect(
            try explain("/", .activityContinuation).steps.map(\.description) == [
                "activitycontinuation.apps[0]: names another app, \(Sites.photos)",
                "activitycontinuation.apps[1]: names the app",
            ])
        #expect(
            try explain("/", .webCredentials).verdict.description == "no: the file has no entry for webcredentials")
    }

    @Test func explanationIsBounded() throws {
        let lines = (0..<1000).map { #"{"/": "/item\#($0)"}"# }.joined(separator: ",")
        let explanation = try SiteAssociation(components: "[\(lines)]").explanation(
            for: Sites.notes, service: .appLinks, url: try WebURL("https://example.com/"))
        #expect(explanation.steps.count == AssociationLimits.steps)
        #expect(explanation.stepsLeftOut == 1000 - AssociationLimits.steps)
        #expect(explanation.verdict == .refused(.noMatch))
    }

    @Test(arguments: [#""components": [{"/": "/app/#/item/*"}]"#, #""paths": ["/app/#/item/*"]"#])
    func aPathWithAFragmentIsExplained(list: String) throws {
        let file = try SiteAssociation(
            #"{"applinks": {"details": [{"appIDs": ["\#(Sites.notes)"], \#(list)}]}}"#)
        let steps = file.explanation(
            for: Sites.notes, service: .appLinks, url: try WebURL("https://example.com/app/#/item/1")
        ).steps
        #expect(
            steps.last?.finding
                == "path /app/#/item/*: the path does not match; # is not part of a path, but begins the fragment: "
                + "an item of components with the key \"#\" is meant")
    }

    @Test func wordsOfTheSiteAreCleaned() throws {
        let file = try SiteAssociation(
            components: #"[{"/": "/\u202e*", "exclude": true}, {"/": "/a", "comment": "one\ntwo\u0007\u202e"}]"#)
        guard case .approved(let match) = try file.links("/a") else {
            Issue.record("/a does not match")
            return
        }
        #expect(match.comment == "one two")
        let steps = file.explanation(
            for: Sites.notes, service: .appLinks, url: try WebURL("https://example.com/b")
        ).steps
        #expect(steps.first?.finding == "path /*: the path does not match")
    }

    @Test(arguments: [
        ("NOT  /a", "NOT must be followed by exactly one space"),
        ("NOT \t/a", "NOT must be followed by exactly one space"),
        ("NOT\t/a", "not a NOT"), ("not /a", "not a NOT"), ("Not /a", "not a NOT"), (" NOT /a", "not a NOT"),
    ])
    func pathThatLooksLikeANotIsNamed(path: String, remark: String) throws {
        let text = path.replacing("\t", with: "\\t")
        let steps = try SiteAssociation(
            #"{"applinks": {"details": [{"appID": "NOTES12345.com.example.notes", "paths": ["\#(text)", "NOT /b", "*"]}]}}"#
        ).explanation(for: Sites.notes, service: .appLinks, url: try WebURL("https://example.com/a")).steps
        #expect(steps.first?.finding.contains(remark) == true, "\(steps)")
        #expect(!steps.dropFirst().contains { $0.finding.contains("NOT must") || $0.finding.contains("not a NOT") })
    }

    @Test func pathThatBeginsWithNotAloneIsAPath() throws {
        let steps = try SiteAssociation(
            #"{"applinks": {"details": [{"appID": "NOTES12345.com.example.notes", "paths": ["notes/*", "not"]}]}}"#
        ).explanation(for: Sites.notes, service: .appLinks, url: try WebURL("https://example.com/a")).steps
        #expect(steps.map(\.finding).allSatisfy { !$0.contains("NOT") })
    }
}
