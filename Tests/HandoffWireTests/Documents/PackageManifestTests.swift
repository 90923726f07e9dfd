// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

/// Shows X08.
@Suite struct PackageManifestTests {
    private typealias Member = PackageManifest.Member
    private static let hash = FileDigest(uncheckedBytes: Array(0..<32))

    private static func file(_ path: String, size: UInt64 = 5, isExecutable: Bool = false) throws -> Member {
        Member(try DocumentPath(path), .file(size: size, hash: hash, isExecutable: isExecutable))
    }

    private static func folder(_ path: String) throws -> Member { Member(try DocumentPath(path), .folder) }

    private static func link(_ path: String, to target: String) throws -> Member {
        Member(try DocumentPath(path), .link(Array(target.utf8)))
    }

    @Test func membersAreSortedByBytesAndRoundTrip() throws {
        let manifest = try PackageManifest([
            Self.link("Current", to: "Versions/1"), Self.file("Versions/1/run", isExecutable: true),
            Self.folder("Versions/1"), Self.folder("Versions"), Self.file("Versions-old"), Self.file("\u{E9}"),
            Self.file("Z"), Self.file("a", size: 7),
        ])
        #expect(
            manifest.members.map(\.path.description) == [
                "Current", "Versions", "Versions-old", "Versions/1", "Versions/1/run", "Z", "a", "\u{E9}",
            ])
        #expect(manifest.size == 27)
        #expect(try PackageManifest(encoded: manifest.encoded()) == manifest)
    }

    @Test func orderOfTheFilesOnDiskDoesNotShow() throws {
        let members = try [Self.folder("b"), Self.file("b/a"), Self.file("a"), Self.file("c")]
        #expect(try PackageManifest(members).encoded() == PackageManifest(members.reversed()).encoded())
    }

    @Test func folderWithNothingInItIsAPackage() throws {
        let empty = try PackageManifest([])
        #expect(try empty.encoded() == [])
        #expect(try PackageManifest(encoded: [UInt8]()) == empty)
    }

    // MARK: Invalid packages

    @Test func twoMembersOfOnePathAreRefused() throws {
        for second in [try Self.file("a", size: 6), try Self.folder("a"), try Self.link("a", to: "b")] {
            let members = [try Self.file("a"), second]
            #expect(throws: WireError(.malformed, "")) { try PackageManifest(members) }
        }
    }

    @Test func memberBelowNonFolderIsRejected() throws {
        for parent in [try Self.file("a"), try Self.link("a", to: "b"), try Self.folder("A"), try Self.folder("aa")] {
            let members = [parent, try Self.file("a/b")]
            #expect(throws: WireError(.malformed, "")) { try PackageManifest(members) }
        }
        #expect(throws: WireError(.malformed, "")) {
            try PackageManifest([Self.folder("a"), Self.file("a/b/c")])
        }
    }

    @Test(arguments: [
        ("a", "b"), ("a", "./b"), ("a", "b/"), ("a", "b/c/d"), ("a", "."), ("f/a", ".."), ("f/a", "../b"),
        ("f/g/a", "../../b/c"), ("f/g/a", ".././../b"), ("f/a", "..b/...c"),
    ])
    func linkThatStaysIsTaken(path: String, target: String) throws {
        let manifest = try PackageManifest([Self.folder("f"), Self.folder("f/g"), Self.link(path, to: target)])
        #expect(try PackageManifest(encoded: manifest.encoded()) == manifest)
    }

    @Test(arguments: [
        ("a", ""), ("a", "/etc/passwd"), ("a", "//"), ("a", ".."), ("a", "../b"), ("f/a", "../.."), ("f/a", "../../b"),
        ("f/g/a", "../../../b"), ("a", "./.."), ("a", "b\u{0}"), ("a", "b/../.."),
        // Through another link these may lead anywhere.
        ("f/g/a", "s/../../.."), ("f/a", "b/.."), ("f/a", "../b/../c"),
    ])
    func linkThatLeadsOutIsRefused(path: String, target: String) throws {
        let members = [try Self.folder("f"), try Self.folder("f/g"), try Self.link(path, to: target)]
        #expect(throws: WireError(.malformed, "")) { try PackageManifest(members) }
    }

    @Test func targetOfALinkIsLimited() throws {
        let longest = String(repeating: "a/", count: Limits.pathBytes / 2)
        #expect(try PackageManifest([Self.link("a", to: longest)]).members.count == 1)
        #expect(throws: WireError(.malformed, "")) { try PackageManifest([Self.link("a", to: longest + "b")]) }
    }

    @Test func packageMembersAreLimited() throws {
        let most = try (0..<Limits.packageMembers).map { try Self.file("\($0)") }
        let manifest = try PackageManifest(most)
        #expect(try PackageManifest(encoded: manifest.encoded()) == manifest)
        #expect(throws: WireError(.limitReached, "")) { try PackageManifest(most + [Self.file("more")]) }
    }

    /// Decoding would allocate fifty times its two bytes for each.
    @Test func membersBeyondTheLimitAreNotAllocated() {
        let bytes = [UInt8](repeating: 0, count: 2 * (Limits.packageMembers + 1)).enumerated().map { index, _ in
            index.isMultiple(of: 2) ? 0x0A : UInt8(0)
        }
        #expect(throws: WireError(.limitReached, "")) { try PackageManifest(encoded: bytes) }
        #expect(throws: WireError.self) { try PackageManifest(encoded: bytes.dropLast(2)) }
    }

    @Test func sizesThatAddUpToMoreThanAFileCanHaveAreRefused() throws {
        let most = try PackageManifest([Self.file("a", size: Limits.documentBytes - 1), Self.file("b", size: 1)])
        #expect(most.size == Limits.documentBytes)
        for sizes in [[Limits.documentBytes, 1], [.max], [.max, .max], [.max, 1], [1 << 63, 1 << 63]] as [[UInt64]] {
            let members = try sizes.enumerated().map { try Self.file("\($0.offset)", size: $0.element) }
            #expect(throws: WireError(.tooLarge, "")) { try PackageManifest(members) }
        }
    }

    // MARK: Other encoders

    private static func member(_ path: String, kind: UInt64 = 1) -> RawMessage {
        RawMessage().field(1, Array(path.utf8)).field(2, kind)
    }

    private static func file(raw path: String) -> RawMessage { member(path).field(4, 5).field(5, hash.bytes) }

    @Test func membersInAnotherOrderAreRefused() throws {
        let (a, b) = (Self.file(raw: "a"), Self.file(raw: "b"))
        let inOrder = RawMessage().field(1, a).field(1, b).bytes
        #expect(try PackageManifest(encoded: inOrder).encoded() == inOrder)
        #expect(throws: WireError(.malformed, "")) {
            try PackageManifest(encoded: RawMessage().field(1, b).field(1, a).bytes)
        }
    }

    /// Otherwise one package could have two hashes.
    @Test func anotherWayToWriteTheSameIsRefused() throws {
        let plain = RawMessage().field(1, Self.file(raw: "a")).bytes
        #expect(try PackageManifest(encoded: plain).encoded() == plain)
        let odd = [
            RawMessage(bytes: plain).field(2, [1]),
            RawMessage().field(1, Self.file(raw: "a").field(3, 0)),
            RawMessage().field(1, Self.file(raw: "a").field(6, [])),
            RawMessage().field(1, Self.file(raw: "a").field(7, 1)),
            RawMessage().field(1, Self.file(raw: "a").field(6, [0x62])),
            RawMessage().field(1, RawMessage().field(2, 1).field(1, [0x61]).field(4, 5).field(5, Self.hash.bytes)),
            RawMessage().field(1, Self.member("a", kind: 2).field(3, 1)),
            RawMessage().field(1, Self.member("a", kind: 2).field(4, 5)),
            RawMessage().field(1, Self.member("a", kind: 3).field(5, Self.hash.bytes).field(6, [0x62])),
        ]
        for manifest in odd {
            #expect(throws: WireError(.malformed, "")) { try PackageManifest(encoded: manifest.bytes) }
        }
        // A length with an unnecessary byte.
        let long = [plain[0], plain[1] | 0x80, 0] + plain[2...]
        #expect(throws: WireError(.malformed, "")) { try PackageManifest(encoded: long) }
    }

    @Test func invalidMemberIsRefused() {
        for kind in [0, 4, 99] as [UInt64] {
            #expect(throws: WireError(.unknownKind, "")) {
                try PackageManifest(encoded: RawMessage().field(1, Self.member("a", kind: kind)).bytes)
            }
        }
        for path in ["", "../a", "/a", "a/../b", "a//b"] {
            #expect(throws: WireError(.badIdentifier, "")) {
                try PackageManifest(encoded: RawMessage().field(1, Self.member(path, kind: 2)).bytes)
            }
        }
        #expect(throws: WireError(.badIdentifier, "")) {
            try PackageManifest(encoded: RawMessage().field(1, Self.member("a").field(4, 5)).bytes)
        }
        for bytes in [[0x0A], [0x0A, 5, 1], [0x08, 1], [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]] as [[UInt8]] {
            #expect(throws: WireError(.malformed, "")) { try PackageManifest(encoded: bytes) }
        }
    }
}
