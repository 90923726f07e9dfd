// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff
internal import HandoffSystem
internal import HandoffWire

// A document knows its file by more than its name: nobody tells it of a rename in the file manager, so it looks when it
// matters, and is not woken for the rest.

extension HandoffDocument {
    final var place: FilePlace? { location.withLock { $0 }.flatMap(FilePlace.init) }

    /// What lies there now is the document's file.
    final func hold() { held = place.flatMap { HeldPlace(path: $0.text) } }

    /// It was read or written: what lies there is what the document has.
    final func hasRead() {
        hold()
        seen = held?.stamp
        if let place { center.wasRead(place) }
    }

    /// Looks where the file is by now: the document follows it, and its activity comes and goes with the containers that it
    /// is moved into and out of.
    final func followFile() {
        if let place, let path = held?.path {
            // Programs that save put the old file aside under another name, and the new one takes its own.
            if path != place.text, FileStamp(path: place.text) == nil { follow(to: URL(filePath: path)) }
        } else {
            // Another took the name of the one that was read.
            hold()
        }
        updateAutomaticActivity()
    }

    final func present(_ isPresenting: Bool) {
        if isPresenting { center.addPresenter(self) } else { center.removePresenter(self) }
    }

    /// The file was changed by somebody else, as far as is known.
    final func fileChanged() {
        guard let place, let now = FileStamp(path: place.text), now != seen else { return }
        // It is kept beside it when these are saved.
        guard !hasChanges else { return versionsChanged() }
        readAgain()
        versionsChanged()
    }

    /// On the main thread, soon.
    nonisolated final func onMainThread(_ work: @escaping @MainActor @Sendable (HandoffDocument) -> Void) {
        guard let application = center.handler as? UIApplication else {
            return DispatchQueue.main.async { MainActor.assumeIsolated { work(self) } }
        }
        application.onMainThread { work(self) }
    }
}

extension NSDocumentController {
    /// One after the other. What cannot be saved goes as it is on the disk.
    static func prepareToGo(_ documents: some Collection<HandoffDocument>, done: @escaping @MainActor () -> Void) {
        guard let document = documents.first else { return done() }
        document.followFile()
        document.prepareToGo { error in
            if let error {
                document.center.log("a document goes on as it was saved last: \(error.localizedDescription)")
            }
            prepareToGo(documents.dropFirst(), done: done)
        }
    }
}
