// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

/// A document as its origin reads it.
@Suite struct SendingDocumentTests {
    let fixture: DiskFixture
    private let content = noise(300_000, seed: 1)

    init() throws {
        fixture = try DiskFixture()
        try fixture.write(content, to: "photo.raw")
        chmod(fixture.path("photo.raw"), 0o4751)
    }

    private func source(_ path: String = "photo.raw", asPackage: Bool = false) throws -> any DocumentSource {
        try fixture.files.open(try fixture.place(path), asPackage: asPackage)
    }

    @Test func aFileIsGivenAsAWhole() throws {
        let source = try source()
        #expect(source.head.size == 300_000)
        #expect(source.head.mode == 0o751)
        #expect(source.head.hash == nil)
        try source.select(nil)
        #expect(try DiskFixture.drain(source) == content)
        #expect(try source.hash() == FileDigest(of: content))
        #expect(source.isUnchanged())
        // The hash is known from now on.
        #expect(try self.source().head.hash == FileDigest(of: content))
    }

    @Test func theListOfAFileIsOfItsParts() throws {
        let source = try source()
        let list = try source.chunks()
        #expect(list.size == 300_000)
        var begin = 0
        for chunk in list.chunks {
            #expect(chunk.hash == FileDigest(of: Array(content[begin..<begin + Int(chunk.length)])))
            begin += Int(chunk.length)
        }
        #expect(try source.hash() == FileDigest(of: content))
        #expect(throws: Failure(.notAllowed, "")) { try source.manifest() }
    }

    @Test func wishedPartsAreGivenInTheirOrder() throws {
        let source = try source()
        let list = try source.chunks()
        var wish = DocumentWish(itemCount: list.chunks.count)
        for index in [0, 2, 3, list.chunks.count - 1] { wish[index] = true }
        try source.select(wish)
        var expected: [UInt8] = []
        var begin = 0
        for (index, chunk) in list.chunks.enumerated() {
            if wish[index] { expected += content[begin..<begin + Int(chunk.length)] }
            begin += Int(chunk.length)
        }
        #expect(try DiskFixture.drain(source) == expected)
        #expect(try source.hash() == FileDigest(of: content))
        try source.select(DocumentWish(itemCount: list.chunks.count))
        #expect(try DiskFixture.drain(source) == [])
    }

    @Test func aRequestWithoutAListIsRefused() throws {
        #expect(throws: Failure(.malformed, "")) { try self.source().select(DocumentWish(itemCount: 1)) }
    }

    @Test func aFileThatIsTooLongForAListComesWhole() throws {
        var limits = DocumentLimits()
        limits.chunkedUpTo = 299_999
        let fixture = try DiskFixture(folder: fixture.folder.text, limits: limits)
        let source = try fixture.files.open(try fixture.place("photo.raw"), asPackage: false)
        #expect(throws: Failure(.limitReached, "")) { try source.chunks() }
        #expect(try DiskFixture.drain(source) == content)
    }

    @Test func anEmptyFileHasAnEmptyList() throws {
        try fixture.write([], to: "empty")
        let source = try source("empty")
        #expect(try source.chunks() == ChunkList([]))
        #expect(try DiskFixture.drain(source) == [])
        #expect(try source.hash() == FileDigest(of: []))
    }

    @Test func aFileWrittenDuringTheTransferIsChanged() throws {
        let source = try source()
        _ = try source.next(1000)
        let file = try #require(FileHandle(forWritingAtPath: fixture.path("photo.raw")))
        try file.write(contentsOf: Data([1, 2, 3]))
        #expect(!source.isUnchanged())
    }

    @Test func aTruncatedFileIsReported() throws {
        let source = try source()
        _ = try source.next(1000)
        try #require(truncate(fixture.path("photo.raw"), 2000) == 0)
        #expect(throws: Failure(.documentChanged, "")) { try DiskFixture.drain(source) }
    }

    /// The opened file is read, even if its name is reused.
    @Test func aFileThatIsReplacedIsReadAsItWas() throws {
        let source = try source()
        try fixture.receive(Array("new".utf8), as: "photo.raw")
        #expect(try DiskFixture.drain(source) == content)
        #expect(!source.isUnchanged())
    }

