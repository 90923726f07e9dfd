// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOSSL
import Testing

@testable import HandoffNet

/// The system's trusted roots, for files that sites signed.
// Shows N06.
@Suite struct TrustedRootsTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "handoff-roots-\(UUID().uuidString)")

    private func file(_ name: String, _ content: String) throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: name)
        try Data(content.utf8).write(to: file)
        return file.path
    }

    @Test func firstReadableFileIsUsed() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (first, second, third) = (try SiteAuthority("a"), try SiteAuthority("b"), try SiteAuthority("c"))
        let one = try file("one.pem", SiteAsker.pem(first.root) + SiteAsker.pem(second.root))
        let other = try file("other.pem", SiteAsker.pem(third.root))
        #expect(TrustedRoots.certificates(in: [folder.path + "/none", one, other]) == [first.root, second.root])
    }

    @Test func withoutAFileNothingIsTrusted() {
        #expect(TrustedRoots.certificates(in: [folder.path + "/none"]).isEmpty)
    }
}
