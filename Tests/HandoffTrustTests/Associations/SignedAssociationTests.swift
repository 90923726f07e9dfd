// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import HandoffTrust

/// `Protocol/vectors/signed-associations.json`: files signed by `openssl`, some valid and some not.
// Shows N06.
@Suite struct SignedAssociationTests {
    struct Vector: Decodable {
        struct File: Decodable {
            var name, file: String
            var refusedFor: String?
        }

        var host, app: String
        var time: Int64
        var roots: [String]
        var files: [File]

        func bytes(_ name: String) throws -> [UInt8] {
            let file = try #require(files.first { $0.name == name })
            return try #require([UInt8](hexadecimal: file.file))
        }

        func read(
            _ file: [UInt8], from host: String? = nil, roots: [String]? = nil, at time: Int64? = nil
        ) throws -> SiteAssociation {
            try SiteAssociation(
                file: file, from: try WebHost(host ?? self.host),
                roots: try (roots ?? self.roots).map { try #require([UInt8](hexadecimal: $0)) },
                at: WallTime(milliseconds: time ?? self.time))
        }
    }

    let vector: Vector

    init() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Protocol/vectors/signed-associations.json")
        vector = try JSONDecoder().decode(Vector.self, from: Data(contentsOf: url))
    }

    @Test(arguments: [
        "rsa", "rsaWithoutAttributes", "p256", "sha512", "cms", "keyIdentifier", "stream", "p384", "p384Chain",
        "p384WithSHA256", "p521",
    ])
    func filesThatOpenSSLSignedCount(name: String) throws {
        let file = try vector.read(try vector.bytes(name))
        let app = try AppIdentifier(vector.app)
        let url = try WebURL("https://\(vector.host)/page")
        #expect(file.verdict(for: app, service: .activityContinuation, url: url).isApproved)
        #expect(!file.verdict(for: Sites.photos, service: .activityContinuation, url: url).isApproved)
    }

    @Test(arguments: [
        ("wildcard", AssociationRejection.Code.anotherHost), ("withoutIntermediate", .noTrustedRoot),
        ("anotherHost", .anotherHost), ("subjectOnly", .anotherHost), ("foreignRoot", .noTrustedRoot),
        ("selfSigned", .noTrustedRoot), ("shortKey", .weakChain), ("curveOfNoSite", .unsupportedKey),
        ("curveSpelledOut", .unsupportedKey),
        ("certificateWithSHA1", .weakChain), ("certificateForMail", .chainBroken), ("keyForOtherUse", .chainBroken),
        ("sha1", .weakDigest), ("withoutCertificate", .noSignerCertificate), ("pss", .unsupportedKey),
        ("detached", .noContent), ("twoSigners", .notOneSigner), ("tooManyCertificates", .tooManyCertificates),
        ("notSigned", .notCMS), ("signedNotJSON", .notJSON),
    ])
    func invalidSignatureIsRejectedByName(name: String, code: AssociationRejection.Code) throws {
        let file = try vector.bytes(name)
        #expect(throws: AssociationRejection(code, "")) { try vector.read(file) }
    }

    @Test func everyVectorIsLookedAt() {
        #expect(vector.files.filter { $0.refusedFor == nil }.count == 11)
        #expect(vector.files.filter { $0.refusedFor != nil }.count == 20)
    }

    @Test(arguments: ["rsa", "p256", "stream", "p521"])
    func endsOfLinesMayFollow(name: String) throws {
        let file = try vector.bytes(name)
        let genuine = try vector.read(file)
        for end in ["\n", "\r\n", "\n\n"] { #expect(try vector.read(file + Array(end.utf8)) == genuine) }
        for end in [" ", "\n0", "\n{}", "\0"] {
            #expect(throws: AssociationRejection(.notCMS, "")) { try vector.read(file + Array(end.utf8)) }
        }
    }

    @Test func certificateWithAStarIsGoodForOneLabelBelow() throws {
        let file = try vector.bytes("wildcard")
        #expect(throws: Never.self) { try vector.read(file, from: "www.example.com") }
        for host in ["example.com", "a.b.example.com", "www.example.org"] {
            #expect(throws: AssociationRejection(.anotherHost, "")) { try vector.read(file, from: host) }
        }
    }

    @Test func certificateIsValidForItsSecondName() throws {
        let file = try vector.bytes("p256")
        #expect(throws: Never.self) { try vector.read(file, from: "www.other.example") }
        #expect(throws: AssociationRejection(.anotherHost, "")) { try vector.read(file, from: "www.example.com") }
    }

    @Test func certificatesHaveTheirTime() throws {
        let file = try vector.bytes("rsa")
        let year: Int64 = 365 * 86_400_000
        #expect(throws: AssociationRejection(.certificateExpired, "")) {
            try vector.read(file, at: vector.time + 200 * year)
        }
        #expect(throws: AssociationRejection(.certificateNotYetValid, "")) {
            try vector.read(file, at: vector.time - year)
        }
    }

    @Test func onlyTheGivenRootsAreTrusted() throws {
        let file = try vector.bytes("rsa")
        #expect(throws: AssociationRejection(.noTrustedRoot, "")) { try vector.read(file, roots: []) }
        #expect(throws: AssociationRejection(.noTrustedRoot, "")) { try vector.read(file, roots: [vector.roots[1]]) }
        // An invalid root is skipped.
        #expect(throws: Never.self) { try vector.read(file, roots: ["00", vector.roots[0]]) }
    }

    @Test func changedContentIsRefused() throws {
        for name in ["rsa", "rsaWithoutAttributes", "p256"] {
            var file = try vector.bytes(name)
            let place = try #require(file.firstRange(of: Array("com.example".utf8))).lowerBound
            file[place] = UInt8(ascii: "d")
            #expect(throws: AssociationRejection(.contentChanged, "")) { try vector.read(file) }
        }
    }

    @Test func everyChangedByteIsRefusedOrChangesNothing() throws {
        let file = try vector.bytes("p256")
        let genuine = try vector.read(file)
        for index in file.indices {
            var changed = file
            changed[index] ^= 0x01
            if let taken = try? vector.read(changed) { #expect(taken == genuine, "byte \(index)") }
        }
    }

    @Test func cutAndLargeFilesAreRefused() throws {
        let file = try vector.bytes("rsa")
        for count in stride(from: 1, to: file.count, by: 97) {
            #expect(throws: AssociationRejection(.notCMS, "")) { try vector.read(Array(file[..<count])) }
        }
        #expect(throws: AssociationRejection(.notCMS, "")) { try vector.read(file + [0]) }
        #expect(throws: AssociationRejection(.tooLarge, "")) {
            try vector.read(file + [UInt8](repeating: 0, count: Limits.associationBytes))
        }
    }

    @Test func plainFilesNeedNoRoots() throws {
        let json = Array(#"{"activitycontinuation": {"apps": []}}"#.utf8)
        #expect(try vector.read(json, roots: []) == SiteAssociation(json: json))
    }
}
