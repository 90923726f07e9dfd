// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffTrust

@Suite struct AssociatedDomainTests {
    private func claim(
        _ host: String, of entries: [String], _ service: AssociationService = .activityContinuation,
        modes: Set<AssociatedDomain.Mode> = []
    ) -> String? {
        AssociatedDomains(entries: entries).claim(for: Sites.host(host), service: service, modes: modes)?.description
    }

    // Shows N09.
    @Test func wildcardCoversWhatIsBelowItAndNotTheDomainItself() {
        let entries = ["activitycontinuation:*.example.com"]
        #expect(claim("www.example.com", of: entries) == entries[0])
        #expect(claim("a.b.example.com", of: entries) == entries[0])
        #expect(claim("example.com", of: entries) == nil)
        #expect(claim("badexample.com", of: entries) == nil)
        #expect(claim("example.com.evil.org", of: entries) == nil)
    }

    // Shows N09.
    @Test func longestWildcardWinsAndTheHostItselfWinsOverAll() throws {
        let entries = ["*.example.com", "www.de.example.com", "*.de.example.com", "example.com"].map {
            "activitycontinuation:" + $0
        }
        #expect(claim("www.de.example.com", of: entries) == entries[1])
        #expect(claim("shop.de.example.com", of: entries) == entries[2])
        #expect(claim("de.example.com", of: entries) == entries[0])
        #expect(claim("example.com", of: entries) == entries[3])
        #expect(claim("example.org", of: entries) == nil)
        #expect(claim("example.com", of: entries, .appLinks) == nil)
    }

    // Shows N09.
    @Test func fileOfAWildcardIsOnItsDomain() throws {
        let domains = AssociatedDomains(
            entries: ["applinks:*.example.com", "applinks:www.example.com", "applinks:EXAMPLE.org"])
        func file(_ host: String) -> String? {
            domains.claim(for: Sites.host(host), service: .appLinks)?.host.name
        }
        #expect(file("a.b.example.com") == "example.com")
        #expect(file("www.example.com") == "www.example.com")
        #expect(file("example.org") == "example.org")
    }

    // Shows N10.
    @Test(arguments: [
        ("activitycontinuation:example.com:8443", DomainRejection.Code.port), ("applinks:example.com:443", .port),
        ("applinks:10.0.0.1:80", .port), ("applinks:example.com/", .path), ("applinks:example.com/path", .path),
        ("applinks:https://example.com", .path), ("applinks:example.com/?mode=developer", .path),
        ("applinks:example.com#top", .path), ("activity continuation:example.com", .blank),
        ("applinks: example.com", .blank), ("applinks:example.com ", .blank), ("applinks:exa mple.com", .blank),
        ("example.com", .noService), ("", .noService), (":example.com", .unknownService),
        ("continuity:example.com", .unknownService), ("ActivityContinuation:example.com", .unknownService),
        ("applinks:user@example.com", .userInfo), ("applinks:*example.com", .badWildcard),
        ("applinks:*", .badWildcard), ("applinks:www.*.com", .badWildcard), ("applinks:*.*.example.com", .badWildcard),
        ("appclips:*.example.com", .badWildcard), ("applinks:*.com", .host(.oneLabel)),
        ("applinks:localhost", .host(.oneLabel)), ("applinks:", .host(.empty)), ("applinks:*.", .host(.empty)),
        ("applinks:192.168.1.1", .host(.address)), ("applinks:[::1]", .host(.address)),
        ("applinks:::1", .host(.address)), ("applinks:0x7f.0x1", .host(.address)),
        ("applinks:example.com.", .host(.dotAtTheEnd)), ("applinks:exa_mple.com", .host(.badLabel)),
        ("applinks:a..example.com", .host(.badLabel)), ("applinks:-a.example.com", .host(.badLabel)),
        ("applinks:bücher.example", .host(.notASCII)), ("applinks:exаmple.com", .host(.notASCII)),
        ("applinks:example.com?mode=other", .badMode), ("applinks:example.com?", .badMode),
        ("applinks:example.com?x=1", .badMode), ("applinks:example.com?mode=developer&x=1", .badMode),
    ])
    func invalidClaimIsRejectedWithItsEntry(entry: String, code: DomainRejection.Code) {
        let domains = AssociatedDomains(entries: ["applinks:example.org", entry])
        #expect(domains.claims.map(\.description) == ["applinks:example.org"])
        #expect(domains.rejections.map(\.code) == [code])
        #expect(domains.rejections.first?.description.hasPrefix("\"" + entry.prefix(5)) == true)
    }

