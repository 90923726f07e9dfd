// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import HandoffApp

enum ClosingStep: Sendable, Hashable, CaseIterable {
    case close
    /// If saving fails, the window stays open.
    case saveFirst
    case ask

    /// `savesByItself`: without asking. `hasPlace`: has a location.
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
