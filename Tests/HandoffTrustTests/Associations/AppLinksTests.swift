// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffTrust

// Shows N13.
@Suite struct AppLinksTests {
    /// From Apple's documentation.
    private static let shop = """
        [{"#": "no_universal_links", "exclude": true, "comment": "stays in the browser"},
         {"/": "/buy/*", "comment": "everything that can be bought"},
         {"/": "/help/website/*", "exclude": true},
         {"/": "/help/*", "?": {"articleNumber": "????"}}]
        """

    @Test(arguments: [
        ("/buy/", true), ("/buy/a/b", true), ("/buy", true), ("/buyer", false), ("/Buy/a", false),
        ("/buy/a?x=1#y", true),
        ("/buy/a#no_universal_links", false), ("/help/website/a?articleNumber=1234", false),
        ("/help/a?articleNumber=1234", true), ("/help/a?articleNumber=12345", false), ("/help/a", false),
        ("/help/a?other=1&articleNumber=1234", true), ("/", false),
    ])
    func firstComponentThatMatchesDecides(path: String, opens: Bool) throws {
        #expect(try SiteAssociation(components: Self.shop).opens(path) == opens)
    }

    @Test func verdictNamesWhatDecided() throws {
        let file = try SiteAssociation(components: Self.shop)
        #expect(
            try file.links("/buy/a")
                == .approved(
                    .init(
                        place: "applinks.details[0].components[1]", pattern: "path /buy/*",
                        comment: "everything that can be bought")))
        guard case .refused(.excluded(let match)) = try file.links("/buy/a#no_universal_links") else {
            Issue.record("an excluded address was not excluded")
            return
        }
        #expect(match.place == "applinks.details[0].components[0]")
        #expect(match.comment == "stays in the browser")
        #expect(try file.links("/other") == .refused(.noMatch))
        #expect(try file.links("/buy/a", for: Sites.impostor) == .refused(.appNotListed(.appLinks)))
    }

    @Test(arguments: [
        // pattern, query, whether it matches
        (#""x=1""#, "?x=1", true), (#""x=1""#, "?x=1&y=2", false), (#""*y=2*""#, "?x=1&y=2", true),
        (#""""#, "", true), (#""""#, "?", true), (#""?*""#, "", false),
        (#"{"a": "1"}"#, "?a=1", true), (#"{"a": "1"}"#, "?b=1&a=1", true), (#"{"a": "1"}"#, "?a=2", false),
        // All items of one name must match.
        (#"{"a": "1*"}"#, "?a=1&a=12", true), (#"{"a": "1*"}"#, "?a=1&a=2", false),
        // A missing item equals an empty one.
        (#"{"a": "*"}"#, "", true), (#"{"a": ""}"#, "?b=1", true), (#"{"a": "?*"}"#, "?b=1", false),
        (#"{"a": ""}"#, "?a", true), (#"{"a": ""}"#, "?a=", true), (#"{"a": "b=c"}"#, "?a=b=c", true),
        (#"{"a": "1", "b": "2"}"#, "?b=2&a=1", true), (#"{"a": "1", "b": "2"}"#, "?a=1", false), ("{}", "?x", true),
    ])
    func queriesMatchAsAWholeOrByItem(pattern: String, query: String, matches: Bool) throws {
        #expect(try SiteAssociation(components: #"[{"?": \#(pattern)}]"#).opens("/p\(query)") == matches)
    }

    @Test func everyPartThatIsNamedHasToMatch() throws {
        let file = try SiteAssociation(components: ##"[{"/": "/a", "?": "b", "#": "c"}]"##)
        #expect(try file.opens("/a?b#c"))
        for path in ["/x?b#c", "/a?x#c", "/a?b#x", "/a", "/a?b", "/a#c"] { #expect(try !file.opens(path)) }
        #expect(try SiteAssociation(components: "[{}]").opens("/anything?at#all"))
        #expect(try !SiteAssociation(components: "[]").opens("/anything"))
    }

    @Test func capitalsCountUnlessTheComponentSaysOtherwise() throws {
        let file = try SiteAssociation(
            components: #"[{"/": "/Sea/*", "caseSensitive": false}, {"?": {"Page": "A?"}, "caseSensitive": false}]"#)
        for path in ["/sea/x", "/SEA/", "/other?pAGE=aB"] { #expect(try file.opens(path)) }
        let strict = try SiteAssociation(components: #"[{"/": "/Sea/*"}]"#)
        #expect(try strict.opens("/Sea/x"))
        #expect(try !strict.opens("/sea/x"))
    }

    @Test func decodedPartsAreComparedIfTheFileRequestsIt() throws {
        let encoded = try SiteAssociation(components: #"[{"/": "/stra%C3%9Fe/?"}]"#)
        #expect(try encoded.opens("/stra%C3%9Fe/1"))
        #expect(try !encoded.opens("/stra%C3%9Fe/%C3%9F"))
        let decoded = try SiteAssociation(
            components: #"[{"/": "/straße/?", "percentEncoded": false}, {"?": {"ü b": "ä"}, "percentEncoded": false}]"#)
        #expect(try decoded.opens("/stra%C3%9Fe/1"))
        // One character, regardless of its bytes.
        #expect(try decoded.opens("/stra%c3%9fe/%F0%9F%98%80"))
        #expect(try !decoded.opens("/stra%C3%9Fe/12"))
        #expect(try decoded.opens("/?%C3%BC%20b=%c3%a4"))
        #expect(try !decoded.opens("/?%C3%BC%20b=x"))
    }

    @Test func encodedSlashEndsAFolderWhereTheFileHasTextsDecodedAndNothingSaysNo() throws {
        let open = #"{"/": "/open/*", "percentEncoded": false}, {"/": "/a%2Fb", "percentEncoded": false}"#
        let file = try SiteAssociation(components: "[\(open)]")
        #expect(try file.opens("/open%2Fside"))
        #expect(try file.opens("/open/%2Fside"))
        // Also literally.
        #expect(try file.opens("/a%2Fb"))
        #expect(try file.opens("/open/%zz%4"))
        // Not UTF-8 once decoded.
        #expect(try !file.opens("/open/%FF"))
        #expect(try !SiteAssociation(components: #"[{"/": "/open/*"}]"#).opens("/open%2Fside"))
        let careful = try SiteAssociation(components: #"[\#(open), {"/": "/open%2*", "exclude": true}]"#)
        #expect(try careful.opens("/open/side"))
        #expect(try !careful.opens("/open%2Fside"))
    }

    @Test func exclusionHoldsHoweverASlashIsWritten() throws {
        let file = try SiteAssociation(
            components: #"[{"/": "/secret/*", "percentEncoded": false, "exclude": true}, {"/": "*"}]"#)
        for path in [
            "/secret/a", "/secret%2Fa", "/secret%2fa", "/secret%2F%FF", "/secret/%FF", "/secret%2F", "/secret",
        ] {
            guard case .refused(.excluded) = try file.links(path) else {
                Issue.record("\(path) is not excluded")
                continue
            }
        }
        #expect(try file.opens("/open%2Fsecret"))
    }

    @Test(arguments: [
        ("/$(lang)_$(region)/", "/de_CH/", true), ("/$(lang)_$(region)/", "/DE_ch/", false),
        ("/$(lang)_$(region)/", "/xx_CH/", false), ("/$(food)/", "/pizza/", true), ("/$(food)/", "/soup/", false),
        ("/$(food)", "/sushi-12", true), ("/$(food)", "/sushi-1", false), ("/$(Food)", "/x", true),
        ("/$(alpha)$(digit)", "/a1", true), ("/$(alpha)$(digit)", "/11", false), ("/$(upper)", "/A", true),
        ("/$(upper)", "/a", false), ("/$(lower)", "/a", true), ("/$(lower)", "/A", false), ("/$(alnum)", "/7", true),
        ("/$(alnum)", "/-", false), ("/$(xdigit)$(xdigit)", "/fF", true), ("/$(xdigit)", "/g", false),
        ("/$(empty)x", "/x", true), ("/*$(digit)$(digit)", "/page-41", true), ("/*$(digit)$(digit)", "/page-4", false),
        ("/$(food)*$(food)", "/pizza-or-burrito", true), ("/$", "/$", true), ("/$x(", "/$x(", true),
    ])
    func variablesStandForTheirValues(pattern: String, path: String, matches: Bool) throws {
        let variables = #"{"food": ["burrito", "pizza", "sushi-??"], "Food": ["x"], "empty": ["", "y"]}"#
        let file = try SiteAssociation(components: #"[{"/": "\#(pattern)"}]"#, variables: variables)
        #expect(try file.opens(path) == matches)
    }

    @Test func valuesOfVariablesFollowTheComponentInItsCapitals() throws {
        let file = try SiteAssociation(
            components: #"[{"/": "/$(Word)/$(upper)/$(region)", "caseSensitive": false}]"#,
            variables: #"{"Word": ["Sea"]}"#)
        #expect(try file.opens("/sEA/q/ch"))
        #expect(try !file.opens("/sEA/1/ch"))
    }

    @Test(arguments: [
        #"[{"/": "/$(nothing)"}]"#, #"[{"/": "/$(word"}]"#, #"[{"/": 7}]"#, #"[{"?": ["a"]}]"#, ##"[{"#": null}]"##,
        #"[{"/": "/a", "/": "/b"}]"#, #"[{"?": {"a": "1", "a": "2"}}]"#, "[null]",
        #"[{"exclude": "yes"}]"#, #"[{"caseSensitive": 0}]"#, #"[{"percentEncoded": null}]"#, #"[{"comment": {}}]"#,
        #"["/a"]"#, #"{"/": "/a"}"#, #""*""#,
    ])
    func unreadableEntryApprovesNothing(components: String) throws {
        let file = try SiteAssociation(
            """
            {"applinks": {"substitutionVariables": {"word": ["a"]}, "details": [
             {"appIDs": ["\(Sites.notes)"], "components": \(components)},
             {"appIDs": ["\(Sites.photos)", "\(Sites.notes)"], "components": [{"/": "*"}]}]}}
            """)
        // Nor do later entries for this app, because the unreadable entry may have excluded the address.
        guard case .refused(.entryUnusable(let reason)) = try file.links("/a") else {
            Issue.record("an entry that cannot be read was passed by")
            return
        }
        #expect(reason.hasPrefix("applinks.details[0].components"))
        #expect(try file.opens("/a", in: Sites.photos))
    }

    @Test(arguments: [
        #"{"a": "b"}"#, #"{"a": [1]}"#, #"{"": ["b"]}"#, #"{"a(": ["b"]}"#, #"{"a": ["$(b)"]}"#, #"{"digit": ["x"]}"#,
        #"{"lang": ["x"]}"#, "[]",
    ])
    func variablesThatCannotBeUsedMakeTheServiceUnusable(variables: String) throws {
        guard
            case .refused(.serviceUnusable(.appLinks, _)) = try SiteAssociation(
                components: #"[{"/": "*"}]"#, variables: variables
            ).links("/")
        else {
            Issue.record("\(variables) were taken")
            return
        }
    }
}
