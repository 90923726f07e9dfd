// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff

/// Folders shared with the app on the user's other devices. Shows B17.
@Suite struct ContainersTests {
    private let folder: Folder
    private let container: URL

    init() throws {
        folder = try Folder()
        container = folder.url.appending(path: "iCloud.com.example.letters", directoryHint: .isDirectory)
    }

    static func containers(_ folders: URL..., token: [UInt8]? = [1, 2, 3]) throws -> LocalMessage {
        .documents(
            .containers(
                try folders.map {
                    AppContainer(container: try ContainerID($0.lastPathComponent), path: try AbsolutePath($0.path))
                }, accountToken: token))
    }

    private func laptop(_ answer: LocalMessage?) throws -> Laptop {
        var manners = FakeDaemon.Manners()
        manners.answersContainers = answer
        return try Laptop(manners: manners, bundle: "com.example.reader")
    }

    /// On a thread that may block.
    private func asking<Answer: Sendable>(
        _ laptop: Laptop, _ body: @escaping @Sendable (FileManager) throws -> Answer
    ) async throws -> Answer {
        try await blocking { try laptop.center.run { try body(.default) } }
    }

    // MARK: Locations

    @Test func containersAreThoseThatTheDaemonKnows() async throws {
        let other = folder.url.appending(path: "iCloud.com.example.other", directoryHint: .isDirectory)
        let laptop = try laptop(try Self.containers(container, other))
        let (first, named, none) = try await asking(laptop) { files in
            (
                files.url(forUbiquityContainerIdentifier: nil),
                files.url(forUbiquityContainerIdentifier: "iCloud.com.example.other"),
                files.url(forUbiquityContainerIdentifier: "iCloud.com.example.elsewhere")
            )
        }
        #expect(first?.path == container.path)
        #expect(named?.path == other.path)
        #expect(none == nil)
        var isFolder: ObjCBool = false
        #expect(FileManager.default.fileExists(atPath: container.path + "/Documents", isDirectory: &isFolder))
        #expect(isFolder.boolValue)
        try await laptop.daemon.containersAsked.next()
        #expect(laptop.daemon.containersAsked.waiting.isEmpty)
    }

    @Test func withoutADaemonThereIsNoContainer() async throws {
        let laptop = try Laptop(startingDaemon: false, bundle: "com.example.reader")
        let url = try await asking(laptop) { $0.url(forUbiquityContainerIdentifier: nil) }
        #expect(url == nil)
        #expect(try await asking(laptop) { $0.ubiquityIdentityToken == nil })
    }

    @Test func programWithoutABundleSendsNoRequest() async throws {
        let laptop = try Laptop()
        #expect(try await asking(laptop) { $0.url(forUbiquityContainerIdentifier: nil) } == nil)
        #expect(laptop.daemon.hellos.waiting.isEmpty)
    }

    @Test func appThatMayHaveNoneHasNone() async throws {
        let laptop = try laptop(.failure(Failure(.notAllowed, "scripts may not have containers")))
        #expect(try await asking(laptop) { $0.url(forUbiquityContainerIdentifier: nil) } == nil)
        #expect(try await asking(laptop) { $0.ubiquityIdentityToken == nil })
    }

    @Test func daemonIsAskedAgainOnANewConnection() async throws {
        let laptop = try laptop(try Self.containers(container))
        #expect(try await asking(laptop) { $0.url(forUbiquityContainerIdentifier: nil) } != nil)
        try await laptop.daemon.containersAsked.next()
        laptop.daemon.kill()
        try laptop.daemon.start()
        try await laptop.daemon.containersAsked.next()
        #expect(try await asking(laptop) { $0.url(forUbiquityContainerIdentifier: nil) } != nil)
    }

    @Test func containerThatCannotBeCreatedIsNil() async throws {
        let file = try folder.file("iCloud.com.example.file")
        let laptop = try laptop(try Self.containers(file))
        #expect(try await asking(laptop) { $0.url(forUbiquityContainerIdentifier: nil) } == nil)
        #expect(try await laptop.log.next().hasPrefix("the container iCloud.com.example.file cannot be used"))
    }

    // MARK: The account