    // MARK: Packages

    private func makePackage() throws {
        try fixture.write("index", to: "Book/index")
        try fixture.write(content, to: "Book/pages/1")
        try fixture.write("", to: "Book/pages/empty")
        try fixture.write("#!/bin/sh", to: "Book/run")
        chmod(fixture.path("Book/run"), 0o755)
        try fixture.home.link("Documents/Book/first", to: "pages/1")
        try fixture.home.folder("Documents/Book/notes")
    }

    @Test func thePackagesManifestSaysWhatItHolds() throws {
        try makePackage()
        let source = try source("Book", asPackage: true)
        let manifest = try source.manifest()
        func file(_ bytes: [UInt8], _ isExecutable: Bool = false) -> PackageManifest.Content {
            .file(size: UInt64(bytes.count), hash: FileDigest(of: bytes), isExecutable: isExecutable)
        }
        let expected = try PackageManifest([
            .init(DocumentPath("first"), .link(Array("pages/1".utf8))),
            .init(DocumentPath("index"), file(Array("index".utf8))),
            .init(DocumentPath("notes"), .folder),
            .init(DocumentPath("pages"), .folder),
            .init(DocumentPath("pages/1"), file(content)),
            .init(DocumentPath("pages/empty"), file([])),
            .init(DocumentPath("run"), file(Array("#!/bin/sh".utf8), true)),
        ])
        #expect(manifest == expected)
        #expect(source.head.size == manifest.size)
        #expect(try source.hash() == FileDigest(of: manifest.encoded()))
        #expect(try fixture.found("Book", asPackage: true)?.hash == (try source.hash()))
        #expect(throws: Failure(.notAllowed, "")) { try source.chunks() }

        var wish = DocumentWish(itemCount: manifest.members.count)
        for (index, member) in manifest.members.enumerated() {
            wish[index] = ["first", "pages", "pages/1", "pages/empty", "run"].contains(member.path.description)
        }
        try source.select(wish)
        #expect(try DiskFixture.drain(source) == content + Array("#!/bin/sh".utf8))
        try source.select(nil)
        #expect(try DiskFixture.drain(source) == Array("index".utf8) + content + Array("#!/bin/sh".utf8))
        #expect(source.isUnchanged())
    }

    @Test(arguments: ["Book/pages/1", "Book/index"]) func aPackageWrittenDuringTheTransferIsChanged(path: String) throws
    {
        try makePackage()
        let source = try source("Book", asPackage: true)
        _ = try source.manifest()
        let file = try #require(FileHandle(forWritingAtPath: fixture.path(path)))
        try file.write(contentsOf: Data([1]))
        #expect(!source.isUnchanged())
    }

    @Test func packageWithAForbiddenMemberIsRefusedByName() throws {
        for (name, make) in [
            ("pipe", { mkfifo($0, 0o600) }), ("out", { symlink("../../etc/passwd", $0) }),
            ("absolute", { symlink("/etc/passwd", $0) }), (".handoff-1", { mkdir($0, 0o700) }),
        ] as [(String, (String) -> CInt)] {
            try fixture.write("1", to: "Book \(name)/index")
            try #require(make(fixture.path("Book \(name)/\(name)")) == 0)
            let failure = failure { _ = try fixture.found("Book \(name)", asPackage: true) }
            #expect(failure?.code == .notAllowed, "\(name)")
            #expect(failure?.reason.contains("Book \(name)") == true)
        }
    }

    @Test func aPackageOfTooManyMembersIsRefusedByName() throws {
        try fixture.home.folder("Documents/Book")
        for number in 0..<Limits.packageMembers { try #require(mkdir(fixture.path("Book/\(number)"), 0o700) == 0) }
        #expect(try fixture.found("Book", asPackage: true)?.hash != nil)
        try #require(mkdir(fixture.path("Book/more"), 0o700) == 0)
        let failure = failure { _ = try fixture.found("Book", asPackage: true) }
        #expect(failure?.code == .limitReached)
        #expect(failure?.reason.contains(fixture.path("Book")) == true)
        let place = try fixture.place("Book")
        #expect(HandoffHostTests.failure { _ = try fixture.files.open(place, asPackage: true) }?.code == .limitReached)
    }
}
