// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import HandoffTrust

/// `Protocol/vectors/site-associations.json`: files in the forms that sites use, and the addresses that they open.
// Shows N05, N13, N14.
@Suite struct SiteAssociationVectorTests {
    struct Vector: Decodable {
        /// The source of the expectation: docs/source-compatibility.md.
        enum Source: String, Decodable, CaseIterable {
            case documentation, announcement, recorded, foundation, decision
        }

        struct File: Decodable, CustomTestStringConvertible {
            var name: String
            var source: Source
            /// Nil: `applinks`.
            var service: String?
            /// As the site would send it.
            var file: String
            /// Paths that the app gets, and paths that it does not.
            var opens, stays: [String]

            var testDescription: String { name }
        }

        var host, app: String
        var files: [File]
    }

    static let vector: Vector = {
        do {
            let url = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
                .appending(path: "Protocol/vectors/site-associations.json")
            return try JSONDecoder().decode(Vector.self, from: Data(contentsOf: url))
        } catch {
            preconditionFailure("no vectors: \(error)")
        }
    }()

    @Test(arguments: vector.files)
    func fileIsReadAsItsSourceHasIt(file: Vector.File) throws {
        let site = try SiteAssociation(file.file)
        let app = try AppIdentifier(Self.vector.app)
        let service = try #require(AssociationService(rawValue: file.service ?? "applinks"))
        for (path, opens) in file.opens.map({ ($0, true) }) + file.stays.map({ ($0, false) }) {
            let url = try WebURL("https://\(Self.vector.host)\(path)")
            let verdict = site.verdict(for: app, service: service, url: url)
            #expect(verdict.isApproved == opens, "\(path): \(verdict)")
            #expect(site.explanation(for: app, service: service, url: url).verdict == verdict)
            #expect(!site.verdict(for: Sites.impostor, service: service, url: url).isApproved)
        }
    }

    @Test func everySourceIsShownAndNoNameIsThereTwice() {
        let files = Self.vector.files
        #expect(Set(files.map(\.source)) == Set(Vector.Source.allCases))
        #expect(Set(files.map(\.name)).count == files.count)
        #expect(files.allSatisfy { !$0.opens.isEmpty || !$0.stays.isEmpty })
    }
}
