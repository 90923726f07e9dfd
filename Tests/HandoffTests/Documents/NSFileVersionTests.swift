// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff

@Suite struct NSFileVersionTests {
    private let folder: Folder
    private let file: URL

    init() throws {
        folder = try Folder()
        file = try folder.file("letter.txt")
    }

    @discardableResult
    private func copy(_ mark: String, _ text: String = "Dear Bo") throws -> URL {
        try folder.file("letter (\(mark)).txt", text)
    }

    @Test func copiesBesideItAreVersionsInConflict() throws {
        let laptop = try copy("laptop, 2026-11-22 15.14")
        try copy("Anna's fixture, at home, 2026-11-22 15.14, 2")
        // None of these is a conflict copy.
        try copy("2026-11-22 15.14")
        try copy("laptop, yesterday")
        _ = try folder.file("letters (laptop, 2026-11-22 15.14).txt")
        _ = try folder.file("letter (laptop, 2026-11-22 15.14).md")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1000)], ofItemAtPath: laptop.path)
        let versions = try #require(NSFileVersion.unresolvedConflictVersionsOfItem(at: file))
        #expect(versions.map(\.localizedNameOfSavingComputer) == ["Anna's fixture, at home", "laptop"])
        #expect(versions.allSatisfy { $0.isConflict && !$0.isResolved && $0.hasLocalContents && !$0.hasThumbnail })
        #expect(versions[1].modificationDate == Date(timeIntervalSince1970: 1000))
        #expect(versions[1].url.lastPathComponent == laptop.lastPathComponent)
        #expect(versions[1].localizedName == "letter.txt")
        #expect(try String(contentsOf: versions[1].url, encoding: .utf8) == "Dear Bo")
        #expect(NSFileVersion.otherVersionsOfItem(at: file)?.count == 2)
    }

    @Test func currentVersionIsTheFile() throws {
        let current = try #require(NSFileVersion.currentVersionOfItem(at: file))
        #expect(current.url.path == file.path)
        #expect(!current.isConflict)
        #expect(current.isResolved)
        #expect(!current.isDiscardable)
        #expect(current == NSFileVersion.currentVersionOfItem(at: folder.url.appending(path: "x/../letter.txt")))
        #expect(throws: CocoaError.self) { try current.remove() }
        let missing = folder.url.appending(path: "none.txt")
        #expect(NSFileVersion.currentVersionOfItem(at: missing) == nil)
        #expect(NSFileVersion.unresolvedConflictVersionsOfItem(at: missing) == nil)
        #expect(NSFileVersion.otherVersionsOfItem(at: missing) == nil)
    }

    @Test func versionIsFoundAgainByItsIdentifier() throws {
        try copy("laptop, 2026-11-22 15.14")
        let version = try #require(NSFileVersion.otherVersionsOfItem(at: file)?.first)
        let found = NSFileVersion.version(itemAt: file, forPersistentIdentifier: version.persistentIdentifier)
        #expect(found == version)
        #expect(found?.hash == version.hash)
        #expect(found != NSFileVersion.currentVersionOfItem(at: file))
        #expect(NSFileVersion.version(itemAt: file, forPersistentIdentifier: "none" as NSString) == nil)
    }

    @Test func conflictIsResolvedForGood() async throws {
        let laptop = try Laptop(startingDaemon: false)
        let presenter = Presenter(file)
        try copy("laptop, 2026-11-22 15.14")
        try laptop.center.run {
            NSFileCoordinator.addFilePresenter(presenter)
            let version = try #require(NSFileVersion.unresolvedConflictVersionsOfItem(at: file)?.first)
            version.isResolved = true
            #expect(version.isResolved)
            #expect(NSFileVersion.unresolvedConflictVersionsOfItem(at: file) == [])
            // It exists until it is removed.
            #expect(NSFileVersion.otherVersionsOfItem(at: file) == [version])
        }
        #expect(try await presenter.calls.next() == "resolved")
    }

    @Test func otherVersionsAreRemovedOnRequest() async throws {
        let laptop = try Laptop(startingDaemon: false)
        let presenter = Presenter(file)
        let copy = try copy("laptop, 2026-11-22 15.14")
        try laptop.center.run {
            NSFileCoordinator.addFilePresenter(presenter)
            try NSFileVersion.removeOtherVersionsOfItem(at: file)
            #expect(NSFileVersion.otherVersionsOfItem(at: file) == [])
        }
        #expect(!FileManager.default.fileExists(atPath: copy.path))
        #expect(FileManager.default.fileExists(atPath: file.path))
        #expect(try await presenter.calls.next() == "lost letter (laptop, 2026-11-22 15.14).txt")
    }

    @Test(arguments: [NSFileVersion.ReplacingOptions.byMoving, []])
    func versionReplacesTheCurrentVersion(_ options: NSFileVersion.ReplacingOptions) throws {
        let copy = try copy("laptop, 2026-11-22 15.14")
        let version = try #require(NSFileVersion.unresolvedConflictVersionsOfItem(at: file)?.first)
        #expect(try version.replaceItem(at: file, options: options) == file)
        #expect(try String(contentsOf: file, encoding: .utf8) == "Dear Bo")
        #expect(FileManager.default.fileExists(atPath: copy.path) == (options == []))
        let elsewhere = folder.url.appending(path: "elsewhere.txt")
        if options == [] {
            try version.replaceItem(at: elsewhere)
            #expect(try String(contentsOf: elsewhere, encoding: .utf8) == "Dear Bo")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!names.contains { $0.hasPrefix(".handoff-") })
    }

    @Test func packageIsReplacedAsAWhole() throws {
        func package(_ name: String, _ members: [String: String]) throws -> URL {
            let url = folder.url.appending(path: name, directoryHint: .isDirectory)
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            for (member, text) in members { try Data(text.utf8).write(to: url.appending(path: member)) }
            return url
        }
        let document = try package("book.pages", ["one": "1", "two": "2"])
        _ = try package("book (laptop, 2026-11-22 15.14).pages", ["one": "eins"])
        let version = try #require(NSFileVersion.unresolvedConflictVersionsOfItem(at: document)?.first)
        try version.replaceItem(at: document)
        #expect(try FileManager.default.contentsOfDirectory(atPath: document.path) == ["one"])
        #expect(try String(contentsOf: document.appending(path: "one"), encoding: .utf8) == "eins")
    }

    @Test func conflictCopyNamedByTheDaemonMayHaveAnyName() async throws {
        let laptop = try Laptop(bundle: "com.example.reader")
        let receiver = Receiver()
        laptop.center.receive(with: receiver)
        let copy = try folder.file("another name.txt", "Dear Bo")
        try await receiver.take(
            on: laptop,
            [
                DeliveredDocument(
                    url: file.absoluteString, fate: .conflict, path: try AbsolutePath(file.path),
                    keptCopy: try AbsolutePath(copy.path))
            ])
        let versions = laptop.center.run { NSFileVersion.unresolvedConflictVersionsOfItem(at: file) }
        #expect(versions?.map(\.url.lastPathComponent) == ["another name.txt"])
    }

    @Test func noVersionIsElsewhere() async throws {
        #expect(try await NSFileVersion.nonlocalVersionsOfItem(at: file) == [])
        let found = Mailbox<Int?>()
        NSFileVersion.getNonlocalVersionsOfItem(at: file) { versions, _ in found.post(versions?.count) }
        #expect(try await found.next() == 0)
    }

    // MARK: Versions that the daemon keeps

    private func kept(_ laptop: Laptop) async throws -> (KeptVersion, [NSFileVersion]) {
        laptop.center.receive(with: Receiver())
        _ = try await laptop.daemon.hellos.next()
        try await laptop.caughtUp()
        let old = try folder.file("kept", "Dear old Anna")
        let version = KeptVersion(
            id: VersionID(uncheckedBytes: Array(repeating: 7, count: 16)), path: try AbsolutePath(file.path),
            file: try AbsolutePath(old.path), size: 13, modified: FileTime(nanoseconds: 0),
            kept: WallTime(milliseconds: 0), deviceName: DisplayText(cleaning: "laptop"))
        async let versions = blocking { [file] in
            laptop.center.run { NSFileVersion.otherVersionsOfItem(at: file) ?? [] }
        }
        let question = try await laptop.daemon.frames.next()
        #expect(question.message == .documents(.listVersions(try AbsolutePath(file.path))))
        laptop.daemon.send(LocalFrame(.documents(.versionList([version])), answer: question.request))
        return (version, try await versions)
    }

    @Test func replacedDocumentIsADiscardableVersion() async throws {
        let (_, versions) = try await kept(try Laptop())
        let version = try #require(versions.first)
        #expect(try String(contentsOf: version.url, encoding: .utf8) == "Dear old Anna")
        #expect(version.isDiscardable)
        #expect(!version.isConflict)
        #expect(version.isResolved)
        #expect(throws: CocoaError.self) { try version.remove() }
        let elsewhere = folder.url.appending(path: "elsewhere.txt")
        try version.replaceItem(at: elsewhere)
        #expect(try String(contentsOf: elsewhere, encoding: .utf8) == "Dear old Anna")
    }

    @Test func daemonPutsBackWhatItKeeps() async throws {
        let laptop = try Laptop()
        let (kept, versions) = try await kept(laptop)
        let version = try #require(versions.first)
        async let url = blocking { [file] in try version.replaceItem(at: file) }
        let question = try await laptop.daemon.frames.next()
        #expect(question.message == .documents(.restoreVersion(kept.id)))
        laptop.daemon.send(LocalFrame(.documents(.versionList([kept])), answer: question.request))
        #expect(try await url == file)
        let outcome = Mailbox<CocoaError.Code?>()
        onThread { [file] in
            do { try version.replaceItem(at: file) } catch { outcome.post((error as? CocoaError)?.code) }
        }
        let again = try await laptop.daemon.frames.next()
        let failure = Failure(.documentGone, "it is kept no longer")
        laptop.daemon.send(LocalFrame(.failure(failure), answer: again.request))
        #expect(try await outcome.next() == .userActivityHandoffFailed)
    }
}
