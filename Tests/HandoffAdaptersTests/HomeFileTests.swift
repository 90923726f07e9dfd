// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import HandoffWire
import Testing

@testable import HandoffAdapters

final class HomeFileTests {
    private let home = NSTemporaryDirectory() + "handoff-home-\(UUID().uuidString)"
    private var files: HomeFile { HomeFile(environment: ["HOME": home]) }

    init() throws { try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: home) }

    private func write(_ name: [UInt8], bytes: Int) throws -> DocumentPath {
        let descriptor = open(
            Array(home.utf8CString.dropLast()) + [47] + name.map { CChar(bitPattern: $0) } + [0],
            O_CREAT | O_WRONLY, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try #require(ftruncate(descriptor, bytes) == 0)
        return try DocumentPath(bytes: name)
    }

    // Shows M02.
    @Test func fileOfTheSameSizeIsFound() throws {
        let path = try write(Array("a b.ogg".utf8), bytes: 5)
        #expect(try files.file(path, bytes: 5) == home + "/a b.ogg")
        #expect(files.source(of: .file(try AbsolutePath(home + "/a b.ogg"))) == .homeFile(path, bytes: 5))
    }

    // Shows M02.
    @Test func otherSizeMissingFileAndFolderAreNamed() throws {
        let path = try write(Array("a.ogg".utf8), bytes: 5)
        #expect(throws: BusFailure.self) { try files.file(path, bytes: 6) }
        #expect(throws: BusFailure.self) { try files.file(try DocumentPath(bytes: Array("b.ogg".utf8)), bytes: 5) }
        try FileManager.default.createDirectory(atPath: home + "/c", withIntermediateDirectories: true)
        #expect(throws: BusFailure.self) { try files.file(try DocumentPath(bytes: Array("c".utf8)), bytes: 4096) }
    }

    /// An argument that differs would name another file.
    @Test func pathThatIsNotTextIsNotGuessed() throws {
        let path = try write([0x61, 0xFF, 0x62], bytes: 5)
        #expect(throws: BusFailure.self) { try files.file(path, bytes: 5) }
    }

    @Test func fileOutsideOfTheHomeFolderIsNotOffered() throws {
        for path in ["/etc/passwd", "/proc/self/status", home, home + "/../passwd"] {
            #expect(files.source(of: .file(try AbsolutePath(path))) == nil)
        }
    }
}