    @Test func identityTokenIsTheAccountsAndChangesArePosted() async throws {
        let laptop = try laptop(try Self.containers(container))
        let isEqual = try await asking(laptop) {
            $0.ubiquityIdentityToken?.isEqual(NSData(data: Data([1, 2, 3])))
        }
        #expect(isEqual == true)
        let changes = Mailbox<Void>()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSUbiquityIdentityDidChange, object: nil, queue: nil
        ) { _ in
            // Only those of this test: other tests post it too.
            if ActivityCenter.current === laptop.center { changes.post(()) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        laptop.daemon.send(try Self.containers(container))
        laptop.daemon.send(try Self.containers(container, token: nil))
        try await changes.next()
        #expect(changes.waiting.isEmpty)
        #expect(try await asking(laptop) { $0.ubiquityIdentityToken == nil })
    }

    // MARK: Contents

    @Test func filesInAContainerAreUbiquitous() async throws {
        let laptop = try laptop(try Self.containers(container))
        let outside = try folder.file("outside.txt")
        try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
        let link = folder.url.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: container)
        let answers = try await asking(laptop) { [container] files in
            [
                container.appending(path: "Documents/letter.txt"), container,
                // Through a link.
                link.appending(path: "letter.txt"), container.appending(path: "a/../letter.txt"),
                outside, container.appending(path: "../outside.txt"),
                URL(filePath: container.path + "2/letter.txt"), URL(string: "https://example.com/")!,
            ].map { files.isUbiquitousItem(at: $0) }
        }
        #expect(answers == [true, true, true, true, false, false, false, false])
    }

    @Test func filesAreMovedInAndOut() async throws {
        let laptop = try laptop(try Self.containers(container))
        let outside = try folder.file("letter.txt")
        let presenter = Presenter(outside)
        laptop.center.run { NSFileCoordinator.addFilePresenter(presenter) }
        let inside = container.appending(path: "Documents/letter.txt")
        try await asking(laptop) { files in
            _ = files.url(forUbiquityContainerIdentifier: nil)
            try files.setUbiquitous(true, itemAt: outside, destinationURL: inside)
        }
        #expect(try String(contentsOf: inside, encoding: .utf8) == "Dear Anna")
        #expect(!FileManager.default.fileExists(atPath: outside.path))
        #expect(await soon { presenter.presentedItemURL?.path == inside.path })
        // It is already in the container; and the destination is outside.
        for (flag, source, target) in [(true, inside, inside), (false, inside, inside), (true, inside, outside)] {
            let error = await #expect(throws: CocoaError.self) {
                try await asking(laptop) { try $0.setUbiquitous(flag, itemAt: source, destinationURL: target) }
            }
            #expect(error?.code == .fileWriteInvalidFileName)
        }
        try await asking(laptop) { try $0.setUbiquitous(false, itemAt: inside, destinationURL: outside) }
        #expect(try String(contentsOf: outside, encoding: .utf8) == "Dear Anna")
    }

    @Test func moveDoesNotOverwriteAFile() async throws {
        let laptop = try laptop(try Self.containers(container))
        let outside = try folder.file("letter.txt")
        let inside = container.appending(path: "Documents/letter.txt")
        await #expect(throws: (any Error).self) {
            try await asking(laptop) { files in
                _ = files.url(forUbiquityContainerIdentifier: nil)
                try Data("Dear Bo".utf8).write(to: inside)
                try files.setUbiquitous(true, itemAt: outside, destinationURL: inside)
            }
        }
        #expect(try String(contentsOf: inside, encoding: .utf8) == "Dear Bo")
        #expect(try String(contentsOf: outside, encoding: .utf8) == "Dear Anna")
    }

    @Test func evictingAndPublishingAreUnsupported() throws {
        let file = try folder.file("letter.txt")
        let files = FileManager.default
        let evicting = #expect(throws: CocoaError.self) { try files.evictUbiquitousItem(at: file) }
        #expect(evicting?.code == .featureUnsupported)
        let publishing = #expect(throws: CocoaError.self) {
            try files.url(forPublishingUbiquitousItemAt: file, expiration: nil)
        }
        #expect(publishing?.code == .featureUnsupported)
        #expect(files.fileExists(atPath: file.path))
    }

    @Test func appsOfAGroupHaveAFolder() throws {
        let laptop = try Laptop(startingDaemon: false)
        let url = laptop.center.run {
            FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.com.example.letters")
        }
        #expect(url?.path == laptop.locations.groups + "/group.com.example.letters")
        #expect(FileManager.default.fileExists(atPath: url?.path ?? ""))
        let strange = laptop.center.run {
            FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "../letters")
        }
        #expect(strange == nil)
    }
}
