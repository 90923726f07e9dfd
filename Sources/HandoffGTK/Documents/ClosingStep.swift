// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import HandoffApp

/// What to do with a document whose last window is about to close.
enum ClosingStep: Sendable, Hashable, CaseIterable {
    case close
    /// Nobody is asked; if saving fails the window stays.
    case saveFirst
    case ask

    /// `savesByItself`: changes of such a document are saved without asking. `hasPlace`: it knows where.
    init(isEdited: Bool, savesByItself: Bool, hasPlace: Bool) {
        self =
            switch (isEdited, savesByItself && hasPlace) {
            case (false, _): .close
            case (true, true): .saveFirst
            case (true, false): .ask
            }
    }

    @MainActor
    init(for document: NSDocument) {
        self.init(
            isEdited: document.isDocumentEdited, savesByItself: type(of: document).autosavesInPlace,
            hasPlace: document.fileURL != nil)
    }
}
#endif
