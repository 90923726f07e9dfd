// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

/// Shows T09: a program belongs to an app while its file is the app's, with the verified content.
@Suite struct VerifiedExecutableTests {
    private let home = TemporaryDirectory()
    private let catalog: BundleCatalog

    init() { catalog = home.catalog() }

    /// Signed by a team while its executable contained `content`.
    private func app(verified content: String) throws -> InstalledApp {
        InstalledApp(
            bundle: try BundleID("com.example.notes"), name: DisplayText(cleaning: "Notes"),
            signer: .team(
                DeveloperTeam(
                    id: try TeamID("NOTES12345"), key: try TeamFingerprint(bytes: Array(repeating: 1, count: 32))),
                name: DisplayText(cleaning: "Example")),
            activityTypes: [], path: home.path("Notes.app"), executable: home.path("Notes"),
            executableHash: FileDigest(of: Array(content.utf8)).bytes)
    }

    @Test func executableIsIntactUntilItsContentChanges() throws {
        let app = try app(verified: "as signed")
        try home.file("Notes", "as signed")
        #expect(isIntact(app))
        #expect(isIntact(app), "and looked at no second time")
        try home.file("Notes", "by another")
        #expect(!isIntact(app))
        try home.file("Notes", "as signed")
        #expect(isIntact(app))
    }

    @Test func timeThatIsSetBackHidesNoChange() throws {
        let app = try app(verified: "as signed")
        try home.file("Notes", "as signed")
        let before = try FileManager.default.attributesOfItem(atPath: app.executable)[.modificationDate] as? Date
        #expect(isIntact(app))
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: app.executable))
        try file.write(contentsOf: Data("by others".utf8))
        try file.close()
        try FileManager.default.setAttributes([.modificationDate: before as Any], ofItemAtPath: app.executable)
        #expect(!isIntact(app))
    }

    @Test func executableThatIsGoneOrALinkIsNotIntact() throws {
        let app = try app(verified: "as signed")
        #expect(!isIntact(app))
        try home.file("Other", "as signed")
        try home.link("Notes", to: home.path("Other"))
        #expect(!isIntact(app))
    }

    @Test func appOfATeamWithoutAVerifiedContentIsNotIntact() throws {
        var app = try app(verified: "as signed")
        try home.file("Notes", "as signed")
        app.executableHash = []
        #expect(!isIntact(app))
        app.signer = .development
        #expect(isIntact(app))
    }

    @Test func programIsKnownByItsFileAndNotByItsPath() throws {
        _ = try home.install(SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home)))
        catalog.reload()
        let app = try #require(catalog.apps.first)
        #expect(owner(of: try RunningProgram(path: "/another/place", runs: app.executable)) == .app(app.bundle))
        var impostor = try RunningProgram(runs: app.executable)
        impostor.inode += 1
        #expect(owner(of: impostor) == .nobody)
    }

    // Without worker threads the answer is immediate.

    private func isIntact(_ app: InstalledApp) -> Bool {
        var verdict: Bool?
        catalog.condition(of: app) { verdict = (try? $0.get()).map { $0 == .asRead } }
        return verdict ?? false
    }

    private func owner(of program: RunningProgram) -> ProgramOwner? {
        var found: ProgramOwner?
        catalog.owner(of: program) { found = try? $0.get() }
        return found
    }
}
