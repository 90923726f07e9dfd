// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem
import HandoffWire
import Testing

@testable import Handoff

/// Shows B18.
@Suite struct ScopedAccessTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func accesses(of laptop: Laptop, to url: URL) -> Int? {
        FilePlace(url).flatMap { place in laptop.center.state.withLock { $0.files.accesses[place] } }
    }

    @Test func accessToReadableFilesIsGrantedAndCounted() throws {
        let laptop = try Laptop(startingDaemon: false)
        let file = try folder.file("letter.txt")
        laptop.center.run {
            #expect(file.startAccessingSecurityScopedResource())
            // Another path to the same file.
            #expect(folder.url.appending(path: "x/../letter.txt").startAccessingSecurityScopedResource())
            #expect(accesses(of: laptop, to: file) == 2)
            file.stopAccessingSecurityScopedResource()
            #expect(accesses(of: laptop, to: file) == 1)
            file.stopAccessingSecurityScopedResource()
            #expect(accesses(of: laptop, to: file) == nil)
            // One call too many.
            file.stopAccessingSecurityScopedResource()
            #expect(accesses(of: laptop, to: file) == nil)
        }
    }

    @Test func missingFilesAreNotAccessible() throws {
        let laptop = try Laptop(startingDaemon: false)
        laptop.center.run {
            #expect(!folder.url.appending(path: "none.txt").startAccessingSecurityScopedResource())
            #expect(!URL(string: "https://example.com/letter.txt")!.startAccessingSecurityScopedResource())
        }
    }

    @Test func handedOverFileIsAccessibleBeforeItArrives() async throws {
        let laptop = try Laptop(bundle: "com.example.reader")
        let receiver = Receiver()
        laptop.center.receive(with: receiver)
        let file = folder.url.appending(path: "letter.txt")
        #expect(!laptop.center.run { file.startAccessingSecurityScopedResource() })
        try await receiver.take(
            on: laptop,
            [
                DeliveredDocument(
                    url: file.absoluteString, fate: .pending, path: try AbsolutePath(file.path),
                    note: "letter.txt is a copy.")
            ])
        #expect(laptop.center.run { file.startAccessingSecurityScopedResource() })
        #expect(receiver.notes.waiting == ["letter.txt is a copy."])
    }

    @Test func newFilesOfAContainerAreAccessible() async throws {
        var manners = FakeDaemon.Manners()
        manners.answersContainers = try ContainersTests.containers(folder.url)
        let laptop = try Laptop(manners: manners, bundle: "com.example.reader")
        let file = folder.url.appending(path: "new.txt")
        #expect(try await blocking { laptop.center.run { file.startAccessingSecurityScopedResource() } })
    }

    @Test func deliveriesAreForgottenInTheEnd() throws {
        #expect(FilesState.keptDeliveries == 256)
        var files = FilesState()
        for number in 0...FilesState.keptDeliveries {
            let path = try AbsolutePath("/nowhere/\(number)")
            files.deliver(DeliveredDocument(url: "", fate: .same, path: path), at: FilePlace(path))
        }
        #expect(files.delivered.count == FilesState.keptDeliveries)
        #expect(files.delivered[FilePlace(try AbsolutePath("/nowhere/0"))] == nil)
    }
}

/// Continues activities and records notes about documents.
final class Receiver: ContinuationHandler {
    let notes = Mailbox<String>()
    let progress = Mailbox<DocumentProgress>()

    func willContinue(_ notice: ContinuationNotice, answer: @escaping @Sendable (WillContinueAnswer) -> Void) {
        answer(.hook(true))
    }
    func continueActivity(
        _ activity: NSUserActivity, of notice: ContinuationNotice, answer: @escaping @Sendable (Bool) -> Void
    ) { answer(true) }
    func didFail(_ notice: ContinuationNotice, error: CocoaError) {}
    func didUpdate(_ activity: NSUserActivity, done: @escaping @Sendable () -> Void) { done() }
    func noted(_ notes: [String], of notice: ContinuationNotice) { for note in notes { self.notes.post(note) } }
    func progressed(_ progress: DocumentProgress) { self.progress.post(progress) }

    func take(on laptop: Laptop, _ documents: [DeliveredDocument]) async throws {
        let continuation = Continuation(on: laptop)
        _ = try await laptop.daemon.hellos.next()
        _ = try await continuation.announce().next()
        let state = ActivityState(type: continuation.type)
        _ = try await laptop.daemon.request(
            .continuation(.continueActivity(continuation.id, state, documents: documents)))
    }
}
