// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Real web sites, served by nginx, with typical responses.
@Suite(.serialized, .needsNamespaces) struct SiteTests {
    private typealias Question = WebSites.Question

    /// A site's response and its expected result.
    private struct Case {
        let name: String
        let state: String
        /// Of the reason shown to users; nil: there is none.
        let reason: String?

        init(_ name: String, _ state: String, _ reason: String? = nil) {
            self.name = name
            self.state = state
            self.reason = reason
        }
    }

    // Shows N05, N06, N07, N08.
    @Test func eachSiteIsJudgedByItsAnswer() throws {
        try Stage.play { stage in
            let internet = try Internet(on: stage)
            let cases = try Self.everyKind(of: internet)
            // No app claims these sites, though one redirects there.
            try internet.site("elsewhere.example")
            try internet.site("www.good.example")
            try internet.begin()
            try internet.install(claiming: cases.map(\.name))
            // Its query may still run or wait.
            try internet.laptop.handoff("web", "refresh", "slow.example", within: .seconds(30))

            let list = try internet.laptop.json("web", "list")
            let hosts = list.elements.compactMap { $0["host"]?.string }
            #expect(Set(hosts) == Set(cases.map(\.name)))
            for expected in cases {
                let site = list.first(where: "host", is: expected.name)
                #expect(site?["state"]?.string == expected.state, "\(expected.name): \(String(describing: site))")
                let reason = site?["reason"]?.string
                #expect(
                    expected.reason.map { reason?.contains($0) ?? false } ?? (reason == nil),
                    "\(expected.name): \(String(describing: reason))")
            }
            #expect(list.first(where: "host", is: "root.example")?["atRoot"]?.bool == true)
            #expect(list.first(where: "host", is: "signed.example")?["signed"]?.bool == true)
            try Self.check(try internet.sites.stop(), of: internet, cases)
        }
    }

    // Shows N12: a site's answer takes effect at once; a response without the file keeps the last answer.
    @Test func aSiteThatSaysNoEndsTheClaim() throws {
        try Stage.play { stage in
            let internet = try Internet(on: stage)
            let names = ["gone.example", "other.example", "same.example", "troubled.example"]
            for name in names {
                try internet.site(name, "if (-f $document_root/trouble) { return 503; }")
            }
            try internet.begin()
            try internet.install(claiming: names)
            let expected = Dictionary(uniqueKeysWithValues: names.map { ($0, "answered") })
            #expect(try internet.answers() == expected)
            for name in names { #expect(try internet.taker(of: "https://\(name)/menu") == Internet.app.bundle) }

            try internet.sites.put(nil, at: Internet.wellKnown, of: "gone.example")
            let others = #"{"activitycontinuation":{"apps":["\#(Internet.app.team).org.example.other"]}}"#
            try internet.sites.put(Data(others.utf8), at: Internet.wellKnown, of: "other.example")
            try internet.sites.put(Data(), at: "trouble", of: "troubled.example")
            // Waits for the ten seconds between two queries.
            try internet.laptop.handoff("web", "refresh", within: .seconds(30))
            let states = [
                "gone.example": "refused", "other.example": "answered", "same.example": "answered",
                "troubled.example": "kept",
            ]
            #expect(try internet.answers() == states)
            for (name, taker) in [
                ("gone.example", nil), ("other.example", nil), ("same.example", Internet.app.bundle),
                ("troubled.example", Internet.app.bundle),
            ] {
                #expect(try internet.taker(of: "https://\(name)/menu") == taker, "\(name)")
            }

            let questions = Dictionary(grouping: try internet.sites.stop(), by: \.site)
            let counts = ["gone.example": 3, "other.example": 2, "same.example": 2, "troubled.example": 2]
            #expect(questions.mapValues(\.count) == counts)
            for name in names {
                let questions = try #require(questions[name])
                // The second is conditional on the stored answer, and has no other fields.
                #expect(questions[0].fields["If-None-Match"] == nil && questions[1].fields["If-None-Match"] != nil)
                #expect(questions.allSatisfy { $0.size == $0.explainedSize && !$0.hasCertificate })
            }
        }
    }

    // Shows N08, N11: private networks are queried only in developer mode, for an app that asks for it.
    @Test func privateNetworksAreForDevelopment() throws {
        try Stage.play { stage in
            let internet = try Internet(on: stage)
            try internet.site("test.example", at: internet.network.address(of: "sites"))
            try internet.begin()
            try internet.install(claiming: ["test.example"], mode: "developer")
            #expect(try internet.answers() == [:])
            #expect(try internet.taker(of: "https://test.example/") == nil)
            #expect(try internet.sites.stop().isEmpty)

            try internet.laptop.stopDaemon()
            try internet.sites.start(for: [internet.laptop])
            try internet.laptop.startDaemon(["--web-developer", "true"])
            #expect(try internet.answers() == ["test.example": "answered"])
            #expect(try internet.taker(of: "https://test.example/") == Internet.app.bundle)
            #expect(
                try internet.sites.stop().map(\.description) == [
                    "https test.example: GET /\(Internet.wellKnown) HTTP/1.1"
                ])
        }
    }

    // Shows N08: an unsigned app's claims are ignored, so no site is queried.
    @Test func anUnsignedAppCausesNoSiteQuery() throws {
        try Stage.play { stage in
            let internet = try Internet(on: stage)
            try internet.site("good.example")
            try internet.begin()
            let app = try Internet.app.claiming(["good.example"], in: stage.folder)
            try internet.laptop.handoff("app", "install", app.path, "--development")
            #expect(try internet.answers() == [:])
            #expect(try internet.laptop.command(["web", "refresh", "good.example"]).code != 0)
            #expect(try internet.sites.stop().isEmpty)
            #expect(try internet.contacted().isEmpty)
        }
    }

    /// Every kind of answer once.
    private static func everyKind(of internet: Internet) throws -> [Case] {
        let (authority, file) = (internet.authority, Internet.file)
        let folder = internet.stage.folder.appending(path: "stranger")
        let stranger = try CertificateAuthority("Roots of Nobody", in: folder)
        let large = Data("{\"activitycontinuation\":{\"apps\":[\"\(String(repeating: "A", count: 128 << 10))\"]}}".utf8)
        let page = Data("<!DOCTYPE html><title>Not found</title>".utf8)
        let sites = internet.sites

        try internet.site("good.example")
        try internet.site("root.example", place: Internet.root)
        try internet.site("typed.example", "default_type text/html;")
        let owner = try authority.credentials(for: "signed.example")
        try sites.add("signed.example", owner)
        try sites.put(try authority.signed(file, by: owner), at: Internet.wellKnown, of: "signed.example")
        try internet.site("forged.example", file: try authority.signed(file, by: owner))
        try internet.site("missing.example", file: nil)
        try internet.site("redirecting.example", "return 301 https://elsewhere.example$request_uri;")
        try internet.site("huge.example", file: large)
        try internet.site("page.example", file: page)
        try internet.site("empty.example", file: Data())
        try internet.site("zipped.example", file: try gzip(file, on: internet))
        try internet.site("encoded.example", "add_header Content-Encoding gzip;", file: try gzip(file, on: internet))
        try internet.site("troubled.example", "return 503;")
        // In addition to the correct header.
        try internet.site("lying.example", "add_header Content-Length 9;")
        // A byte a second.
        try internet.site("slow.example", "limit_rate 1;")
        try sites.add("stranger.example", stranger.credentials(for: "stranger.example"))
        try sites.add("expired.example", authority.credentials(for: "expired.example", days: -1))
        try sites.add("mistaken.example", authority.credentials(for: "good.example"))
        for name in ["stranger.example", "expired.example", "mistaken.example"] {
            try sites.put(file, at: Internet.wellKnown, of: name)
        }
        try internet.site("neighbour.example", at: try internet.network.address(of: "sites"))
        try internet.site("myself.example", at: "127.0.0.1")
        return [
            Case("good.example", "answered"), Case("root.example", "answered"), Case("typed.example", "answered"),
            Case("signed.example", "answered"), Case("forged.example", "refused", "not for forged.example"),
            Case("missing.example", "refused", "404"), Case("redirecting.example", "refused", "301"),
            Case("huge.example", "refused", "128 KiB"), Case("page.example", "refused", "web page"),
            Case("empty.example", "refused", "empty"), Case("zipped.example", "refused", "gzip"),
            Case("encoded.example", "refused", "compressed"), Case("troubled.example", "unreachable", "503"),
            Case("lying.example", "unreachable", "two lengths"),
            Case("slow.example", "unreachable", "in time"), Case("stranger.example", "unreachable", "certificate"),
            Case("expired.example", "unreachable", "certificate"),
            Case("mistaken.example", "unreachable", "certificate"),
            Case("neighbour.example", "unreachable", "private"), Case("myself.example", "unreachable", "this machine"),
        ]
    }

    private static func gzip(_ file: Data, on internet: Internet) throws -> Data {
        let plain = internet.stage.folder.appending(path: "plain")
        try file.write(to: plain)
        let zipped = try RunningProgram.run(["gzip", "-f", "-k", plain.path])
        guard zipped.code == 0 else { throw Unmet("gzip: \(zipped.errors)") }
        return try Data(contentsOf: plain.appendingPathExtension("gz"))
    }

    /// There were no other requests to other sites, and every byte is explained.
    private static func check(_ questions: [Question], of internet: Internet, _ cases: [Case]) throws {
        let refusing = cases.filter { $0.state == "refused" }.map(\.name)
        for (name, questions) in Dictionary(grouping: questions, by: \.site) {
            let lines = ["GET /\(Internet.wellKnown) HTTP/1.1", "GET /\(Internet.root) HTTP/1.1"]
            let isBoth = refusing.contains(name) || name == "root.example"
            #expect(questions.map(\.line) == (isBoth ? lines : [lines[0]]), "\(name)")
        }
        for question in questions {
            #expect(question.scheme == "https" && question.name == question.site && !question.hasCertificate)
            let fields = [
                "Host": question.site, "User-Agent": "Handoff", "Accept": "application/json, application/pkcs7-mime",
                "Connection": "close",
            ]
            #expect(question.fields == fields)
            #expect(question.size == question.explainedSize)
        }
        // An invalid certificate ends the connection before the request.
        let unproven = ["stranger.example", "expired.example", "mistaken.example"]
        let unasked = unproven + ["neighbour.example", "myself.example"]
        let asked = cases.map(\.name).filter { !unasked.contains($0) }
        #expect(Set(questions.map(\.site)) == Set(asked))
        let claimed = asked + unproven
        let addresses = try claimed.map { try internet.sites.address(of: $0) }
        #expect(try internet.contacted() == Set(addresses))
        // Their names were in a file, but were never resolved.
        #expect(try internet.cable.traffic().datagrams.allSatisfy { $0.isBeacon })
    }
}
