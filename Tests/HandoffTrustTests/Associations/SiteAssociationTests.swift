// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffTrust

// Shows N05: the part about the site's file.
@Suite struct SiteAssociationTests {
    private static let page = "/read/41?from=mail#top"

    private func hands(
        _ json: String, to app: AppIdentifier = Sites.notes, _ path: String = page
    ) throws -> AssociationVerdict {
        try SiteAssociation(json).verdict(
            for: app, service: .activityContinuation, url: try WebURL("https://example.com\(path)"))
    }

    @Test func appsOfActivityContinuationGetEveryAddressOfTheSite() throws {
        let file = #"{"activitycontinuation": {"apps": ["\#(Sites.photos)", "\#(Sites.notes)"]}}"#
        #expect(try hands(file).isApproved)
        #expect(try hands(file, "/").isApproved)
        guard case .approved(let match) = try hands(file) else { return }
        #expect(match.place == "activitycontinuation.apps[1]")
    }

    @Test func appOfAnotherTeamGetsNothing() throws {
        let file = #"{"activitycontinuation": {"apps": ["\#(Sites.impostor)", "*", "NOTES12345.*"]}}"#
        #expect(try hands(file) == .refused(.appNotListed(.activityContinuation)))
        #expect(try hands(file, to: Sites.impostor).isApproved)
    }

    @Test func servicesAreIndependentAndUnknownServicesIgnored() throws {
        let links = """
            {"applinks": {"details": [{"appIDs": ["\(Sites.notes)"], "components": [{"/": "*"}]}]},
             "webcredentials": 7, "somethingNew": {"apps": [{}]}}
            """
        #expect(try hands(links) == .refused(.serviceAbsent(.activityContinuation)))
        #expect(try SiteAssociation(links).opens("/"))
        let both = #"{"activitycontinuation": {"apps": ["\#(Sites.notes)"]}, "applinks": {"details": "none"}}"#
        #expect(try hands(both).isApproved)
        guard case .refused(.serviceUnusable(.appLinks, let reason)) = try SiteAssociation(both).links("/") else {
            Issue.record("applinks of the wrong type were taken")
            return
        }
        #expect(reason == "applinks.details is a string, not a list")
    }

