// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff
internal import HandoffSystem
internal import HandoffWire

// File managers do not report renames, so the document looks for its file when it matters.

extension HandoffDocument {
    final var place: FilePlace? { location.withLock { $0 }.flatMap(FilePlace.init) }

    final func hold() { held = place.flatMap { HeldPlace(path: $0.text) } }

    final func hasRead() {
        hold()
        seen = held?.stamp
        if let place { center.wasRead(place) }
    }

    /// Updates `fileURL` after a rename, and the automatic activity.
    final func followFile() {
        if let place, let path = held?.path {
            // A program that saves may rename the old file and give its name to a new one.
            if path != place.text, FileStamp(path: place.text) == nil { follow(to: URL(filePath: path)) }
        } else {
            // Another file took the name.
            hold()
        }
        updateAutomaticActivity()
    }

    final func present(_ isPresenting: Bool) {
        if isPresenting { center.addPresenter(self) } else { center.removePresenter(self) }
    }

    final func fileChanged() {
        guard let place, let now = FileStamp(path: place.text), now != seen else { return }
        // Saving will keep the other version next to the file.
        guard !hasChanges else { return versionsChanged() }
        readAgain()
        versionsChanged()
    }

    nonisolated final func onMainThread(_ work: @escaping @MainActor @Sendable (HandoffDocument) -> Void) {
        guard let application = center.handler as? UIApplication else {
            return DispatchQueue.main.async { MainActor.assumeIsolated { work(self) } }
        }
        application.onMainThread { work(self) }
    }
}

extension NSDocumentController {
    /// One by one. A document that cannot be saved is sent as on disk.
    static func prepareToGo(_ documents: some Collection<HandoffDocument>, done: @escaping @MainActor () -> Void) {
        guard let document = documents.first else { return done() }
        document.followFile()
        document.prepareToGo { error in
            if let error {
                document.center.log("a document is continued as it was last saved: \(error.localizedDescription)")
            }
            prepareToGo(documents.dropFirst(), done: done)
        }
    }
}
