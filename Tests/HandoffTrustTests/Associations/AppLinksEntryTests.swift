// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffTrust

/// All forms of entries, and the effect of `defaults`.
// Shows N13, N14.
@Suite struct AppLinksEntryTests {
    @Test func entriesOfOneAppAreTriedInTheirOrder() throws {
        let file = try SiteAssociation(
            """
            {"applinks": {"details": [
             {"appIDs": ["\(Sites.photos)"], "components": [{"/": "/photo/*"}]},
             {"appIDs": ["\(Sites.notes)", "\(Sites.photos)"], "components": [{"/": "/a", "exclude": true}]},
             {"appID": "\(Sites.notes)", "components": [{"/": "*"}]}]}}
            """)
        #expect(try file.opens("/photo/1", in: Sites.photos))
        #expect(try file.opens("/photo/1", in: Sites.notes))
        #expect(try !file.opens("/a", in: Sites.notes))
        #expect(try file.opens("/b", in: Sites.notes))
        #expect(try !file.opens("/b", in: Sites.photos))
    }

    @Test(arguments: [
        // entry, the component that opens /a/b
        (#"{"appID": "A", "paths": ["NOT *"], "components": [{"/": "/a/*"}]}"#, "components[0]"),
        (#"{"appID": 7, "appIDs": ["A"], "paths": 7, "components": [{"/": "/a/*"}]}"#, "components[0]"),
        (#"{"appIDs": ["A"], "paths": ["NOT /a", "/a/*"]}"#, "paths[1]"),
        (#"{"appID": "A", "appIDs": null, "paths": ["/a/*"], "components": null}"#, "paths[0]"),
    ])
    func newKeysTakePrecedenceOverOldKeys(entry: String, by place: String) throws {
        let mixed = entry.replacing("\"A\"", with: "\"\(Sites.notes)\"")
        let file = try SiteAssociation(#"{"applinks": {"details": [\#(mixed)]}}"#)
        guard case .approved(let match) = try file.links("/a/b") else {
            Issue.record("\(try file.links("/a/b"))")
            return
        }
        #expect(match.place == "applinks.details[0].\(place)")
        #expect(try file.links("/b") == .refused(.noMatch))
    }

    @Test(arguments: [#"{"appIDs": "X", "components": []}"#, #"{"appID": ["X"]}"#, #"{"appIDs": ["X", 7]}"#])
    func entryWithUnreadableAppIDsRefusesAllApps(entry: String) throws {
        let file = try SiteAssociation(
            """
            {"applinks": {"details": [\(entry), {"appIDs": ["\(Sites.notes)"], "components": [{"/": "*"}]}]}}
            """)
        guard case .refused(.entryUnusable) = try file.links("/a") else {
            Issue.record("an entry that may be about any app was passed by")
            return
        }
    }

    @Test(arguments: [
        "null", "{}", #"{"components": [{"/": "*", "exclude": true}]}"#, #"{"appIDs": [], "paths": ["NOT *"]}"#,
        #"{"appID": null, "components": 7}"#, #""x""#, "7", #"{"appIDs": [null]}"#,
    ])
    func entryWithoutANameIsPassedBy(entry: String) throws {
        let file = try SiteAssociation(
            """
            {"applinks": {"details": [\(entry), {"appIDs": ["\(Sites.notes)"], "components": [{"/": "/a"}]}]}}
            """)
        #expect(try file.opens("/a"))
        #expect(try file.links("/a", for: Sites.photos) == .refused(.appNotListed(.appLinks)))
    }

    @Test func entriesMayStandUnderTheNamesOfTheirApps() throws {
        let file = try SiteAssociation(
            """
            {"applinks": {"apps": [], "details": {
             "\(Sites.photos)": {"paths": ["*"]}, "X": 7, "Y": null,
             "\(Sites.notes)": {"appID": "\(Sites.impostor)", "paths": ["NOT /a", "/b"]}}}}
            """)
        #expect(try file.opens("/a", in: Sites.photos))
        #expect(try file.opens("/b"))
        #expect(try !file.opens("/a"))
        #expect(try !file.opens("/b", in: Sites.impostor))
        guard case .approved(let match) = try file.links("/b") else { return }
        #expect(match.place == #"applinks.details["NOTES12345.com.example.notes"].paths[1]"#)
        let damaged = try SiteAssociation(
            #"{"applinks": {"details": {"\#(Sites.notes)": [], "\#(Sites.photos)": {"paths": ["*"]}}}}"#)
        guard case .refused(.entryUnusable) = try damaged.links("/") else {
            Issue.record("a list was taken for an entry")
            return
        }
        #expect(try damaged.opens("/", in: Sites.photos))
    }

    @Test func mostSpecificDefaultWins() throws {
        func opens(site: String, entry: String, component: String) throws -> Bool {
            try SiteAssociation(
                """
                {"applinks": {"defaults": {\(site)}, "details": [{"appIDs": ["\(Sites.notes)"],
                 "defaults": {\(entry)}, "components": [{"/": "/A"\(component)}]}]}}
                """
            ).opens("/a")
        }
        let (any, exact) = (#""caseSensitive": false"#, #""caseSensitive": true"#)
        #expect(try !opens(site: "", entry: "", component: ""))
        #expect(try opens(site: any, entry: "", component: ""))
        #expect(try !opens(site: any, entry: exact, component: ""))
        #expect(try opens(site: exact, entry: any, component: ""))
        #expect(try opens(site: any, entry: exact, component: ", \(any)"))
        #expect(try !opens(site: any, entry: any, component: ", \(exact)"))
    }

    @Test func defaultsAreThereForEveryPropertyOfAComponent() throws {
        func opens(_ path: String, site: String, entry: String, component: String) throws -> Bool {
            try SiteAssociation(
                """
                {"applinks": {"defaults": {\(site)}, "substitutionVariables": {"v": ["x"]}, "details": [
                 {"appIDs": ["\(Sites.notes)"], "defaults": {\(entry)}, "components": [{\(component)}]}]}}
                """
            ).opens(path)
        }
        let (yes, no) = (#""exclude": false"#, #""exclude": true"#)
        #expect(try !opens("/a", site: no, entry: "", component: ""))
        #expect(try !opens("/a", site: yes, entry: no, component: #""/": "/a""#))
        #expect(try opens("/a", site: no, entry: yes, component: ""))
        #expect(try opens("/a", site: no, entry: no, component: yes))
        let path = #""/": "/$(v)/A", "comment": "a default""#
        #expect(try opens("/x/A", site: path, entry: "", component: ""))
        #expect(try !opens("/x/a", site: path, entry: "", component: ""))
        #expect(try opens("/X/a", site: path, entry: "", component: #""caseSensitive": false"#))
        #expect(try !opens("/x/A", site: path, entry: #""/": "/b""#, component: ""))
        #expect(try opens("/c", site: path, entry: #""/": "/b""#, component: #""/": "/c""#))
        let query = ##""?": {"a": "1"}, "#": "x""##
        #expect(try opens("/?a=1#x", site: query, entry: "", component: ""))
        #expect(try !opens("/?a=1", site: query, entry: "", component: ""))
        // A dictionary replaces the default; they are not merged.
        #expect(try opens("/?b=2#x", site: query, entry: "", component: #""?": {"b": "2"}"#))
        #expect(try opens("/?a=7#x", site: query, entry: "", component: #""?": {"b": true}"#))
    }

    @Test func pathsOfTheOldFormAreExcludedByDefaultToo() throws {
        for defaults in [
            #""defaults": {"exclude": true}, "details": [{"#, #""details": [{"defaults": {"exclude": true}, "#,
        ] {
            let file = try SiteAssociation(
                #"{"applinks": {\#(defaults)"appID": "\#(Sites.notes)", "paths": ["/a", "NOT /b"]}]}}"#)
            for path in ["/a", "/b"] {
                guard case .refused(.excluded) = try file.links(path) else {
                    Issue.record("\(path) is not excluded by \(defaults)")
                    continue
                }
            }
        }
    }

    @Test(arguments: [
        #"{"/": 7}"#, #"{"?": []}"#, #"{"exclude": "yes"}"#, #"{"/": "$(v)"}"#, #"{"a": 1, "a": 1}"#, "[]",
    ])
    func defaultsThatCannotBeReadGiveNothing(defaults: String) throws {
        guard
            case .refused(.serviceUnusable(.appLinks, _)) = try SiteAssociation(
                components: #"[{"/": "*"}]"#, defaults: defaults
            ).links("/")
        else {
            Issue.record("\(defaults) were taken")
            return
        }
    }
}