    @Test(arguments: [
        (#"{"activitycontinuation": []}"#, "activitycontinuation is a list, not an object"),
        (#"{"activitycontinuation": {"apps": "X"}}"#, "activitycontinuation.apps is a string, not a list"),
        (
            #"{"activitycontinuation": {"apps": ["a", 7]}}"#,
            "an item of activitycontinuation.apps is a number, not a string"
        ),
        (#"{"activitycontinuation": null}"#, "activitycontinuation is null, not an object"),
        (
            "{\"activitycontinuation\": {\"apps\": [],\n\"apps\": []}}",
            "activitycontinuation cannot be read: line 2: \"apps\" occurs twice"
        ),
    ])
    func wrongTypesAreNamedWithTheirPlace(json: String, reason: String) throws {
        #expect(try hands(json) == .refused(.serviceUnusable(.activityContinuation, reason: reason)))
    }

    @Test func nullAmongAppsNamesNone() throws {
        let file = #"{"activitycontinuation": {"apps": [null, "\#(Sites.notes)"]}}"#
        guard case .approved(let match) = try hands(file) else {
            Issue.record("null ended the list")
            return
        }
        #expect(match.place == "activitycontinuation.apps[1]")
        #expect(try SiteAssociation(file).continues(Sites.notes))
        #expect(try hands(file, to: Sites.photos) == .refused(.appNotListed(.activityContinuation)))
        #expect(
            try hands(#"{"activitycontinuation": {"apps": null}}"#)
                == .refused(.appNotListed(.activityContinuation)))
    }

    /// No error in a site's links affects its Handoff section.
    @Test(arguments: [
        "7", "[]", #"{"details": 7}"#, #"{"details": [7, null, {"appID": 7}]}"#, #"{"a": 1, "a": 2}"#,
        #"{"details": [{"appID": "X", "appID": "Y"}]}"#, #"{"details": [], "details": []}"#, #"{"details": [{},],}"#,
        #"{"defaults": {"/": "/$(x)"}, "details": []}"#, #"{"substitutionVariables": {"a": 7}}"#,
    ])
    func slipInTheLinksEndsNoHandoff(links: String) throws {
        let file = #"{"applinks": \#(links), "activitycontinuation": {"apps": ["\#(Sites.notes)"]}}"#
        #expect(try hands(file).isApproved)
        #expect(try !SiteAssociation(file).opens("/"))
    }

    @Test func serviceWithoutAppsNamesNone() throws {
        #expect(try hands(#"{"activitycontinuation": {}}"#) == .refused(.appNotListed(.activityContinuation)))
        #expect(try hands("{}") == .refused(.serviceAbsent(.activityContinuation)))
    }

    @Test(arguments: [
        ("", AssociationRejection.Code.empty), (" \r\n\t", .empty), ("\u{FEFF}", .empty),
        ("<!DOCTYPE html><html><body>Not found</body></html>", .html), ("\n  <?xml version=\"1.0\"?>", .html),
        ("Not found", .notJSON), ("[]", .notAnObject), ("\"x\"", .notAnObject), ("17", .notAnObject),
        ("{\"applinks\": {}", .notJSON), ("{\"a\": 1, \"a\": 2}", .duplicateKey),
        ("-----BEGIN PKCS7-----\nMII", .notCMS),
    ])
    func otherFilesAreRefusedByName(text: String, code: AssociationRejection.Code) {
        #expect(throws: AssociationRejection(code, "")) { try SiteAssociation(text) }
    }

    @Test func bytesOfOtherFormatsAreRefusedByName() {
        let refused: [([UInt8], AssociationRejection.Code)] = [
            ([0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 3], .compressed), ([0xFF, 0xFE, 0x7B, 0, 0x7D, 0], .notUTF8),
            ([0xFE, 0xFF, 0, 0x7B], .notUTF8), (Array("{\"a\": \"".utf8) + [0xFF] + Array("\"}".utf8), .notUTF8),
        ]
        for (bytes, code) in refused {
            #expect(throws: AssociationRejection(code, "")) { try SiteAssociation(json: bytes) }
        }
    }

    @Test func markBeforeTheTextIsSkipped() throws {
        #expect(try hands("\u{FEFF}" + #"{"activitycontinuation": {"apps": ["\#(Sites.notes)"]}}"#).isApproved)
    }

    @Test func fileOfTheLargestSizeIsTakenAndNoLarger() throws {
        let start = #"{"activitycontinuation": {"apps": ["\#(Sites.notes)"]}, "comment": ""#
        let room = Limits.associationBytes - start.utf8.count - 2
        #expect(try hands(start + String(repeating: "x", count: room) + "\"}").isApproved)
        #expect(throws: AssociationRejection(.tooLarge, "")) {
            try SiteAssociation(start + String(repeating: "x", count: room + 1) + "\"}")
        }
    }

    @Test func deepNestingIsRefusedEvenInUnusedParts() {
        let nested = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(throws: AssociationRejection(.nestingTooDeep, "")) { try SiteAssociation(#"{"x": \#(nested)}"#) }
    }

    @Test func refusalsAreForPeople() {
        #expect(AssociationRejection(.html, "a \u{202E}page\n").description == "a page")
        #expect {
            _ = try SiteAssociation("{\"\u{202E}a\": 1, \"\u{202E}a\": 2}")
        } throws: {
            "\($0)" == "line 1: \"a\" occurs twice"
        }
    }

    @Test func appIdentifiersAreATeamAndABundle() throws {
        let app = try AppIdentifier("NOTES12345.com.example.notes")
        #expect(app.team.name == "NOTES12345")
        #expect(app.bundle.name == "com.example.notes")
        #expect(app.description == "NOTES12345.com.example.notes")
        for text in ["", "com.example.notes", "NOTES12345", "NOTES12345.", "notes12345.com.example", "NOTES12345.*"] {
            #expect(throws: WireError.self) { try AppIdentifier(text) }
        }
    }
}
