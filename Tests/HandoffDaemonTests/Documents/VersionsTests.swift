// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Which clients see and restore kept versions.
@Suite struct VersionsTests {
    private let fixture: DeviceFixture
    private let mail = FoldersTests.app("mail", FoldersTests.letters)
    private let other = FoldersTests.app("notes", FoldersTests.drafts)
    private let letter = try! AbsolutePath("/home/user/containers/iCloud.com.example.letters/Documents/letter.txt")
    private let note = try! AbsolutePath("/home/user/containers/iCloud.com.example.drafts/note.txt")

    init() throws {
        fixture = try DeviceFixture("laptop", apps: [mail, other])
        for (number, path) in [letter, note].enumerated() { try replace(path, number: UInt8(number)) }
    }

    /// The older text is replaced by another device's.
    private func replace(_ path: AbsolutePath, number: UInt8) throws {
        let folder = try AbsolutePath("/home/user/containers")
        let place = DocumentLocation.container(folder: folder, try #require(path.path(in: folder)))
        fixture.documents.write(Array("older".utf8), at: path)
        guard case .found(let found) = try fixture.documents.look(at: place, asPackage: false, hashing: .max) else {
            return
        }
        let arrival = try fixture.documents.begin(.whole(size: 5), for: place, basis: [], left: nil)
        try arrival.append(Array("newer".utf8))
        try arrival.sync(modified: FileTime(nanoseconds: 0), mode: 0o644)
        let order = PlacementOrder(
            place: place, replaces: found.version, version: Self.version(number), now: fixture.time.wallTime,
            deviceName: DisplayText(cleaning: "desktop"))
        _ = try arrival.place(order)
    }

    private static func version(_ number: UInt8) -> VersionID {
        VersionID(uncheckedBytes: Array(repeating: 0xA0 + 0x10 * number, count: 16))
    }

    private func versions(_ client: TestClient, of path: AbsolutePath? = nil) -> [AbsolutePath]? {
        guard case .documents(.versionList(let versions))? = fixture.answer(client, .documents(.listVersions(path)))
        else {
            return nil
        }
        return versions.map(\.path)
    }

    private func text(_ path: AbsolutePath) -> String {
        String(decoding: fixture.documents.bytes(at: path) ?? [], as: UTF8.self)
    }

    /// It agrees to release a document.
    private func run(_ app: InstalledApp, letsGo: Bool) -> TestClient {
        let client = fixture.run(app)
        client.onFrame = { [weak client] frame in
            guard case .documents(.documentComing) = frame.message else { return }
            client?.answer(frame.request, .done(accepted: letsGo))
        }
        return client
    }

    @Test func aToolSeesAllNewestFirstAndThoseOfOneDocumentOrFolder() throws {
        let script = fixture.script()
        #expect(versions(script) == [note, letter])
        #expect(versions(script, of: letter) == [letter])
        #expect(versions(script, of: try AbsolutePath("/home/user/containers/iCloud.com.example.letters")) == [letter])
        #expect(versions(script, of: try AbsolutePath("/home/user/containers/iCloud.com.example.letter")) == [])
    }

    @Test func anAppSeesTheVersionsInItsContainers() {
        #expect(versions(fixture.run(mail)) == [letter])
        #expect(versions(fixture.run(other)) == [note])
    }

    @Test func restoringAVersionKeepsTheReplacedOne() throws {
        let app = run(mail, letsGo: true)
        let answer = fixture.answer(fixture.script(), .documents(.restoreVersion(Self.version(0))))
        guard case .documents(.versionList(let versions))? = answer, versions.count == 2 else {
            Issue.record("\(String(describing: answer))")
            return
        }
        #expect(text(letter) == "older")
        #expect(versions[0].id == Self.version(0) && versions[0].file == letter)
        #expect(versions[1].path == letter && versions[1].file != letter)
        #expect(app.messages.contains(.documents(.documentComing(letter, deviceName: DisplayText(cleaning: "laptop")))))
        #expect(app.messages.last == .documents(.documentPlaced(PlacedDocument(path: letter))))
        _ = fixture.answer(fixture.script(), .documents(.restoreVersion(versions[1].id)))
        #expect(text(letter) == "newer")
    }

    @Test func anAppWithUnsavedChangesKeepsIt() throws {
        let app = run(mail, letsGo: false)
        let answer = fixture.answer(fixture.script(), .documents(.restoreVersion(Self.version(0))))
        guard case .failure(let failure)? = answer else {
            Issue.record("\(String(describing: answer))")
            return
        }
        #expect(failure.code == .documentNotPlaced)
        #expect(failure.reason == "an app has \(letter) open with unsaved changes; save them there, then try again")
        #expect(text(letter) == "newer")
        #expect(app.messages.contains { if case .documents(.documentComing) = $0 { true } else { false } })
    }

    @Test func anAppPutsBackWhatIsItsOwnAndNothingElse() {
        let app = run(other, letsGo: true)
        for version in [Self.version(0), VersionID(uncheckedBytes: Array(repeating: 1, count: 16))] {
            let answer = fixture.answer(app, .documents(.restoreVersion(version)))
            #expect(answer == .failure(Failure(.documentGone, "")))
        }
        #expect(text(letter) == "newer")
        guard case .documents(.versionList)? = fixture.answer(app, .documents(.restoreVersion(Self.version(1)))) else {
            Issue.record("an app does not get its own back")
            return
        }
        #expect(text(note) == "older")
    }

    @Test func diskErrorsOfVersionsAreReported() {
        fixture.documents.fail(.versions, with: Failure(.documentGone, "the folder of versions cannot be read"))
        let answer = fixture.answer(fixture.script(), .documents(.listVersions(nil)))
        #expect(answer == .failure(Failure(.documentGone, "")))
        fixture.documents.fail(.restore, with: Failure(.documentNotPlaced, "the disk is full"))
        let restored = fixture.answer(fixture.script(), .documents(.restoreVersion(Self.version(0))))
        #expect(restored == .failure(Failure(.documentNotPlaced, "")))
        #expect(text(letter) == "newer")
    }
}
