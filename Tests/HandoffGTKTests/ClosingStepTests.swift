// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffGTK

/// The treatment of a document when its last window closes. Shows L15.
@Suite struct ClosingStepTests {
    @Test(arguments: [true, false], [true, false])
    func uneditedDocumentCloses(savesByItself: Bool, hasPlace: Bool) {
        #expect(ClosingStep(isEdited: false, savesByItself: savesByItself, hasPlace: hasPlace) == .close)
    }

    @Test func autosavingDocumentWithPlaceIsSavedFirst() {
        #expect(ClosingStep(isEdited: true, savesByItself: true, hasPlace: true) == .saveFirst)
    }

    @Test func autosavingDocumentWithoutPlaceAsks() {
        #expect(ClosingStep(isEdited: true, savesByItself: true, hasPlace: false) == .ask)
    }

    @Test(arguments: [true, false]) func documentWithoutAutosavingAsks(hasPlace: Bool) {
        #expect(ClosingStep(isEdited: true, savesByItself: false, hasPlace: hasPlace) == .ask)
    }
}