    // Shows N10.
    @Test func internationalHostsAreWrittenInASCII() throws {
        let domain = try AssociatedDomain(entry: "applinks:xn--bcher-kva.example")
        #expect(domain.host.name == "xn--bcher-kva.example")
        #expect {
            _ = try AssociatedDomain(entry: "applinks:bücher.example")
        } throws: {
            "\($0)".contains("xn--bcher-kva.example")
        }
    }

    // Shows N11.
    @Test func modesOfAClaimHaveToBeTheDevicesToo() {
        let entries = [
            "activitycontinuation:dev.example.com?mode=developer", "activitycontinuation:corp.example.com?mode=managed",
            "activitycontinuation:both.example.com?mode=developer+managed",
        ]
        #expect(claim("dev.example.com", of: entries) == nil)
        #expect(claim("dev.example.com", of: entries, modes: [.managed]) == nil)
        #expect(claim("dev.example.com", of: entries, modes: [.developer]) == entries[0])
        #expect(claim("corp.example.com", of: entries, modes: [.developer]) == nil)
        #expect(claim("corp.example.com", of: entries, modes: [.managed]) == entries[1])
        #expect(claim("both.example.com", of: entries, modes: [.developer]) == nil)
        #expect(claim("both.example.com", of: entries, modes: [.developer, .managed]) == entries[2])
    }

    // Shows N11.
    @Test func claimWithoutAModeSpeaksFirst() {
        let entries = ["applinks:example.com?mode=developer", "applinks:example.com"]
        #expect(claim("example.com", of: entries, .appLinks, modes: [.developer]) == entries[1])
        let wildcard = ["applinks:www.example.com?mode=developer", "applinks:*.example.com"]
        #expect(claim("www.example.com", of: wildcard, .appLinks) == wildcard[1])
        #expect(claim("www.example.com", of: wildcard, .appLinks, modes: [.developer]) == wildcard[0])
    }

    // Shows N10.
    @Test func domainsOfAnAppAreBounded() {
        let entries = (0..<AssociationLimits.domains).flatMap {
            ["applinks:host\($0).example.com", "activitycontinuation:host\($0).example.com?mode=developer"]
        }
        #expect(AssociatedDomains(entries: entries).claims.count == 2 * AssociationLimits.domains)
        let more = AssociatedDomains(entries: entries + ["applinks:*.example.com"])
        #expect(more.claims.isEmpty)
        #expect(more.rejections.map(\.code) == [.tooManyDomains])
    }

    @Test func claimsComeFromTheEntitlementsOfAManifest() throws {
        let entitlements = try BundleEntitlements(associatedDomains: ["activitycontinuation:example.com"])
        #expect(AssociatedDomains(entitlements).claims.count == 1)
        #expect(AssociatedDomains(.none).claims.isEmpty)
    }

    @Test func claimIsReadAgainAsItIsWritten() throws {
        for entry in [
            "applinks:*.example.com?mode=developer+managed", "webcredentials:example.com", "appclips:a.example.com",
            "activitycontinuation:Example.COM?mode=managed+developer",
        ] {
            let domain = try AssociatedDomain(entry: entry)
            #expect(try AssociatedDomain(entry: domain.description) == domain)
        }
    }
}
